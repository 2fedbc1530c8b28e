// A list of folders: each with its path and a button that takes it off the list, and a button that adds one.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: list

    required property var folders

    signal addAsked
    signal removed(folder: string)

    spacing: Theme.space1

    Repeater {
        model: list.folders

        RowLayout {
            id: entry

            required property string modelData

            spacing: Theme.space2

            Icon { name: "folder"; size: 18; color: Theme.quietText }
            Label { text: entry.modelData; elide: Text.ElideMiddle; Layout.fillWidth: true }
            IconButton {
                iconName: "close"
                text: qsTr("Take %1 off the list").arg(entry.modelData)
                onClicked: list.removed(entry.modelData)
            }
        }
    }

    Button {
        text: qsTr("Add folder")
        iconName: "plus"
        onClicked: list.addAsked()
    }
}
