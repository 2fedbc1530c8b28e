// The columns: what each is and takes, how they will run, and a place for one more.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: bar

    required property CompareDesk desk

    signal pickWanted
    signal changeWanted(int column)
    signal levelsWanted(string path)

    implicitHeight: rows.implicitHeight + Theme.space3

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; leftMargin: Theme.space4; rightMargin: Theme.space4; topMargin: Theme.space3 }
        spacing: Theme.space2

        RowLayout {
            spacing: Theme.space2
            Layout.fillWidth: true

            Repeater {
                model: bar.desk.columns

                ColumnHead {
                    desk: bar.desk
                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    Layout.preferredWidth: 1
                    onChangeWanted: bar.changeWanted(column)
                    onLevelsWanted: bar.levelsWanted(path)
                }
            }

            IconButton {
                objectName: "addColumn"
                visible: bar.desk.columns.count < bar.desk.mostColumns
                enabled: !bar.desk.busy
                iconName: "plus"
                text: qsTr("Add or remove columns")
                Layout.alignment: Qt.AlignVCenter
                onClicked: bar.pickWanted()
            }
        }

        RowLayout {
            spacing: Theme.space2
            Layout.fillWidth: true

            Icon { name: bar.desk.inTurns ? "clock" : "memory"; size: 16; color: bar.desk.inTurns ? Theme.warn : Theme.quietText }

            Label {
                objectName: "comparePlan"
                text: bar.desk.columns.count < 2 && bar.desk.plan.length > 0 ? bar.desk.plan + " " + qsTr("Add a second column to compare.")
                    : bar.desk.plan.length > 0 ? bar.desk.plan : qsTr("What the columns take is being worked out.")
                quiet: true
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
            }

            Button {
                visible: bar.desk.loaded && !bar.desk.busy
                flat: true
                iconName: "eject"
                text: qsTr("Unload")
                tip: qsTr("Takes the columns' models out of memory; the answers stay")
                font.pixelSize: Theme.captionSize
                implicitHeight: Math.round(Theme.controlHeight * 0.8)
                onClicked: bar.desk.unload()
            }
        }
    }
}
