// A line of a menu or of a list to choose from; `note` is a second, quiet line that says more.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.MenuItem {
    id: control

    property string iconName
    property string note
    property bool danger: false
    property bool reservesIcon: iconName.length > 0
    readonly property color ink: danger ? Theme.bad : Theme.text

    implicitWidth: Math.max(200, implicitContentWidth + leftPadding + rightPadding)
    implicitHeight: Math.max(Theme.controlHeight, implicitContentHeight + topPadding + bottomPadding)
    leftPadding: Theme.space2
    rightPadding: Theme.space3
    topPadding: Theme.space1
    bottomPadding: Theme.space1
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
    opacity: enabled ? 1 : 0.55
    Accessible.role: Accessible.MenuItem
    Accessible.name: text
    Accessible.description: note

    contentItem: Item {
        implicitWidth: words.x + words.implicitWidth
        implicitHeight: words.implicitHeight

        Icon {
            id: mark

            anchors.verticalCenter: parent.verticalCenter
            name: control.checked ? "check" : control.iconName
            size: 18
            color: control.ink
        }

        Column {
            id: words

            x: control.reservesIcon || control.checkable ? mark.width + Theme.space2 : 0
            width: parent.width - x
            anchors.verticalCenter: parent.verticalCenter

            Text {
                width: Math.min(implicitWidth, parent.width)
                text: control.text
                font: control.font
                color: control.ink
                elide: Text.ElideRight
                textFormat: Text.PlainText
                Accessible.ignored: true
            }

            Text {
                visible: control.note.length > 0
                width: parent.width
                text: control.note
                font { family: Theme.fontFamily; pixelSize: Theme.captionSize }
                color: Theme.quietText
                wrapMode: Text.Wrap
                textFormat: Text.PlainText
                Accessible.ignored: true
            }
        }
    }

    background: Rectangle {
        radius: Theme.controlRadius - 2
        color: control.highlighted || control.hovered ? Theme.hover : "transparent"
    }
}
