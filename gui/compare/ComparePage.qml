// Columns side by side: what they answer, the same text through all of them, and the report.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: page

    objectName: "comparePage"
    required property CompareDesk desk
    readonly property bool fitWanted: picker.opened // what fits is to be known
    property int tab: 0 // 0 answers, 1 the same text, 2 the report
    readonly property bool hasColumns: desk.columns.count > 0

    signal libraryWanted

    function startSearch() { picker.openFor() }

    Binding { target: page.desk.report; property: "wanted"; value: page.visible && page.tab === 2 }
    Keys.onEscapePressed: event => { event.accepted = page.desk.busy; page.desk.stop() }

    Connections {
        target: page.desk

        function onFailed(sentence) { toast.show(sentence, "", null) }
        function onVoted(words) { toast.show(words, qsTr("Votes"), () => votes.open()) }
        function onOpened() { page.tab = page.desk.rounds.count > 0 ? 0 : 2 }
    }
    Connections {
        target: page.desk.runs

        function onRemoved(id, title) { toast.show(qsTr("%1 is deleted.").arg(title), qsTr("Undo"), () => page.desk.runs.undoRemove(id)) }
    }
    Connections {
        target: page.desk.maker

        function onMade(path, title) { toast.show(qsTr("%1 is made.").arg(title), "", null) }
    }
    Connections {
        target: page.desk.report

        function onExported(file) { toast.show(qsTr("Written to %1.").arg(file), "", null) }
    }

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        CompareHeader {
            id: header

            desk: page.desk
            tab: page.tab
            Layout.fillWidth: true
            onTabChosen: index => page.tab = index
            onRunsWanted: runs.open()
            onVotesWanted: votes.open()
            onRenameWanted: rename.ask(page.desk.runId, page.desk.title)
        }

        Banner {
            visible: page.desk.problem.length > 0
            text: page.desk.problem
            tone: "bad"
            closable: false
            Layout.fillWidth: true
        }

        Banner {
            visible: page.desk.chatModel.length > 0 && page.hasColumns
            text: qsTr("The chat's model %1 takes room that the columns could use.").arg(page.desk.chatModel)
            tone: "info"
            actionText: qsTr("Unload it")
            closable: false
            Layout.fillWidth: true
            onActed: page.desk.unloadChatModel()
        }

        ColumnBar {
            id: bar

            visible: page.hasColumns
            desk: page.desk
            Layout.fillWidth: true
            onPickWanted: picker.openFor()
            onChangeWanted: column => columnSheet.show(column)
            onLevelsWanted: path => levels.show(path)
        }

        AnswersView {
            visible: page.hasColumns && page.tab === 0
            focus: visible
            desk: page.desk
            Layout.fillWidth: true
            Layout.fillHeight: true
        }

        SameTextPage {
            visible: page.hasColumns && page.tab === 1
            desk: page.desk
            Layout.fillWidth: true
            Layout.fillHeight: true
        }

        ReportView {
            visible: page.hasColumns && page.tab === 2
            desk: page.desk
            Layout.fillWidth: true
            Layout.fillHeight: true
            onLibraryWanted: page.libraryWanted()
        }

        Item {
            visible: !page.hasColumns
            Layout.fillWidth: true
            Layout.fillHeight: true

            EmptyState {
                anchors.centerIn: parent
                iconName: "compare"
                title: qsTr("Which quantization is good enough?")
                text: qsTr("Choose two to four models or quantizations of one model. They get the same prompt, side by side, and a report says what each level costs and what it saves.")
                actionText: qsTr("Choose columns")
                onActed: picker.openFor()

                Button {
                    visible: page.desk.runs.count > 0
                    text: qsTr("Open an earlier one")
                    onClicked: runs.open()
                }
            }
        }
    }

    Toast {
        id: toast

        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.space5 }
    }

    ModelPicker {
        id: picker

        desk: page.desk
        onLibraryWanted: page.libraryWanted()
        onLevelsWanted: path => levels.show(path)
    }
    ColumnSheet { id: columnSheet; desk: page.desk }
    LevelSheet { id: levels; desk: page.desk }
    RunsSheet { id: runs; desk: page.desk; onRenameWanted: (runId, title) => rename.ask(runId, title) }
    VotesSheet { id: votes; desk: page.desk }
    RenameSheet { id: rename; title: qsTr("Rename the comparison"); onRenamed: (runId, title) => page.desk.runs.rename(runId, title) }
}
