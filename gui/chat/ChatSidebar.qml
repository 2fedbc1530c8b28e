// All chats by date, and a search over their titles and texts.
import QtQuick
import QtQuick.Layouts
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

        ChatListView {
            id: list

            desk: sidebar.desk
            Layout.fillWidth: true
            Layout.fillHeight: true
            onChosen: sidebar.chosen()
            onMenuWanted: row => menu.openFor(row)
            onRenameWanted: row => rename.ask(row.chatId, row.title)

            // Here and not in the list's own file: Qt 6.4 creates headings only of components that are not bound.
            section.delegate: Item {
                id: heading

                required property string section

                width: ListView.view.width
                height: words.implicitHeight

                Label {
                    id: words

                    x: Theme.space4
                    width: heading.width - 2 * Theme.space4
                    topPadding: Theme.space3
                    bottomPadding: Theme.space1
                    text: heading.section
                    quiet: true
                    font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
                    Accessible.role: Accessible.Heading
                }
            }
        }

        RowLayout {
            visible: work.text.length > 0
            spacing: Theme.space2
            Layout.margins: Theme.space3
            Layout.topMargin: 0

            Rectangle { width: 8; height: 8; radius: 4; color: Theme.accent; Layout.leftMargin: Theme.space1 }

            Label {
                id: work

                objectName: "workStatus"
                text: sidebar.desk.work.length > 0 ? qsTr("Replies: %1").arg(sidebar.desk.work) : ""
                quiet: true
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
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
