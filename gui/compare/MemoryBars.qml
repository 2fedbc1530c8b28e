// What each level takes of the memory, on one scale.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: bars

    required property ReportDesk report
    readonly property var levels: report.bars
    readonly property real most: Math.max(1, ...levels.map(bar => bar.weightsBytes + bar.kvBytes + bar.computeBytes))

    implicitHeight: rows.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space4 }
        spacing: Theme.space2

        Label { text: qsTr("Memory"); font.weight: Font.DemiBold }

        Repeater {
            model: bars.levels

            RowLayout {
                id: row

                required property var modelData
                readonly property real total: modelData.weightsBytes + modelData.kvBytes + modelData.computeBytes

                spacing: Theme.space3
                Layout.fillWidth: true

                Label { text: row.modelData.name; Layout.preferredWidth: Math.min(200, bars.width * 0.22) }

                MemoryBar {
                    id: bar

                    totalBytes: bars.most
                    animated: false
                    description: qsTr("%1: weights %2, KV cache %3, compute buffers %4").arg(row.modelData.name).arg(bars.report.bytesText(row.modelData.weightsBytes))
                        .arg(bars.report.bytesText(row.modelData.kvBytes)).arg(bars.report.bytesText(row.modelData.computeBytes))
                    Layout.fillWidth: true
                    segments: [
                        BarSegment {
                            bytes: row.modelData.weightsBytes
                            label: qsTr("weights %1").arg(bars.report.bytesText(bytes))
                            tip: qsTr("The weights take %1.").arg(bars.report.bytesText(bytes))
                            color: Theme.weights
                            ink: Theme.weightsText
                        },
                        BarSegment {
                            bytes: row.modelData.kvBytes
                            label: qsTr("KV cache %1").arg(bars.report.bytesText(bytes))
                            tip: qsTr("The KV cache takes %1 at the full context.").arg(bars.report.bytesText(bytes))
                            color: Theme.kv
                            ink: Theme.gaugeText
                            pattern: Pattern.Dots
                            plate: true
                        },
                        BarSegment {
                            bytes: row.modelData.computeBytes
                            label: qsTr("compute %1").arg(bars.report.bytesText(bytes))
                            tip: qsTr("Buffers for the computation take %1.").arg(bars.report.bytesText(bytes))
                            color: Theme.compute
                            ink: Theme.gaugeText
                            pattern: Pattern.Vertical
                        }
                    ]
                }

                Label { text: bars.report.bytesText(row.total); horizontalAlignment: Text.AlignRight; Layout.preferredWidth: Theme.bodySize * 6 }
            }
        }
    }
}
