// A chat without messages: what can be done here, and what the model is.
import QtQuick
import Steelyard.Chat
import Steelyard.Controls

EmptyState {
    id: empty

    required property ChatDesk desk
    readonly property string path: desk.session.modelPath
    readonly property bool starter: path.length > 0 && desk.model.modelCount > 0 && desk.model.isStarter(path)

    signal libraryWanted

    iconName: path.length > 0 ? "chat" : "library"
    title: path.length > 0 ? qsTr("What is on your mind?") : qsTr("No model yet")
    text: path.length === 0 ? qsTr("A model is a file that this computer can run. The library gets one from the network or from a folder.")
        : starter ? qsTr("%1 is a small test model: mainly English, often wrong. It shows that everything works.").arg(desk.model.titleOf(path))
        : qsTr("%1 answers on this computer. Nothing you write leaves it.").arg(desk.model.titleOf(path))
    actionText: path.length === 0 ? qsTr("Get a model") : ""
    onActed: libraryWanted()

    Button {
        visible: empty.starter
        text: qsTr("Get a better one")
        onClicked: empty.libraryWanted()
    }
}
