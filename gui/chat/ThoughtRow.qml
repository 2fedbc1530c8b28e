// The reasoning of a reply, folded to one line with its duration; open while it runs.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string thoughtText
    required property bool open
    required property var messageId

    signal toggled

    topGap: Theme.space1

    T.AbstractButton {
        id: button

        width: content.implicitWidth + 2 * Theme.space2
        height: Theme.controlHeight
        x: -Theme.space2
        text: row.thoughtText
        focusPolicy: Qt.StrongFocus
        Accessible.role: Accessible.Button
        Accessible.name: text
        Accessible.description: row.open ? qsTr("Fold the reasoning") : qsTr("Show the reasoning")
        Accessible.checkable: true
        Accessible.checked: row.open
        Keys.onReturnPressed: row.toggled()
        onClicked: row.toggled()

        contentItem: Item {
            Row {
                id: content

                x: Theme.space2
                anchors.verticalCenter: parent.verticalCenter
                spacing: Theme.space1

                Icon { anchors.verticalCenter: parent.verticalCenter; name: row.open ? "chevron-down" : "chevron-right"; size: 16; color: Theme.quietText }
                Label { text: row.thoughtText; quiet: true }
            }
        }

        background: Rectangle {
            radius: Theme.controlRadius
            color: button.hovered ? Theme.hover : "transparent"

            FocusRing { shown: button.visualFocus }
        }
    }
}
