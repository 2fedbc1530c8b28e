// On or off, at once. The knob's place and a tick tell the state, not the colour alone.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.Switch {
    id: control

    implicitWidth: text.length > 0 ? contentItem.implicitWidth : indicator.width
    implicitHeight: Math.max(Theme.controlHeight, contentItem.implicitHeight)
    spacing: Theme.space2
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
    opacity: enabled ? 1 : 0.5
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.CheckBox
    Accessible.name: text
    Accessible.checkable: true
    Accessible.checked: checked

    indicator: Rectangle {
        anchors.verticalCenter: parent.verticalCenter
        width: 40
        height: 22
        radius: 11
        color: control.checked ? Theme.accent : Theme.surface
        border { width: control.checked ? 0 : 1; color: Theme.outline }

        Rectangle {
            x: control.checked ? parent.width - width - 3 : 3
            anchors.verticalCenter: parent.verticalCenter
            width: 16
            height: 16
            radius: 8
            color: control.checked ? Theme.accentText : Theme.outline

            Behavior on x { NumberAnimation { duration: Theme.motion; easing.type: Easing.OutCubic } }

            Icon {
                anchors.centerIn: parent
                visible: control.checked
                name: "check"
                size: 12
                color: Theme.accent
            }
        }

        FocusRing { shown: control.visualFocus; radius: 14 }
    }

    contentItem: Text {
        leftPadding: control.indicator.width + control.spacing
        text: control.text
        font: control.font
        color: Theme.text
        verticalAlignment: Text.AlignVCenter
        elide: Text.ElideRight
        Accessible.ignored: true
    }
}
