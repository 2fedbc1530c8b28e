// The turns: each prompt, and below it what the columns answer. The end is followed while answers come.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: view

    required property CompareDesk desk

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        ListView {
            id: list

            property bool following: true

            function keepEnd() {
                positionViewAtEnd();
                contentY = Math.max(originY, originY + contentHeight + bottomMargin - height);
            }

            objectName: "compareRounds"
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.leftMargin: Theme.space4
            Layout.rightMargin: Theme.space1 // the bar stands in the margin
            clip: true
            spacing: Theme.space4
            bottomMargin: Theme.space3
            cacheBuffer: 4000
            model: view.desk.rounds
            boundsBehavior: Flickable.StopAtBounds
            activeFocusOnTab: true
            T.ScrollBar.vertical: ScrollBar { id: scroller }
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Answers")
            onContentHeightChanged: if (following && view.desk.answering) keeper.start()
            onContentYChanged: if (moving || scroller.pressed) following = atYEnd
            Keys.onPressed: event => {
                const distance = { [Qt.Key_PageUp]: -height * 0.9, [Qt.Key_PageDown]: height * 0.9, [Qt.Key_Up]: -48, [Qt.Key_Down]: 48, [Qt.Key_Home]: -1e9, [Qt.Key_End]: 1e9 }[event.key];
                if (distance === undefined) return;
                contentY = Math.max(originY, Math.min(originY + Math.max(0, contentHeight + bottomMargin - height), contentY + distance));
                following = atYEnd;
                event.accepted = true;
            }

            Timer { id: keeper; interval: 0; onTriggered: list.keepEnd() }

            Connections {
                target: view.desk

                function onBusyChanged() {
                    if (!view.desk.answering) return;
                    list.following = true;
                    keeper.start();
                }
            }

            delegate: RoundRow {
                width: list.width - Theme.space3
                desk: view.desk
            }

            EmptyState {
                visible: list.count === 0
                anchors.centerIn: parent
                title: qsTr("Ask all of them")
                text: qsTr("One prompt below goes to every column, with the same seed. Where their answers part is marked. Open the report to measure them on a text.")
            }
        }

        VoteBar {
            visible: view.desk.votable
            desk: view.desk
            Layout.fillWidth: true
        }

        CompareComposer {
            desk: view.desk
            focus: true
            Layout.fillWidth: true
        }
    }
}
