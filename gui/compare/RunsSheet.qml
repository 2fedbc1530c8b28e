// The comparisons that were run: open one again, rename it, delete it.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    required property CompareDesk desk

    signal renameWanted(var runId, string title)

    function choose(runId: var) {
        accept();
        desk.open(runId);
    }

    title: qsTr("Earlier comparisons")
    preferredWidth: 560
    onOpened: list.forceActiveFocus(Qt.TabFocusReason)

    contentItem: ColumnLayout {
        spacing: Theme.space3

        ListView {
            id: list

            objectName: "runList"
            model: sheet.desk.runs
            implicitHeight: Math.min(contentHeight, 420)
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            keyNavigationWraps: true
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: sheet.title
            Keys.onReturnPressed: if (currentIndex >= 0) sheet.choose(sheet.desk.runs.idAt(currentIndex))

            delegate: T.ItemDelegate {
                id: row

                required property var runId
                required property string title
                required property bool hasReport
                required property string time
                required property int index

                objectName: "run" + index
                width: ListView.view ? ListView.view.width : 0
                height: words.implicitHeight + 2 * Theme.space1
                text: title
                enabled: !sheet.desk.busy
                focusPolicy: Qt.NoFocus
                onClicked: sheet.choose(runId)
                Accessible.role: Accessible.ListItem
                Accessible.name: title + ", " + time

                background: Rectangle {
                    radius: Theme.controlRadius
                    color: sheet.desk.runId === row.runId ? Theme.selected : row.hovered || (list.activeFocus && row.ListView.isCurrentItem) ? Theme.hover : "transparent"
                }

                contentItem: RowLayout {
                    id: words

                    spacing: Theme.space1

                    ColumnLayout {
                        spacing: 0
                        Layout.leftMargin: Theme.space2
                        Layout.fillWidth: true

                        Label { text: row.title; Layout.fillWidth: true }
                        Label { text: row.time; quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true }
                    }
                    Tag { visible: row.hasReport; text: qsTr("report"); iconName: "chart" }
                    IconButton { iconName: "edit"; text: qsTr("Rename %1").arg(row.title); onClicked: sheet.renameWanted(row.runId, row.title) }
                    IconButton { iconName: "trash"; danger: true; text: qsTr("Delete %1").arg(row.title); onClicked: sheet.desk.runs.remove(row.runId) }
                }
            }
        }

        Label {
            visible: list.count === 0
            text: qsTr("Nothing was compared yet. What you run is kept here.")
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }
    }
}
