// One turn: the prompt, and an answer of each column side by side.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: round

    required property string prompt
    required property var answers
    required property CompareDesk desk

    spacing: Theme.space2

    RowLayout {
        spacing: Theme.space2
        Layout.fillWidth: true
        Layout.topMargin: Theme.space2

        Rectangle { implicitWidth: 3; radius: 1.5; color: Theme.accent; Layout.fillHeight: true }

        SelectableText {
            text: round.prompt
            font.pixelSize: Theme.messageSize
            Layout.fillWidth: true
            Accessible.name: qsTr("Prompt: %1").arg(text)
        }
    }

    RowLayout {
        spacing: Theme.space2
        Layout.fillWidth: true

        Repeater {
            model: round.answers

            AnswerCard {
                required property var modelData
                required property int index

                answer: modelData
                name: round.desk.columns.names[index] ?? ""
                hidden: round.desk.columns.hidden
                Layout.fillWidth: true
                Layout.fillHeight: true
                Layout.preferredWidth: 1
                onCopyWanted: text => round.desk.copy(text)
            }
        }

        // As wide as the button beside the columns' heads, so that answers stand under them.
        Item { visible: round.desk.columns.count < round.desk.mostColumns; implicitWidth: Theme.controlHeight; implicitHeight: 1 }
    }
}
