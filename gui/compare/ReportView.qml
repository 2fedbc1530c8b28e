// The report: what to measure on, the verdict, the figures, plots and memory; and its files.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: view

    required property CompareDesk desk
    readonly property ReportDesk report: desk.report

    signal libraryWanted

    Flickable {
        id: flick

        objectName: "reportScroll"
        anchors.fill: parent
        contentHeight: rows.implicitHeight + Theme.space6
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}

        ColumnLayout {
            id: rows

            x: Theme.space4
            width: Math.min(1200, flick.width - 2 * Theme.space4)
            spacing: Theme.space3

            MeasureCard {
                desk: view.desk
                Layout.fillWidth: true
                Layout.topMargin: Theme.space3
            }

            VerdictCard {
                visible: view.report.hasReport
                report: view.report
                Layout.fillWidth: true
                onExportWanted: dialog.open()
                onLibraryWanted: view.libraryWanted()
            }

            ReportTable {
                visible: view.report.rows.length > 0
                names: view.report.names
                lines: view.report.rows
                Layout.fillWidth: true
            }

            ReportPlots {
                visible: view.report.qualityPoints.length > 0 || view.report.speedPoints.length > 0
                report: view.report
                Layout.fillWidth: true
            }

            MemoryBars {
                visible: view.report.bars.length > 0
                report: view.report
                Layout.fillWidth: true
            }
        }
    }

    FileDialog {
        id: dialog

        title: qsTr("Write the report")
        fileMode: FileDialog.SaveFile
        nameFilters: [qsTr("Markdown (*.md)"), qsTr("Table (*.csv)"), qsTr("All figures (*.json)"), qsTr("Picture (*.png)"), qsTr("Vector picture (*.svg)")]
        defaultSuffix: ["md", "csv", "json", "png", "svg"][selectedNameFilter.index]
        currentFile: currentFolder + "/" + encodeURIComponent(view.report.suggestedName())
        onAccepted: view.report.exportTo(selectedFile, Theme.dark)
    }
}
