// The top of the library: its title and what can be added, the address of a model to get, and the downloads.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

ColumnLayout {
    id: header

    required property Library library
    required property int modelCount

    signal fileAsked
    signal folderAsked
    signal chatAsked(path: string)

    function focusAddress() { address.focusField() }

    spacing: Theme.space4

    RowLayout {
        spacing: Theme.space2
        Layout.topMargin: Theme.space5

        Label {
            text: qsTr("Library")
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
            Accessible.role: Accessible.Heading
        }

        Label {
            visible: header.modelCount > 0
            text: qsTr("%n model(s)", "", header.modelCount)
            quiet: true
            Layout.fillWidth: true
            Layout.leftMargin: Theme.space1
        }

        Item { visible: header.modelCount === 0; Layout.fillWidth: true }

        Button {
            text: qsTr("Add a file")
            iconName: "file"
            tip: qsTr("Use a .gguf file of this computer; it stays where it is")
            onClicked: header.fileAsked()
        }

        Button {
            text: qsTr("Add a folder")
            iconName: "folder"
            tip: qsTr("Show all models of a folder; they stay where they are")
            onClicked: header.folderAsked()
        }
    }

    AddressCard {
        id: address

        library: header.library
        Layout.fillWidth: true
    }

    Repeater {
        model: header.library.downloads

        DownloadRow {
            library: header.library
            Layout.fillWidth: true
            onChatAsked: path => header.chatAsked(path)
        }
    }
}
