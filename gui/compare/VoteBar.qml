// The vote, while names are hidden: which answer is best, or none. Names are shown as soon as it is cast.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: bar

    required property CompareDesk desk

    implicitHeight: flow.implicitHeight + 2 * Theme.space2
    color: Theme.selected
    Accessible.role: Accessible.Grouping
    Accessible.name: question.text

    RowLayout {
        id: flow

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space4 }
        spacing: Theme.space2

        Icon { name: "hidden"; size: 20; color: Theme.accent }
        Label { id: question; text: qsTr("Which answer is best?"); font.weight: Font.DemiBold; Layout.fillWidth: true }

        Repeater {
            model: bar.desk.votable ? bar.desk.columns.names : []

            Button {
                required property string modelData
                required property int index

                objectName: "vote" + index
                text: modelData
                Accessible.name: qsTr("Answer %1 is best").arg(modelData)
                onClicked: bar.desk.vote(index)
            }
        }

        Button { objectName: "voteNone"; text: qsTr("No difference"); onClicked: bar.desk.vote(-1) }
    }
}
