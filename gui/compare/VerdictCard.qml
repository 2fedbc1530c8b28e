// The verdict in words, what it stands on, and the way to take it elsewhere.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: card

    required property ReportDesk report

    signal exportWanted
    signal libraryWanted

    implicitHeight: rows.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space4 }
        spacing: Theme.space2

        RowLayout {
            spacing: Theme.space2

            Label {
                text: card.report.hasQuality ? qsTr("Verdict") : qsTr("Nothing was measured on a text yet")
                font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
                Layout.fillWidth: true
                Accessible.role: Accessible.Heading
            }
            Button {
                objectName: "exportReport"
                iconName: "upload"
                text: qsTr("Export…")
                tip: qsTr("Markdown, CSV, JSON, PNG or SVG")
                onClicked: card.exportWanted()
            }
        }

        Repeater {
            model: card.report.verdict

            Label {
                required property string modelData
                required property int index

                objectName: "verdict" + index
                text: modelData
                font.pixelSize: index === 0 ? Theme.messageSize : Theme.bodySize
                wrapMode: Text.Wrap
                Layout.fillWidth: true
            }
        }

        Label { visible: text.length > 0; text: card.report.basis; quiet: true; wrapMode: Text.Wrap; Layout.fillWidth: true }

        RowLayout {
            visible: card.report.referenceQuantized
            spacing: Theme.space2

            Icon { name: "info"; size: 18; color: Theme.warn }
            Label { text: qsTr("A file in F16 or BF16 of the same model would be a better reference."); wrapMode: Text.Wrap; Layout.fillWidth: true }
            Button { iconName: "library"; text: qsTr("Get it"); tip: qsTr("Opens the library, where the address of a file can be pasted"); onClicked: card.libraryWanted() }
        }
    }
}
