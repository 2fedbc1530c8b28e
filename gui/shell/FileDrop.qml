// Takes GGUF files dropped anywhere on the window; other files are left to what lies below.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

DropArea {
    id: area

    signal filesDropped(files: var) // of urls

    function isModel(url: var): bool { return String(url).toLowerCase().endsWith(".gguf") }

    keys: ["text/uri-list"]
    onEntered: drag => { drag.accepted = drag.urls.some(url => area.isModel(url)) }
    onDropped: drop => {
        const files = drop.urls.filter(url => area.isModel(url));
        drop.accepted = files.length > 0;
        if (files.length > 0) area.filesDropped(files);
    }

    Rectangle {
        anchors.fill: parent
        visible: area.containsDrag
        color: Theme.scrim

        Item {
            anchors.centerIn: parent
            width: 420
            height: words.implicitHeight + 2 * Theme.space5

            FloatingBackground { anchors.fill: parent }

            EmptyState {
                id: words

                anchors.centerIn: parent
                iconName: "download"
                title: qsTr("Drop to add the model")
                text: qsTr("The file stays where it is.")
            }
        }
    }
}
