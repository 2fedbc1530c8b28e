// One answer forced through all columns: where each would have gone another way, token by token.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: page

    required property CompareDesk desk
    property int current: 0
    property bool byRank: false
    readonly property bool hasAnswer: desk.rounds.count > 0
    readonly property SameTextView view: desk.sameText
    readonly property var shown: view.columns
    readonly property int longest: Math.max(0, ...shown.map(column => column.tokens.length))

    onLongestChanged: current = 0

    ColumnLayout {
        anchors { fill: parent; leftMargin: Theme.space4; rightMargin: Theme.space4; topMargin: Theme.space3; bottomMargin: Theme.space3 }
        spacing: Theme.space3
        visible: page.hasAnswer

        Flow {
            spacing: Theme.space2
            Layout.fillWidth: true

            Label { text: qsTr("The answer of"); quiet: true; height: Theme.controlHeight; verticalAlignment: Text.AlignVCenter }
            ComboBox { id: answerOf; label: qsTr("The answer of"); model: page.desk.columns.names; chosen: 0; onActivated: index => chosen = index }
            Label { text: qsTr("through all, measured against"); quiet: true; height: Theme.controlHeight; verticalAlignment: Text.AlignVCenter }
            ComboBox { id: reference; label: qsTr("Reference"); model: page.desk.columns.names; chosen: Math.max(0, page.desk.report.reference); onActivated: index => chosen = index }
            Button {
                objectName: "forceSameText"
                text: page.desk.busy ? qsTr("Stop") : qsTr("Read it")
                primary: !page.desk.busy
                enabled: page.desk.busy || page.desk.canRun
                tip: qsTr("Gives every column the same words and sees how probable it finds each")
                onClicked: page.desk.busy ? page.desk.stop() : page.desk.forceSameText(answerOf.chosen, reference.chosen)
            }
            SegmentRow {
                visible: page.view.filled
                label: qsTr("What the tint says")
                entries: [qsTr("Distance"), qsTr("Choice")]
                current: page.byRank ? 1 : 0
                onChosen: index => page.byRank = index === 1
            }
        }

        Flow {
            visible: page.view.filled
            spacing: Theme.space3
            Layout.fillWidth: true
            Accessible.role: Accessible.Grouping
            Accessible.name: qsTr("Legend")

            Repeater {
                model: page.byRank ? page.view.rankScale : page.view.klScale

                Row {
                    id: entry

                    required property string modelData
                    required property int index

                    spacing: Theme.space1

                    Rectangle {
                        anchors.verticalCenter: parent.verticalCenter
                        width: 22
                        height: Math.round(Theme.captionSize * 1.3)
                        radius: 3
                        color: Qt.alpha(Theme.warn, 0.16 * entry.index)
                        border { width: entry.index === 0 ? 1 : 0; color: Theme.line }

                        Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: entry.index; color: Theme.warn }
                    }
                    Label { text: entry.modelData; quiet: true; font.pixelSize: Theme.captionSize }
                }
            }
        }

        Flickable {
            id: flick

            objectName: "sameTextTokens"
            visible: page.view.filled
            contentHeight: columns.implicitHeight + Theme.space2
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            activeFocusOnTab: true
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Tokens of the answer; the arrow keys go from one to the next")
            Keys.onRightPressed: page.current = Math.min(page.longest - 1, page.current + 1)
            Keys.onLeftPressed: page.current = Math.max(0, page.current - 1)
            Keys.onPressed: event => {
                const distance = { [Qt.Key_PageUp]: -height * 0.9, [Qt.Key_PageDown]: height * 0.9, [Qt.Key_Up]: -48, [Qt.Key_Down]: 48 }[event.key];
                if (distance === undefined) return;
                contentY = Math.max(0, Math.min(Math.max(0, contentHeight - height), contentY + distance));
                event.accepted = true;
            }

            RowLayout {
                id: columns

                width: flick.width
                spacing: Theme.space2

                Repeater {
                    model: page.visible ? page.shown : []

                    SameTextColumn {
                        required property var modelData

                        column: modelData
                        current: page.current
                        byRank: page.byRank
                        focused: flick.activeFocus
                        Layout.fillWidth: true
                        Layout.preferredWidth: 1
                        Layout.alignment: Qt.AlignTop
                        onChosen: token => { page.current = token; flick.forceActiveFocus() }
                        onCurrentMoved: (top, height) => {
                            const lowest = top + height - flick.height + Theme.space4;
                            flick.contentY = Math.max(0, Math.min(Math.max(flick.contentY, lowest), Math.max(0, top - Theme.space4)));
                        }
                    }
                }

                Item { visible: page.desk.columns.count < page.desk.mostColumns; implicitWidth: Theme.controlHeight; implicitHeight: 1 }
            }
        }

        TokenDetails {
            visible: page.view.filled
            view: page.view
            current: page.current
            Layout.fillWidth: true
        }

        Item { visible: !page.view.filled; Layout.fillHeight: true; Layout.fillWidth: true

            EmptyState {
                anchors.centerIn: parent
                title: page.desk.busy ? qsTr("Reading") : qsTr("The same words for all")
                text: page.desk.busy ? qsTr("Each column reads the answer and says how probable it finds every word.")
                                     : qsTr("Free answers part after a few words and cannot be compared any further. Here one answer goes through all columns, and each word shows how far a level has moved from the reference.")
            }
        }
    }

    EmptyState {
        visible: !page.hasAnswer
        anchors.centerIn: parent
        title: qsTr("No answer yet")
        text: qsTr("Ask the columns something first; then one of their answers can be read by all.")
    }
}
