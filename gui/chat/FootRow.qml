// Under each message: its figures, why it stopped, and what can be done with it.
import QtQuick
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property ChatSession session
    required property var messageId
    required property bool fromUser
    required property bool live
    required property string figures
    required property string stop
    required property int stopReason
    required property int branch
    required property int branches
    required property bool lastMessage
    required property bool canGoOn
    required property bool hasTokens
    readonly property bool contextFull: stopReason === 3
    readonly property bool failed: stopReason === 5
    readonly property bool roomLeft: !contextFull || session.contextUsed + 16 < session.contextTotal

    readonly property int couldGo: contextFull && !live && lastMessage ? session.wouldGo(messageId).messages ?? 0 : 0 // messages

    signal whyWanted(var messageId)
    signal roomWanted(var messageId) // shows what would be left out

    topGap: Theme.space1

    Column {
        width: row.columnWidth
        spacing: Theme.space1

        Row {
            visible: row.failed || row.contextFull
            width: parent.width
            spacing: Theme.space2
            topPadding: Theme.space2

            Icon { name: row.failed ? "error" : "info"; color: row.failed ? Theme.bad : Theme.warn; size: 18 }

            Label {
                objectName: "replyProblem"
                width: parent.width - x
                text: !row.contextFull ? row.stop
                    : qsTr("The context is full. Nothing was dropped; the reply ends here.")
                      + (row.couldGo > 0 ? " " + qsTr("To go on, the %Ln oldest message(s) could be left out.", "", row.couldGo) : "")
                wrapMode: Text.Wrap
                lineHeight: 1.3
            }
        }

        Flow {
            visible: (row.contextFull || row.failed || row.canGoOn) && !row.live && row.lastMessage
            width: parent.width
            spacing: Theme.space2
            topPadding: Theme.space1

            Button {
                objectName: "goOnButton"
                visible: row.canGoOn && row.roomLeft
                iconName: "play"
                text: qsTr("Continue")
                tip: qsTr("The reply goes on where it stopped.")
                onClicked: row.session.goOn(row.messageId)
            }

            Button {
                objectName: "longerContextButton"
                visible: row.contextFull && !row.roomLeft && row.session.longerContextLength > 0
                text: qsTr("Longer context: %1 tokens").arg(Number(row.session.longerContextLength).toLocaleString(Theme.locale, "f", 0))
                tip: qsTr("Loads the model again with room for more; the reply goes on where it stopped.")
                onClicked: row.session.useLongerContext(row.messageId)
            }

            Button {
                objectName: "dropOldestButton"
                visible: row.couldGo > 0
                text: qsTr("Drop the oldest turns…")
                tip: qsTr("Shows what would be left out, before anything is.")
                onClicked: row.roomWanted(row.messageId)
            }

            Button {
                visible: row.contextFull
                text: qsTr("New chat from here")
                tip: qsTr("Takes the last question and the settings into a new chat.")
                onClicked: row.session.newFromHere()
            }

            Button {
                visible: row.failed
                iconName: "again"
                text: qsTr("Try again")
                onClicked: row.session.again(row.messageId)
            }
        }

        Flow {
            id: actions

            x: row.fromUser ? Theme.space2 : -Theme.space2 // the icons stand on the edge of the text
            width: parent.width
            spacing: 2
            layoutDirection: row.fromUser ? Qt.RightToLeft : Qt.LeftToRight

            FootActions {
                session: row.session
                messageId: row.messageId
                fromUser: row.fromUser
                live: row.live
                hasFigures: row.figures.length > 0
                hasTokens: row.hasTokens
                branch: row.branch
                branches: row.branches
                onWhyWanted: row.whyWanted(row.messageId)
            }

            Label {
                objectName: "replyFigures"
                visible: text.length > 0
                height: Theme.controlHeight
                leftPadding: Theme.space2
                verticalAlignment: Text.AlignVCenter
                text: row.stop.length > 0 && !row.failed ? (row.figures.length > 0 ? row.figures + " · " + row.stop : row.stop) : row.figures
                quiet: true
                font.pixelSize: Theme.captionSize
            }
        }
    }
}
