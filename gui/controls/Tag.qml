// A short fact in a frame: "Q4_K_M", "fits". The tone adds to the word, it never replaces it.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: tag

    required property string text
    property string tone: "plain" // "plain", "good", "warn", "bad", "accent"
    property string iconName
    property string tip
    readonly property color ink: tone === "good" ? Theme.good : tone === "warn" ? Theme.warn : tone === "bad" ? Theme.bad
                               : tone === "accent" ? Theme.accent : Theme.quietText

    implicitWidth: (iconName.length > 0 ? mark.width + row.spacing : 0) + Math.ceil(caption.implicitWidth) + 2 * Theme.space2
    implicitHeight: row.implicitHeight + Theme.space1
    radius: Math.min(6, height / 2)
    color: "transparent"
    border { width: 1; color: tone === "plain" ? Theme.line : Qt.alpha(ink, 0.6) }
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.description: tip

    Row {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space1

        Icon {
            id: mark

            visible: tag.iconName.length > 0
            anchors.verticalCenter: parent.verticalCenter
            name: tag.iconName
            size: 14
            color: tag.ink
        }

        Text {
            id: caption

            width: Math.min(Math.ceil(implicitWidth), tag.width - 2 * Theme.space2 - (mark.visible ? mark.width + row.spacing : 0))
            text: tag.text
            color: tag.ink
            font { family: Theme.fontFamily; pixelSize: Theme.captionSize }
            elide: Text.ElideRight
            textFormat: Text.PlainText
            Accessible.ignored: true
        }
    }

    HoverHandler { id: pointer }

    HoverTip {
        text: tag.tip.length > 0 ? tag.tip : caption.truncated ? tag.text : ""
        shown: pointer.hovered
    }
}
