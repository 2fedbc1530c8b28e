// One chat of the sidebar.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.ItemDelegate {
    id: row

    required property int index
    required property var chatId
    required property string title
    required property string excerpt
    required property string time
    required property bool pinned
    required property bool current
    required property bool hasDraft
    required property bool busy

    signal menuWanted

    width: ListView.view ? ListView.view.width : 0
    height: words.implicitHeight + 2 * Theme.space2
    text: title
    highlighted: current
    focusPolicy: Qt.NoFocus
    Accessible.role: Accessible.ListItem
    Accessible.name: title + (busy ? ", " + qsTr("replying") : "") + (hasDraft ? ", " + qsTr("draft") : "") + (pinned ? ", " + qsTr("pinned") : "")
    Accessible.description: excerpt.length > 0 ? excerpt : time
    Accessible.selected: current

    background: Rectangle {
        anchors { fill: parent; leftMargin: Theme.space2; rightMargin: Theme.space2 }
        radius: Theme.controlRadius
        color: row.current ? Theme.selected : row.hovered ? Theme.hover : "transparent"

        FocusRing { anchors.margins: -1; shown: row.ListView.isCurrentItem && (row.ListView.view?.activeFocus ?? false) }
    }

    contentItem: Item {
        Column {
            id: words

            anchors { left: parent.left; right: marks.left; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space1 }
            spacing: 2

            Item {
                width: parent.width
                height: name.implicitHeight

                Rectangle { // a reply is being made there
                    id: dot

                    visible: row.busy
                    anchors.verticalCenter: parent.verticalCenter
                    width: 8
                    height: 8
                    radius: 4
                    color: Theme.accent

                    HoverHandler { id: overDot }
                    HoverTip { text: qsTr("replying"); shown: overDot.hovered }
                }

                Label {
                    id: name

                    anchors { left: row.busy ? dot.right : parent.left; right: parent.right; leftMargin: row.busy ? Theme.space2 : 0 }
                    text: row.title
                    Accessible.ignored: true
                }
            }

            Label {
                visible: text.length > 0
                width: parent.width
                text: row.excerpt.length > 0 ? row.excerpt : row.hasDraft ? qsTr("draft") : ""
                quiet: true
                font.pixelSize: Theme.captionSize
                Accessible.ignored: true
            }
        }

        Row {
            id: marks

            anchors { right: parent.right; verticalCenter: parent.verticalCenter; rightMargin: Theme.space3 }

            Icon { visible: row.pinned && !more.visible; anchors.verticalCenter: parent.verticalCenter; name: "pin"; size: 14; color: Theme.quietText }

            IconButton {
                id: more

                visible: row.hovered || hovered
                implicitWidth: 28
                implicitHeight: 28
                iconName: "more"
                iconSize: 16
                text: qsTr("More for %1").arg(row.title)
                focusPolicy: Qt.NoFocus
                onClicked: row.menuWanted()
            }
        }
    }

    TapHandler { acceptedButtons: Qt.RightButton; onTapped: row.menuWanted() }
}
