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

    // What the keyboard reaches is scrolled into view.
    function reveal(item: Item) {
        const top = item.mapToItem(column, 0, 0).y;
        const lowest = top + item.height + Theme.space5 - view.height;
        view.contentY = Math.max(0, Math.min(Math.max(view.contentY, lowest), top - Theme.space5));
    }

    function isInside(item: Item): bool {
        for (let up = item; up; up = up.parent) if (up === column) return true;
        return false;
    }

    Connections {
        target: page.Window.window

        function onActiveFocusItemChanged() {
            const item = page.Window.window.activeFocusItem;
            if (item && page.isInside(item)) page.reveal(item);
        }
    }

    Flickable {
        id: view

        anchors.fill: parent
        clip: true
        contentHeight: column.height + Theme.space6
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}

        ColumnLayout {
            id: column

            width: page.columnWidth
            x: (view.width - width) / 2
            spacing: Theme.space3

            LibraryHeader {
                id: header

                library: page.library
                modelCount: models.count
                Layout.fillWidth: true
                Layout.bottomMargin: Theme.space1
                onFileAsked: fileDialog.open()
                onFolderAsked: folderDialog.open()
                onChatAsked: path => page.chatRequested(path)
            }

            Repeater {
                id: models

                model: page.library.models

                ModelRow {
                    library: page.library
                    Layout.fillWidth: true
                    onChatAsked: page.chatRequested(path)
                    onBetterAsked: header.focusAddress()
                }
            }

            EmptyState {
                visible: models.count === 0 && !page.library.scanning
                iconName: "library"
                title: qsTr("No models yet")
                text: qsTr("A model is one file that ends in .gguf. Paste the address of one above, add one from this computer, or drop it here.")
                actionText: qsTr("Add a file")
                Layout.alignment: Qt.AlignHCenter
                Layout.preferredWidth: 480
                Layout.topMargin: Theme.space6
                onActed: fileDialog.open()
            }
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
