// A button with a word, an icon, or both. `primary` is the one main action of a place, `flat` has no frame until it is
// touched, `danger` takes something away.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.Button {
    id: control

    property string iconName
    property bool primary: false
    property bool danger: false
    property string tip
    readonly property color ink: primary ? Theme.accentText : danger ? Theme.bad : Theme.text

    implicitWidth: Math.max(Theme.controlHeight, implicitContentWidth + leftPadding + rightPadding)
    implicitHeight: Math.max(Theme.controlHeight, implicitContentHeight + topPadding + bottomPadding)
    leftPadding: Theme.space3
    rightPadding: Theme.space3
    topPadding: Theme.space1
    bottomPadding: Theme.space1
    spacing: Theme.space2
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize; weight: primary ? Font.DemiBold : Font.Normal }
    opacity: enabled ? 1 : 0.5
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.description: tip
    Keys.onReturnPressed: control.press()
    Keys.onEnterPressed: control.press()

    // As a press with the pointer; the space bar does it by itself.
    function press() {
        if (checkable) toggle();
        clicked();
    }

    contentItem: Item {
        // By what there is, not by what is visible: a button that is not shown has its size too.
        readonly property bool hasIcon: control.iconName.length > 0
        readonly property bool hasText: control.text.length > 0

        implicitWidth: (hasIcon ? mark.width + (hasText ? row.spacing : 0) : 0) + (hasText ? Math.ceil(caption.implicitWidth) : 0)
        implicitHeight: row.implicitHeight

        Row {
            id: row

            anchors.centerIn: parent
            spacing: control.spacing

            Icon {
                id: mark

                visible: control.iconName.length > 0
                anchors.verticalCenter: parent.verticalCenter
                name: control.iconName
                size: Math.round(control.font.pixelSize * 1.3)
                color: control.ink
            }

            Text {
                id: caption

                visible: text.length > 0
                anchors.verticalCenter: parent.verticalCenter
                width: Math.min(Math.ceil(implicitWidth), control.availableWidth - (mark.visible ? mark.width + row.spacing : 0))
                text: control.text
                font: control.font
                color: control.ink
                elide: Text.ElideRight
                textFormat: Text.PlainText
                Accessible.ignored: true
            }
        }
    }

    background: Rectangle {
        radius: Theme.controlRadius
        color: control.primary ? (control.down ? Qt.darker(Theme.accent, 1.12) : Theme.accent)
             : control.down || control.checked ? Theme.selected
             : control.hovered ? Theme.hover
             : control.flat ? "transparent" : Theme.surface
        border { width: control.primary || control.flat ? 0 : 1; color: Theme.line }

        FocusRing { shown: control.visualFocus }
    }

    HoverTip {
        text: control.tip.length > 0 ? control.tip : caption.truncated ? control.text : ""
        shown: control.hovered || control.visualFocus
    }
}
