// The messages of the open chat. Follows a reply while it streams, until the person scrolls up.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import Qt.labs.qmlmodels
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: root

    required property ChatSession session
    readonly property real columnWidth: Math.max(240, Math.min(metrics.averageCharacterWidth * 75, width - 2 * Theme.space5))
    property alias following: list.following

    signal linkWanted(string address)
    signal whyWanted(var messageId)
    signal roomWanted(var messageId)

    function toEnd() {
        list.following = true;
        list.keepEnd();
    }

    FontMetrics { id: metrics; font { family: Theme.fontFamily; pixelSize: Theme.messageSize } }

    ListView {
        id: list

        property bool following: true

        objectName: "threadList"
        anchors.fill: parent
        focus: true
        clip: true
        model: root.session.thread
        reuseItems: true
        cacheBuffer: 600
        bottomMargin: Theme.space5
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar { id: bar }
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Messages")

        // The end is kept in sight; what the person scrolls to stays.
        onContentHeightChanged: if (following) keeper.start()
        onHeightChanged: if (following) keeper.start()
        onContentYChanged: if (moving || bar.pressed) following = atYEnd || contentHeight <= height
        function keepEnd() {
            positionViewAtEnd();
            contentY = Math.max(originY, originY + contentHeight + bottomMargin - height);
        }
        function scrollBy(distance: real) {
            contentY = Math.max(originY, Math.min(originY + Math.max(0, contentHeight + bottomMargin - height), contentY + distance));
            following = atYEnd;
        }

        Timer { id: keeper; interval: 0; onTriggered: if (list.following) list.keepEnd() } // once per change of the layout

        Keys.onPressed: event => {
            const page = height * 0.9;
            const distance = {
                [Qt.Key_PageUp]: -page, [Qt.Key_PageDown]: page, [Qt.Key_Up]: -48, [Qt.Key_Down]: 48, [Qt.Key_Home]: -1e9, [Qt.Key_End]: 1e9
            }[event.key];
            if (distance === undefined) return;
            scrollBy(distance);
            event.accepted = true;
        }

        delegate: DelegateChooser {
            role: "kind"

            DelegateChoice { roleValue: "user"; UserRow { columnWidth: root.columnWidth } }
            DelegateChoice { roleValue: "head"; HeadRow { columnWidth: root.columnWidth } }
            DelegateChoice {
                roleValue: "thought"
                ThoughtRow { columnWidth: root.columnWidth; onToggled: root.session.thread.toggleThought(messageId) }
            }
            DelegateChoice { roleValue: "thinking"; ThinkingRow { columnWidth: root.columnWidth } }
            DelegateChoice {
                roleValue: "text"
                TextRow { columnWidth: root.columnWidth; onLinkWanted: address => root.linkWanted(address) }
            }
            DelegateChoice {
                roleValue: "code"
                CodeRow { columnWidth: root.columnWidth; onCopyWanted: index => root.session.copy(root.session.thread.codeAt(index)) }
            }
            DelegateChoice {
                roleValue: "table"
                TableRow { columnWidth: root.columnWidth; onLinkWanted: address => root.linkWanted(address) }
            }
            DelegateChoice { roleValue: "rule"; RuleRow { columnWidth: root.columnWidth } }
            DelegateChoice { roleValue: "plain"; PlainRow { columnWidth: root.columnWidth } }
            DelegateChoice {
                roleValue: "foot"
                FootRow { columnWidth: root.columnWidth; session: root.session; onWhyWanted: id => root.whyWanted(id); onRoomWanted: id => root.roomWanted(id) }
            }
        }
    }

    Button {
        visible: !list.following && list.contentHeight > list.height && root.session.busy
        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.space3 }
        iconName: "chevron-down"
        text: qsTr("To the end")
        onClicked: root.toEnd()
    }

    Connections {
        target: root.session

        function onOpened() { root.toEnd(); }
        function onBusyChanged() { if (root.session.busy) root.toEnd(); }
    }
}
