// The library: get a model, what is being downloaded, and the models of this computer.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

FocusScope {
    id: page

    required property Library library
    readonly property int columnWidth: Math.min(880, page.width - 2 * Theme.space5)

    signal chatRequested(path: string)

    function startSearch() { header.focusAddress() }

    Binding { target: page.library; property: "watched"; value: page.visible }

    Connections {
        target: page.library

        function onTakenOff(path, title) {
            toast.show(qsTr("%1 is off the list. Its file stays.").arg(title), qsTr("Undo"), () => page.library.putBack(path));
        }
        function onTrashed(path, title) {
            toast.show(qsTr("%1 is in the trash.").arg(title), qsTr("Undo"), () => page.library.takeOutOfTrash(path));
        }
        function onDeletionAsked(path, title, size) { question.ask(path, title, size) }
        function onArrived(path, title) { toast.show(qsTr("%1 is ready.").arg(title), qsTr("Chat"), () => page.chatRequested(path)) }
        function onFailed(sentence) { toast.show(sentence, "", null) }
    }

    ListView {
        id: list

        anchors.fill: parent
        clip: true
        model: page.library.models
        boundsBehavior: Flickable.StopAtBounds
        bottomMargin: Theme.space6
        spacing: Theme.space3
        cacheBuffer: 4000 // every row is there, so that the keyboard reaches it
        T.ScrollBar.vertical: ScrollBar {}
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Models")

        header: Item {
            width: list.width
            height: header.implicitHeight + Theme.space4
        }

        delegate: Item {
            id: place

            required property var model

            width: list.width
            height: row.implicitHeight

            ModelRow {
                id: row

                entry: place.model
                library: page.library
                width: page.columnWidth
                x: (parent.width - width) / 2
                onChatAsked: page.chatRequested(entry.path)
                onBetterAsked: header.focusAddress()
            }
        }

        LibraryHeader {
            id: header

            parent: list.contentItem
            y: list.originY
            x: (list.width - width) / 2
            width: page.columnWidth
            library: page.library
            modelCount: list.count
            onFileAsked: fileDialog.open()
            onFolderAsked: folderDialog.open()
            onChatAsked: path => page.chatRequested(path)
        }

        EmptyState {
            parent: list.contentItem
            visible: list.count === 0 && !page.library.scanning
            y: list.originY + header.height + Theme.space6
            x: (list.width - width) / 2
            iconName: "library"
            title: qsTr("No models yet")
            text: qsTr("A model is one file that ends in .gguf. Paste the address of one above, add one from this computer, or drop it here.")
            actionText: qsTr("Add a file")
            onActed: fileDialog.open()
        }
    }

    DropArea {
        id: drop

        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: event => { event.accept(Qt.CopyAction); page.library.addFiles(event.urls); }
    }

    Rectangle {
        visible: drop.containsDrag
        anchors { fill: parent; margins: Theme.space3 }
        radius: Theme.cardRadius
        color: Qt.alpha(Theme.selected, 0.92)
        border { width: 2; color: Theme.accent }

        Label {
            anchors.centerIn: parent
            text: qsTr("Drop model files or folders here. They stay where they are.")
            font.pixelSize: Theme.titleSize
        }
    }

    Toast {
        id: toast

        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.space5 }
    }

    ConfirmSheet {
        id: question

        property string path
        property string model
        property string size

        function ask(path: string, model: string, size: string) {
            question.path = path;
            question.model = model;
            question.size = size;
            open();
        }

        title: qsTr("Delete the file?")
        text: qsTr("There is no trash for this disk. %1 (%2) would be deleted for good and had to be downloaded again.").arg(model).arg(size)
        confirmText: qsTr("Delete for good")
        onConfirmed: page.library.deleteForGood(path)
    }

    FileDialog {
        id: fileDialog

        title: qsTr("Add models")
        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Models (*.gguf *.GGUF)")]
        onAccepted: page.library.addFiles(selectedFiles)
    }

    FolderDialog {
        id: folderDialog

        title: qsTr("Add a folder of models")
        onAccepted: page.library.addFolder(selectedFolder)
    }
}
