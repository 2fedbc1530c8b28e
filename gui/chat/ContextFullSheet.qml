// The context is full: what would be left out so that the reply can go on, and the other ways on.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    required property ChatSession session
    property var messageId: 0
    property var going: ({})

    function ask(messageId: var) {
        sheet.messageId = messageId;
        going = session.wouldGo(messageId);
        open();
        drop.forceActiveFocus(Qt.TabFocusReason);
    }

    title: qsTr("The context is full")
    preferredWidth: Math.round(640 * Math.min(1.3, Theme.textScale))

    contentItem: ColumnLayout {
        spacing: Theme.space4

        Label {
            objectName: "wouldGoWords"
            text: qsTr("To make room, the %Ln oldest message(s) (%1) would be left out.", "", sheet.going.messages ?? 0)
                    .arg(qsTr("%Ln token(s)", "", sheet.going.tokens ?? 0))
                  + " " + qsTr("The system prompt and your last question stay. The messages stay in the chat; only the model no longer sees them. From now on this chat does so whenever it is full.")
            wrapMode: Text.Wrap
            lineHeight: 1.35
            Layout.fillWidth: true
        }

        ListView {
            id: list

            objectName: "wouldGoList"
            model: sheet.going.rows ?? []
            implicitHeight: Math.min(contentHeight, 260)
            clip: true
            activeFocusOnTab: true
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Messages that would be left out")

            delegate: Item {
                id: row

                required property var modelData

                width: ListView.view.width
                height: words.implicitHeight + 2 * Theme.space1 + 1
                Accessible.role: Accessible.ListItem
                Accessible.name: modelData.who + ": " + modelData.text

                Rectangle { width: parent.width; height: 1; color: Theme.line }

                RowLayout {
                    id: words

                    anchors { left: parent.left; right: parent.right; rightMargin: Theme.space3; verticalCenter: parent.verticalCenter }
                    spacing: Theme.space3

                    Label { text: row.modelData.who; quiet: true; Layout.preferredWidth: Math.min(140, row.width * 0.3); Accessible.ignored: true }
                    Label { text: row.modelData.text; Layout.fillWidth: true; Accessible.ignored: true }
                }
            }

            FocusRing { shown: list.activeFocus; z: 1 }
        }

        Flow {
            spacing: Theme.space2
            Layout.fillWidth: true

            Button {
                id: drop

                objectName: "dropAndContinueButton"
                primary: true
                text: qsTr("Drop them and continue")
                onClicked: {
                    sheet.accept();
                    sheet.session.dropOldest(sheet.messageId);
                }
            }

            Button {
                visible: sheet.session.longerContextLength > 0
                text: qsTr("Longer context: %1 tokens").arg(Number(sheet.session.longerContextLength).toLocaleString(Theme.locale, "f", 0))
                tip: qsTr("Loads the model again with room for more; the reply goes on where it stopped.")
                onClicked: {
                    sheet.accept();
                    sheet.session.useLongerContext(sheet.messageId);
                }
            }

            Button {
                text: qsTr("New chat from here")
                tip: qsTr("Takes the last question and the settings into a new chat.")
                onClicked: {
                    sheet.accept();
                    sheet.session.newFromHere();
                }
            }
        }
    }
}
