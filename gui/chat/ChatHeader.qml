// The line above a chat: its title, the model where the inspector is folded, and the switches of both side panels.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: header

    required property ChatDesk desk
    required property bool sidebarShown
    required property bool inspectorShown

    signal sidebarToggled
    signal inspectorToggled
    signal chooserWanted
    signal renameWanted

    implicitHeight: Theme.controlHeight + 2 * Theme.space2

    RowLayout {
        anchors { fill: parent; leftMargin: Theme.space3; rightMargin: Theme.space3 }
        spacing: Theme.space1

        IconButton {
            iconName: "sidebar"
            text: header.sidebarShown ? qsTr("Hide the chats") : qsTr("Show the chats")
            checked: header.sidebarShown
            onClicked: header.sidebarToggled()
        }

        Label {
            objectName: "chatTitle"
            text: header.desk.session.title
            font { pixelSize: Theme.bodySize; weight: Font.DemiBold }
            Layout.fillWidth: true
            Layout.leftMargin: Theme.space1
            Accessible.role: Accessible.Heading

            TapHandler { onDoubleTapped: if (header.desk.session.chatId !== 0) header.renameWanted() }
        }

        Button {
            visible: !header.inspectorShown
            flat: true
            text: header.desk.session.modelPath.length > 0 ? header.desk.model.titleOf(header.desk.session.modelPath) : qsTr("Choose a model")
            tip: qsTr("Choose the model (Ctrl+L)")
            Layout.maximumWidth: Math.min(implicitWidth, 280, header.width * 0.4)
            onClicked: header.chooserWanted()
        }

        IconButton {
            iconName: "file"
            text: header.desk.session.thread.raw ? qsTr("Show replies formatted (Ctrl+Shift+M)") : qsTr("Show replies as written (Ctrl+Shift+M)")
            checkable: true
            checked: header.desk.session.thread.raw
            onToggled: header.desk.session.thread.raw = checked
        }

        IconButton {
            iconName: "inspector"
            text: header.inspectorShown ? qsTr("Hide the inspector") : qsTr("Show the inspector")
            checked: header.inspectorShown
            onClicked: header.inspectorToggled()
        }
    }

    Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: 1; color: Theme.line }
}
