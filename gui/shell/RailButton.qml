// One place in the rail: icon over word; the open one has a mark at its edge.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.TabButton {
    id: control

    required property string iconName
    property string tip

    checkable: false // which place is open is the window's word
    implicitWidth: word.implicitWidth + 2 * Theme.space2
    implicitHeight: content.implicitHeight + 2 * Theme.space2
    focusPolicy: Qt.StrongFocus
    Accessible.name: text
    Accessible.description: tip
    Accessible.selected: checked
    Keys.onReturnPressed: control.press()
    Keys.onEnterPressed: control.press()

    // As a press with the pointer; the space bar does it by itself.
    function press() { clicked() }

    contentItem: Item {
        implicitHeight: content.implicitHeight

        Column {
            id: content

            anchors.centerIn: parent
            width: control.width - Theme.space1
            spacing: 2

            Icon {
                anchors.horizontalCenter: parent.horizontalCenter
                name: control.iconName
                size: Math.round(22 * Math.min(1.4, Theme.textScale))
                color: control.checked ? Theme.accent : control.hovered ? Theme.text : Theme.quietText
            }

            Text {
                id: word

                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                elide: Text.ElideRight
                text: control.text
                color: control.checked ? Theme.text : control.hovered ? Theme.text : Theme.quietText
                font { family: Theme.fontFamily; pixelSize: Theme.captionSize; weight: control.checked ? Font.DemiBold : Font.Normal }
                Accessible.ignored: true
            }
        }
    }

    background: Rectangle {
        radius: Theme.controlRadius
        color: control.checked ? Theme.selected : control.down || control.hovered ? Theme.hover : "transparent"

        Rectangle {
            visible: control.checked
            x: 0
            anchors.verticalCenter: parent.verticalCenter
            width: 3
            height: parent.height - 2 * Theme.space3
            radius: 1.5
            color: Theme.accent
        }

        FocusRing { shown: control.visualFocus }
    }

    HoverTip {
        text: control.tip
        shown: control.hovered || control.visualFocus
    }
}
