// One answer: its text with the words that others have not, what it does or why it ended, and its figures.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: card

    required property CompareAnswer answer
    required property string name
    required property bool hidden

    signal copyWanted(string text)

    implicitHeight: rows.implicitHeight + 2 * Theme.space3
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: card.answer.state === CompareAnswer.Writing ? Theme.accent : Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("Answer of %1").arg(name)

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space3 }
        spacing: Theme.space2

        RowLayout {
            spacing: Theme.space1

            Label { text: card.name; quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true }
            IconButton {
                visible: card.answer.text.length > 0
                iconName: "copy"
                iconSize: 16
                implicitWidth: 26
                implicitHeight: 26
                text: qsTr("Copy the answer of %1").arg(card.name)
                onClicked: card.copyWanted(card.answer.text)
            }
        }

        SelectableText {
            readonly property bool marked: card.answer.marked.length > 0 && !card.hidden

            objectName: "compareAnswer"
            visible: card.answer.text.length > 0
            html: marked ? card.answer.marked : ""
            text: marked ? style + "<p>" + html + "</p>" : card.answer.text
            font.pixelSize: Theme.bodySize + 1
            Layout.fillWidth: true
            Accessible.name: card.answer.text
        }

        Label {
            visible: text.length > 0
            text: card.answer.status
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        LoadBar {
            visible: card.answer.state === CompareAnswer.Loading
            label: qsTr("Loading")
            fraction: card.answer.fraction
            Layout.fillWidth: true
        }

        RowLayout {
            visible: card.answer.problem.length > 0
            spacing: Theme.space2

            Icon { name: "error"; size: 18; color: Theme.bad; Layout.alignment: Qt.AlignTop }
            Label { text: card.answer.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }

        Label {
            objectName: "compareDifference"
            visible: text.length > 0 && !card.hidden
            text: card.answer.difference
            color: Theme.warn
            font.pixelSize: Theme.captionSize
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        Rectangle { visible: figures.visible; implicitHeight: 1; color: Theme.line; Layout.fillWidth: true }

        Flow {
            id: figures

            visible: card.answer.figures.length > 0 && !card.hidden
            spacing: Theme.space3
            Layout.fillWidth: true

            Repeater {
                model: card.answer.figures

                Item {
                    id: figure

                    required property var modelData

                    implicitWidth: Math.min(words.implicitWidth, figures.width)
                    implicitHeight: words.implicitHeight
                    Accessible.role: Accessible.StaticText
                    Accessible.name: modelData.label + ": " + modelData.value

                    Column {
                        id: words

                        Label { text: figure.modelData.value; width: Math.min(implicitWidth, figures.width); Accessible.ignored: true }
                        Label { text: figure.modelData.label; quiet: true; font.pixelSize: Theme.captionSize; Accessible.ignored: true }
                    }
                    HoverHandler { id: pointer }
                    HoverTip { text: figure.modelData.tip; shown: pointer.hovered }
                }
            }
        }
    }
}
