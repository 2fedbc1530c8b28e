// Where the time of one reply went, and whether it was slow to start or slow to stream.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property var timing: ({})

    function show(timing: var) {
        sheet.timing = timing;
        open();
    }

    title: qsTr("Where the time went")
    preferredWidth: 520

    contentItem: ColumnLayout {
        spacing: Theme.space3

        RowLayout {
            spacing: Theme.space2

            Icon { name: sheet.timing.slow ? "clock" : "check"; color: sheet.timing.slow ? Theme.warn : Theme.good }
            Label { objectName: "timingVerdict"; text: sheet.timing.verdict ?? ""; font.weight: Font.DemiBold; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }

        Label {
            visible: text.length > 0
            text: sheet.timing.advice ?? ""
            wrapMode: Text.Wrap
            lineHeight: 1.3
            Layout.fillWidth: true
        }

        Column {
            Layout.fillWidth: true

            Repeater {
                model: sheet.timing.rows ?? []

                Item {
                    id: line

                    required property var modelData

                    width: parent?.width ?? 0
                    height: words.implicitHeight + 2 * Theme.space1 + 1
                    Accessible.role: Accessible.StaticText
                    Accessible.name: modelData.label + ": " + modelData.value + (modelData.note.length > 0 ? ", " + modelData.note : "")

                    Rectangle { width: parent.width; height: 1; color: Theme.line }

                    RowLayout {
                        id: words

                        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter }
                        spacing: Theme.space3

                        Label { text: line.modelData.label; Layout.preferredWidth: 190; Accessible.ignored: true }
                        Label { text: line.modelData.value; font.weight: Font.DemiBold; Layout.minimumWidth: 90; Accessible.ignored: true }
                        Label { text: line.modelData.note; quiet: true; wrapMode: Text.Wrap; font.pixelSize: Theme.captionSize; Layout.fillWidth: true; Accessible.ignored: true }
                    }
                }
            }
        }
    }
}
