// All chats by date, and a search over their titles and texts.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: sidebar

    required property ChatDesk desk

    signal chosen

    function startSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason);
        search.selectAll();
    }

    Rectangle { anchors.fill: parent; color: Theme.window }

    ColumnLayout {
        anchors.fill: parent
        spacing: Theme.space2

        RowLayout {
            spacing: Theme.space1
            Layout.margins: Theme.space3
            Layout.bottomMargin: 0

            TextField {
                id: search

                objectName: "chatSearch"
                label: qsTr("Search chats")
                placeholderText: label
                iconName: "search"
                text: sidebar.desk.list.filter
                Layout.fillWidth: true
                onTextEdited: sidebar.desk.list.filter = text
                Keys.onEscapePressed: event => { event.accepted = text.length > 0; sidebar.desk.list.filter = ""; }
                Keys.onDownPressed: list.forceActiveFocus(Qt.TabFocusReason)
            }

            IconButton {
                objectName: "newChatButton"
                iconName: "plus"
                text: qsTr("New chat (Ctrl+N)")
                onClicked: { sidebar.desk.newChat(); sidebar.chosen(); }
            }
        }

        ListView {
            id: list

            objectName: "chatList"
            model: sidebar.desk.list
            clip: true
            activeFocusOnTab: true
            currentIndex: sidebar.desk.list.currentRow
            boundsBehavior: Flickable.StopAtBounds
            bottomMargin: Theme.space3
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Chats")
            Keys.onReturnPressed: if (currentItem) open(currentItem)
            Keys.onDeletePressed: if (currentItem) sidebar.desk.deleteChat((currentItem as ChatListRow).chatId)
            Keys.onMenuPressed: if (currentItem) menu.openFor(currentItem)
            Keys.onPressed: event => {
                if (event.key !== Qt.Key_F2 || !currentItem) return;
                rename.ask((currentItem as ChatListRow).chatId, (currentItem as ChatListRow).title);
                event.accepted = true;
            }

            function open(row: Item) {
                sidebar.desk.openChat((row as ChatListRow).chatId);
                sidebar.chosen();
            }

            section.property: "section"
            section.delegate: Label {
                required property string section

                x: Theme.space4
                width: ListView.view.width - 2 * Theme.space4
                topPadding: Theme.space3
                bottomPadding: Theme.space1
                text: section
                quiet: true
                font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
                Accessible.role: Accessible.Heading
            }

            delegate: ChatListRow {
                id: row

                onClicked: list.open(row)
                onMenuWanted: item => menu.openFor(row)
            }

            Label {
                visible: list.count === 0
                anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space4 }
                text: sidebar.desk.list.searching ? qsTr("Nothing found") : qsTr("Your chats will stand here.")
                quiet: true
                wrapMode: Text.Wrap
            }
        }
    }

    Rectangle { anchors.right: parent.right; width: 1; height: parent.height; color: Theme.line }

    Menu {
        id: menu

        property ChatListRow row: null

        function openFor(item: Item) {
            row = item as ChatListRow;
            popup(row, row.width - width - Theme.space2, row.height);
        }

        MenuItem { text: qsTr("Rename (F2)"); iconName: "edit"; onTriggered: rename.ask(menu.row.chatId, menu.row.title) }
        MenuItem {
            text: menu.row?.pinned ? qsTr("Unpin") : qsTr("Pin")
            iconName: "pin"
            onTriggered: sidebar.desk.list.setPinned(menu.row.chatId, !menu.row.pinned)
        }
        MenuItem { text: qsTr("Delete"); iconName: "trash"; danger: true; onTriggered: sidebar.desk.deleteChat(menu.row.chatId) }
    }

    RenameSheet {
        id: rename

        onRenamed: (chatId, title) => sidebar.desk.renameChat(chatId, title)
    }
}
