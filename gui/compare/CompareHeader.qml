// The comparison's name, its three views, and what goes for the whole page.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: header

    required property CompareDesk desk
    required property int tab

    signal tabChosen(int index)
    signal runsWanted
    signal votesWanted
    signal renameWanted

    implicitHeight: row.implicitHeight + 2 * Theme.space2
    color: Theme.surface

    Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: 1; color: Theme.line }

    RowLayout {
        id: row

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space3 }
        spacing: Theme.space2

        Label {
            text: header.desk.title.length > 0 ? header.desk.title : qsTr("New comparison")
            font { pixelSize: Theme.messageSize; weight: Font.DemiBold }
            Layout.fillWidth: true
            Layout.preferredWidth: 100
            Accessible.role: Accessible.Heading
        }

        IconButton {
            visible: header.desk.runId !== 0
            iconName: "edit"
            text: qsTr("Rename the comparison")
            onClicked: header.renameWanted()
        }

        SegmentRow {
            objectName: "compareTabs"
            visible: header.desk.columns.count > 0
            label: qsTr("Views of the comparison")
            current: header.tab
            entries: [qsTr("Answers"), { text: qsTr("Same text"), enabled: !header.desk.columns.hidden }, { text: qsTr("Report"), enabled: !header.desk.columns.hidden }]
            onChosen: index => header.tabChosen(index)
        }

        Item { Layout.fillWidth: true; Layout.preferredWidth: 20 }

        Switch {
            objectName: "blindSwitch"
            visible: header.desk.columns.count > 1
            text: qsTr("Blind")
            checked: header.desk.blind
            enabled: !header.desk.busy
            Accessible.description: tip.text
            onToggled: {
                header.desk.blind = checked;
                checked = Qt.binding(() => header.desk.blind);
            }

            HoverHandler { id: pointer }
            HoverTip { id: tip; text: qsTr("Names are hidden and columns shuffled until you have voted"); shown: pointer.hovered }
        }

        IconButton {
            visible: header.desk.votes.count > 0
            iconName: "check"
            text: qsTr("Votes")
            onClicked: header.votesWanted()
        }

        IconButton {
            objectName: "runsButton"
            iconName: "list"
            text: qsTr("Earlier comparisons")
            onClicked: header.runsWanted()
        }

        IconButton {
            objectName: "newComparison"
            visible: header.desk.columns.count > 0
            enabled: !header.desk.busy
            iconName: "plus"
            text: qsTr("New comparison with the same columns")
            onClicked: { header.desk.startNew(); header.tabChosen(0) }
        }
    }
}
