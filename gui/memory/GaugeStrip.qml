// The strip that is always there: one bar per device in use, and for a chosen model whether it fits. A click opens the
// memory panel.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Memory
import Steelyard.Theme

Rectangle {
    id: strip

    required property MemoryModel memory
    readonly property var remedies: memory.remedies
    readonly property bool planned: memory.prediction !== MemoryModel.None
    readonly property string tone: memory.prediction === MemoryModel.Fits ? "good"
                                 : memory.prediction === MemoryModel.Tight ? "warn"
                                 : memory.prediction === MemoryModel.WillNotFit || memory.prediction === MemoryModel.Failed ? "bad" : "plain"

    signal panelRequested
    signal remedyChosen(kind: string, value: string)

    implicitHeight: line.implicitHeight + 2 * Theme.space2
    color: Theme.surface

    Rectangle { width: parent.width; height: 1; color: Theme.line }

    TapHandler { onTapped: strip.panelRequested() }

    RowLayout {
        id: line

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space3; rightMargin: Theme.space2 }
        spacing: Theme.space3

        ColumnLayout {
            spacing: Theme.space1

            Repeater {
                model: strip.memory.devices

                RowLayout {
                    id: entry

                    required property DeviceGauge modelData

                    spacing: Theme.space3

                    ColumnLayout {
                        spacing: 0
                        Layout.preferredWidth: Math.round(148 * Math.min(1.4, Theme.textScale))
                        Layout.maximumWidth: Layout.preferredWidth
                        Layout.alignment: Qt.AlignTop

                        Label {
                            text: entry.modelData.name
                            Layout.fillWidth: true
                        }

                        Label {
                            text: entry.modelData.totalBytes >= 0 ? strip.memory.bytesText(entry.modelData.totalBytes) : qsTr("size unknown")
                            quiet: true
                            font.pixelSize: Theme.captionSize
                            Layout.fillWidth: true
                        }
                    }

                    DeviceBar {
                        device: entry.modelData
                        memory: strip.memory
                        Layout.fillWidth: true
                    }
                }
            }
        }

        // As many as there is room for; the memory panel has them all.
        Repeater {
            model: strip.remedies.slice(0, strip.width < 1500 ? 1 : 2)

            RemedyButton {
                onChosen: (kind, value) => strip.remedyChosen(kind, value)
            }
        }

        Tag {
            visible: strip.planned
            text: strip.memory.predictionText
            tone: strip.tone
            iconName: strip.tone === "good" ? "check" : strip.tone === "warn" ? "warning" : strip.tone === "bad" ? "error" : "clock"
            tip: strip.memory.prediction === MemoryModel.Failed ? text
               : qsTr("Prediction for the chosen model: weights %1, KV cache %2, compute %3").arg(strip.memory.bytesText(strip.memory.predictedWeightsBytes))
                   .arg(strip.memory.bytesText(strip.memory.predictedKvBytes)).arg(strip.memory.bytesText(strip.memory.predictedComputeBytes))
            Layout.maximumWidth: 280
        }

        IconButton {
            iconName: "memory"
            text: qsTr("Memory in detail")
            onClicked: strip.panelRequested()
        }
    }
}
