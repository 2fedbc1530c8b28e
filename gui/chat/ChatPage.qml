// The chat page: chats on the left, the open one in the middle, what it is made with on the right.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: page

    required property ChatDesk desk
    readonly property alias choosing: chooser.visible // the list of models is on the screen
    property bool sidebarWanted: true
    property bool inspectorWanted: true
    property real sidebarWidth: 260   // at the ordinary size of text
    property real inspectorWidth: 288
    readonly property bool wideForSidebar: width >= 820   // a window of 900, less the rail
    readonly property bool wideForInspector: width >= 1120
    readonly property bool sidebarShown: sidebarWanted && wideForSidebar
    readonly property bool inspectorShown: inspectorWanted && wideForInspector

    readonly property real panelScale: Math.min(1.3, Theme.textScale)
    readonly property real spareWidth: width - 440 - (sidebarShown ? sidebar.width : 0) - (inspectorShown ? inspector.width : 0) // of the thread

    signal libraryWanted
    signal widthsSettled

    function startSearch() {
        if (!sidebarShown) toggleSidebar();
        (sidebarShown ? sidebar : sidebarDrawer.contentItem as ChatSidebar)?.startSearch();
    }
    function newChat() {
        desk.newChat();
        composer.focusInput();
    }
    function chooseModel() { chooser.open() }
    function toggleSidebar() { if (wideForSidebar) sidebarWanted = !sidebarWanted; else sidebarDrawer.open() }
    function toggleInspector() { if (wideForInspector) inspectorWanted = !inspectorWanted; else inspectorDrawer.open() }

    Component.onCompleted: composer.focusInput()

    // Whatever has the focus; where a tool tip takes the shortcut, the key arrives here.
    Keys.onEscapePressed: event => {
        event.accepted = page.desk.session.busy;
        page.desk.session.stop();
    }
    Shortcut { sequences: ["Esc"]; enabled: page.visible && page.desk.session.busy; onActivated: page.desk.session.stop(); onActivatedAmbiguously: page.desk.session.stop() }
    Shortcut { sequences: ["Ctrl+Shift+M"]; enabled: page.visible; onActivated: page.desk.session.thread.raw = !page.desk.session.thread.raw }

    RowLayout {
        anchors.fill: parent
        spacing: 0

        ChatSidebar {
            id: sidebar

            visible: page.sidebarShown
            desk: page.desk
            Layout.preferredWidth: Math.round(page.sidebarWidth * page.panelScale)
            Layout.fillHeight: true
        }

        ColumnLayout {
            spacing: 0
            Layout.fillWidth: true
            Layout.fillHeight: true

            ChatHeader {
                desk: page.desk
                sidebarShown: page.sidebarShown
                inspectorShown: page.inspectorShown
                Layout.fillWidth: true
                onSidebarToggled: page.toggleSidebar()
                onInspectorToggled: page.toggleInspector()
                onChooserWanted: chooser.open()
                onRenameWanted: rename.ask(page.desk.session.chatId, page.desk.session.title)
            }

            ChatBanners {
                id: banners

                desk: page.desk
                Layout.fillWidth: true
            }

            Item {
                Layout.fillWidth: true
                Layout.fillHeight: true

                ThreadView {
                    id: thread

                    anchors.fill: parent
                    session: page.desk.session
                    onLinkWanted: address => link.ask(address)
                    onWhyWanted: messageId => timing.show(page.desk.session.timing(messageId))
                    onRoomWanted: messageId => room.ask(messageId)
                }

                EmptyChat {
                    visible: page.desk.session.thread.messageCount === 0
                    anchors.centerIn: parent
                    desk: page.desk
                    onLibraryWanted: page.libraryWanted()
                }

                Toast {
                    id: toast

                    objectName: "chatToast"
                    z: 1
                    anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.space2 }
                    width: Math.min(implicitWidth, parent.width - 2 * Theme.space4)
                    height: implicitHeight
                }
            }

            Composer {
                id: composer

                focus: true
                session: page.desk.session
                model: page.desk.model
                columnWidth: thread.columnWidth
                Layout.fillWidth: true
            }
        }

        Inspector {
            id: inspector

            visible: page.inspectorShown
            desk: page.desk
            Layout.preferredWidth: Math.round(page.inspectorWidth * page.panelScale)
            Layout.fillHeight: true
            onChooserWanted: chooser.open()
        }
    }

    PanelEdge {
        objectName: "sidebarEdge"
        visible: page.sidebarShown
        x: sidebar.width - Math.ceil(width / 2)
        height: page.height
        label: qsTr("Width of the list of chats")
        value: page.sidebarWidth
        standard: 260
        minimum: 200
        maximum: Math.max(minimum, Math.min(480, value + page.spareWidth / page.panelScale))
        onMoved: value => page.sidebarWidth = value
        onSettled: page.widthsSettled()
    }

    PanelEdge {
        objectName: "inspectorEdge"
        visible: page.inspectorShown
        panelOnRight: true
        x: page.width - inspector.width - Math.floor(width / 2)
        height: page.height
        label: qsTr("Width of the inspector")
        value: page.inspectorWidth
        standard: 288
        minimum: 256
        maximum: Math.max(minimum, Math.min(520, value + page.spareWidth / page.panelScale))
        onMoved: value => page.inspectorWidth = value
        onSettled: page.widthsSettled()
    }

    Connections {
        target: page.desk

        function onFailed(sentence: string) { banners.problem = sentence }
        function onChatDeleted(chatId: var, title: string) {
            toast.show(qsTr("“%1” was deleted.").arg(title), qsTr("Undo"), () => page.desk.undoDelete(chatId));
        }
    }
    Connections {
        target: page.desk.session

        function onOpened() { composer.focusInput() }
    }

    SideDrawer {
        id: sidebarDrawer

        width: 280
        height: page.height
        contentItem: ChatSidebar { desk: page.desk; onChosen: sidebarDrawer.close() }
    }
    SideDrawer {
        id: inspectorDrawer

        width: 304
        height: page.height
        x: page.width - width
        contentItem: Inspector {
            desk: page.desk
            onChooserWanted: { inspectorDrawer.close(); chooser.open(); }
        }
    }

    ModelChooser { id: chooser; desk: page.desk; onLibraryWanted: page.libraryWanted() }
    TimingSheet { id: timing }
    ContextFullSheet { id: room; session: page.desk.session }
    TokensSheet { id: tokens }
    Connections {
        target: page.desk.session
        function onTokensRead(rows: var) { tokens.show(rows); }
    }
    LinkSheet { id: link; onCopyWanted: address => page.desk.session.copy(address) }
    RenameSheet { id: rename; title: qsTr("Rename the chat"); onRenamed: (chatId, title) => page.desk.renameChat(chatId, title) }
}
