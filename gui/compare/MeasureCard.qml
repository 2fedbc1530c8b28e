// What the columns are measured on and against, and the measuring itself.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: card

    required property CompareDesk desk
    readonly property ReportDesk report: desk.report
    readonly property MeasureText source: report.text
    readonly property var windows: [32, 64, 128, 256, 512, 1024, 2048]

    implicitHeight: rows.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space4 }
        spacing: Theme.space2

        Flow {
            spacing: Theme.space2
            Layout.fillWidth: true
            enabled: !card.report.measuring

            Label { text: qsTr("Measure on"); height: Theme.controlHeight; verticalAlignment: Text.AlignVCenter }
            ComboBox {
                objectName: "measureSource"
                label: qsTr("Text")
                model: [qsTr("Sample text"), qsTr("Own text"), qsTr("A file"), qsTr("Past chats")]
                chosen: card.source.source
                onActivated: index => {
                    if (index === MeasureText.File) fileDialog.open();
                    else card.source.source = index;
                }
            }
            Button { visible: card.source.source === MeasureText.File; text: qsTr("Choose a file"); iconName: "file"; onClicked: fileDialog.open() }
            Label { text: qsTr("against"); height: Theme.controlHeight; verticalAlignment: Text.AlignVCenter }
            ComboBox {
                objectName: "measureReference"
                label: qsTr("Reference")
                textRole: "text"
                model: card.report.references
                chosen: card.report.reference
                onActivated: index => card.report.chooseReference(index)
            }
            Label { text: qsTr("in windows of"); height: Theme.controlHeight; verticalAlignment: Text.AlignVCenter }
            ComboBox {
                label: qsTr("Tokens of a window")
                implicitWidth: 100
                model: card.windows.map(tokens => Number(tokens).toLocaleString(Theme.locale, "f", 0))
                chosen: card.windows.indexOf(card.report.window)
                onActivated: index => card.report.window = card.windows[index]
            }
            Switch {
                text: qsTr("speed too")
                checked: card.report.speedToo
                onToggled: { card.report.speedToo = checked; checked = Qt.binding(() => card.report.speedToo) }
            }
        }

        TextArea {
            objectName: "ownText"
            visible: card.source.source === MeasureText.Own
            label: qsTr("Own text")
            placeholderText: qsTr("Paste a text of the kind that you work with: some pages of it")
            text: card.source.own
            minimumLines: 3
            maximumLines: 8
            enabled: !card.report.measuring
            Layout.fillWidth: true
            onEdited: card.source.own = text
        }

        Label { text: card.source.description; quiet: true; wrapMode: Text.Wrap; Layout.fillWidth: true }

        RowLayout {
            spacing: Theme.space3
            Layout.fillWidth: true

            Label {
                objectName: "measurePlan"
                visible: !card.report.measuring
                text: card.report.planProblem.length > 0 ? card.report.planProblem : card.report.plan
                color: card.report.planProblem.length > 0 ? Theme.bad : Theme.quietText
                wrapMode: Text.Wrap
                Layout.fillWidth: true
            }

            ColumnLayout {
                visible: card.report.measuring
                spacing: Theme.space1
                Layout.fillWidth: true

                Label { objectName: "measureProgress"; text: card.report.progress; Layout.fillWidth: true }
                LoadBar { label: qsTr("Measured"); fraction: card.report.fraction; Layout.fillWidth: true }
            }

            Button {
                objectName: "measureButton"
                visible: !card.report.measuring
                primary: true
                enabled: card.report.canMeasure && card.desk.canRun
                text: card.report.goesOn ? qsTr("Go on") : qsTr("Measure")
                tip: card.report.goesOn ? qsTr("What was measured before is kept") : ""
                onClicked: card.report.measure()
            }
            Button {
                objectName: "measureCancel"
                visible: card.report.measuring
                text: qsTr("Cancel")
                tip: qsTr("What is measured so far is kept")
                onClicked: card.report.cancel()
            }
        }

        RowLayout {
            visible: card.report.problem.length > 0
            spacing: Theme.space2

            Icon { name: "error"; size: 18; color: Theme.bad }
            Label { text: card.report.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }
    }

    FileDialog {
        id: fileDialog

        title: qsTr("A text to measure on")
        nameFilters: [qsTr("Text (*.txt *.md *.csv *.json *.py *.cpp *.h *.html *.log)"), qsTr("All files (*)")]
        onAccepted: card.source.chooseFile(selectedFile)
    }
}
