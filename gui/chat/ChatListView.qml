// The chats of the sidebar, by mouse and by keyboard.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ListView {
    id: list

    required property ChatDesk desk
    readonly property ChatListRow currentRow: currentItem as ChatListRow

    signal chosen
    signal menuWanted(row: ChatListRow)
    signal renameWanted(row: ChatListRow)

    function open(row: ChatListRow) {
        desk.openChat(row.chatId);
        chosen();
    }

    objectName: "chatList"
    model: desk.list
    clip: true
    activeFocusOnTab: true
    currentIndex: desk.list.currentRow
    boundsBehavior: Flickable.StopAtBounds
    bottomMargin: Theme.space3
    section.property: "section"
    T.ScrollBar.vertical: ScrollBar {}
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Chats")
    Keys.onReturnPressed: if (currentRow) open(currentRow)
    Keys.onEnterPressed: if (currentRow) open(currentRow)
    Keys.onDeletePressed: if (currentRow) desk.deleteChat(currentRow.chatId)
    Keys.onMenuPressed: if (currentRow) menuWanted(currentRow)
    Keys.onPressed: event => {
        if (event.key !== Qt.Key_F2 || !currentRow) return;
        renameWanted(currentRow);
        event.accepted = true;
    }

    delegate: ChatListRow {
        id: row

        onClicked: list.open(row)
        onMenuWanted: list.menuWanted(row)
    }

    Label {
        visible: list.count === 0
        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space4 }
        text: list.desk.list.searching ? qsTr("Nothing found") : qsTr("Your chats will stand here.")
        quiet: true
        wrapMode: Text.Wrap
    }
}
