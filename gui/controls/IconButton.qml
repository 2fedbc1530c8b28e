// A square button with an icon only: `text` is its name for screen readers and its tool tip.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.AbstractButton {
    id: control

    required property string iconName
    property bool danger: false
    property bool primary: false
    property int iconSize: Math.round(20 * Math.min(1.4, Theme.textScale))

    implicitWidth: Theme.controlHeight
    implicitHeight: Theme.controlHeight
    opacity: enabled ? 1 : 0.5
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.checkable: checkable
    Accessible.checked: checked
    Keys.onReturnPressed: control.press()
    Keys.onEnterPressed: control.press()

    // As a press with the pointer; the space bar does it by itself.
    function press() {
        if (checkable) toggle();
        clicked();
    }

    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            name: control.iconName
            size: control.iconSize
            color: control.primary ? Theme.accentText
                 : control.danger && control.hovered ? Theme.bad
                 : control.checked || control.hovered ? Theme.text : Theme.quietText
        }
    }

    background: Rectangle {
        radius: Theme.controlRadius
        color: control.primary ? (control.down ? Qt.darker(Theme.accent, 1.12) : Theme.accent)
             : control.down || control.checked ? Theme.selected
             : control.hovered ? Theme.hover : "transparent"

        FocusRing { shown: control.visualFocus }
    }

    HoverTip {
        text: control.text
        shown: control.hovered || control.visualFocus
    }
}
