// The blind votes pair by pair, and what they prove.
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

    title: qsTr("Blind votes")
    preferredWidth: 640

    contentItem: ListView {
        id: list

        objectName: "voteList"
        model: sheet.desk.votes.pairs
        implicitHeight: Math.min(contentHeight, 460)
        spacing: Theme.space4
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}
        Accessible.role: Accessible.List
        Accessible.name: sheet.title

        delegate: ColumnLayout {
            id: pair

            required property var modelData
            readonly property int all: modelData.firstWins + modelData.secondWins + modelData.ties

            width: list.width - Theme.space3
            spacing: Theme.space1
            Accessible.role: Accessible.ListItem
            Accessible.name: modelData.first + " – " + modelData.second + ": " + modelData.words

            RowLayout {
                spacing: Theme.space2

                Label { text: pair.modelData.first + "  " + pair.modelData.firstWins; font.weight: Font.DemiBold; Layout.fillWidth: true; Layout.preferredWidth: 1; Accessible.ignored: true }
                Label { visible: pair.modelData.ties > 0; text: qsTr("no difference %1").arg(pair.modelData.ties); quiet: true; Accessible.ignored: true }
                Label { text: pair.modelData.secondWins + "  " + pair.modelData.second; font.weight: Font.DemiBold; horizontalAlignment: Text.AlignRight; Layout.fillWidth: true; Layout.preferredWidth: 1; Accessible.ignored: true }
            }

            Rectangle {
                id: scale

                implicitHeight: 8
                radius: 4
                color: Theme.line
                clip: true
                Layout.fillWidth: true

                Rectangle { width: parent.width * pair.modelData.firstWins / pair.all; height: parent.height; radius: 4; color: Theme.accent }
                Rectangle { anchors.right: parent.right; width: parent.width * pair.modelData.secondWins / pair.all; height: parent.height; radius: 4; color: Theme.quietText }
            }

            Label { text: pair.modelData.words; quiet: true; wrapMode: Text.Wrap; Layout.fillWidth: true; Accessible.ignored: true }
        }
    }
}
