// The places of the window, one under the other; figures of the shortcuts follow their order.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Theme

Rectangle {
    id: rail

    required property var pages // of PageEntry
    required property string current

    signal chosen(key: string)

    implicitWidth: Math.max(76, column.implicitWidth + 2 * Theme.space2)
    color: Theme.window
    Accessible.role: Accessible.PageTabList
    Accessible.name: qsTr("Places")

    Rectangle { x: parent.width - 1; width: 1; height: parent.height; color: Theme.line }

    ColumnLayout {
        id: column

        anchors { top: parent.top; topMargin: Theme.space3; left: parent.left; right: parent.right; leftMargin: Theme.space2; rightMargin: Theme.space2 }
        spacing: Theme.space1

        Repeater {
            model: rail.pages

            RailButton {
                required property PageEntry modelData
                required property int index

                text: modelData.title
                iconName: modelData.iconName
                checked: rail.current === modelData.key
                tip: qsTr("%1 (Ctrl+%2)").arg(modelData.title).arg(index + 1)
                Layout.fillWidth: true
                onClicked: rail.chosen(modelData.key)
            }
        }
    }
}
