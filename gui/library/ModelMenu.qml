// What can be done with a model's file.
import Steelyard.Controls
import Steelyard.Library

Menu {
    id: menu

    required property string path
    required property Library library

    MenuItem { text: qsTr("Show in folder"); iconName: "open"; onTriggered: menu.library.showFile(menu.path) }
    MenuItem { text: qsTr("Copy path"); iconName: "copy"; onTriggered: menu.library.copyPath(menu.path) }
    MenuSeparator {}
    MenuItem { text: qsTr("Remove from the list"); iconName: "minus"; onTriggered: menu.library.takeOff(menu.path) }
    MenuItem { text: qsTr("Move to trash"); iconName: "trash"; danger: true; onTriggered: menu.library.moveToTrash(menu.path) }
}
