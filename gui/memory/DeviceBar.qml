// The memory of one device as a bar: what we take, what others take, what is free; while a model is only chosen, what it
// would take, hatched.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Memory
import Steelyard.Theme

ColumnLayout {
    id: root

    required property DeviceGauge device
    required property MemoryModel memory
    property alias wraps: legend.wraps
    readonly property bool predicted: memory.predictedWeightsBytes > 0
        && (memory.predictionDevice === device.deviceId || (device.systemMemory && memory.predictionDevice === "cpu"))
    readonly property real plannedBytes: predicted ? memory.predictedWeightsBytes + memory.predictedKvBytes + memory.predictedComputeBytes + memory.predictedDraftBytes : 0
    readonly property real knownBytes: device.weightsBytes + device.kvUsedBytes + device.kvCachedBytes + device.kvReservedBytes
        + device.computeBytes + device.draftBytes + Math.max(0, device.otherBytes)

    spacing: 3

    function size(bytes: real): string { return memory.bytesText(bytes) }
    function exact(bytes: real): string { return memory.exactText(bytes) }

    MemoryBar {
        id: bar

        Layout.fillWidth: true
        implicitHeight: Math.round(Theme.captionSize * 1.75)
        totalBytes: Math.max(root.device.totalBytes, root.knownBytes + root.plannedBytes, 1)
        description: qsTr("Memory of %1: %2 taken by this program, %3 by others, %4 free").arg(root.device.name)
            .arg(root.size(root.knownBytes - Math.max(0, root.device.otherBytes))).arg(root.size(root.device.otherBytes)).arg(root.size(root.device.freeBytes))
        segments: [
            BarSegment {
                bytes: root.device.weightsBytes
                label: qsTr("weights %1").arg(root.size(bytes))
                tip: root.device.residentBytes >= 0
                    ? qsTr("Weights of the model: %1, of which %2 are in memory now; the rest is read from the file when needed.").arg(root.exact(bytes)).arg(root.exact(root.device.residentBytes))
                    : qsTr("Weights of the model: %1.").arg(root.exact(bytes))
                color: Theme.weights
                ink: Theme.weightsText
            },
            BarSegment {
                bytes: root.device.kvUsedBytes
                label: qsTr("KV used %1").arg(root.size(bytes))
                tip: qsTr("KV cache that open chats use: %1; what they share counts once.").arg(root.exact(bytes))
                color: Theme.kv
                ink: Theme.gaugeText
                pattern: Pattern.Dots
            },
            BarSegment {
                bytes: root.device.kvCachedBytes
                label: qsTr("KV cached %1").arg(root.size(bytes))
                tip: qsTr("KV cache kept only so that a chat starts sooner: %1; it is freed on demand.").arg(root.exact(bytes))
                color: Qt.tint(Theme.surface, Qt.alpha(Theme.kv, 0.4))
                ink: Theme.text
                pattern: Pattern.BackHatch
                patternColor: Theme.kv
                plate: true
            },
            BarSegment {
                bytes: root.device.kvReservedBytes
                label: qsTr("KV reserved %1").arg(root.size(bytes))
                tip: qsTr("Set aside for the KV cache and still empty: %1.").arg(root.exact(bytes))
                pattern: Pattern.Hatch
                patternColor: Theme.kv
                plate: true
            },
            BarSegment {
                bytes: root.device.computeBytes
                label: qsTr("compute %1").arg(root.size(bytes))
                tip: qsTr("Buffers for the computation itself: %1.").arg(root.exact(bytes))
                color: Theme.compute
                ink: Theme.gaugeText
                pattern: Pattern.Vertical
            },
            BarSegment {
                bytes: root.device.draftBytes
                label: qsTr("draft model %1").arg(root.size(bytes))
                tip: qsTr("The smaller model that guesses ahead, with its cache: %1.").arg(root.exact(bytes))
                color: Qt.tint(Theme.surface, Qt.alpha(Theme.weights, 0.35))
                ink: Theme.text
                pattern: Pattern.BackHatch
                patternColor: Theme.weights
                plate: true
            },
            BarSegment {
                bytes: Math.max(0, root.device.otherBytes)
                label: qsTr("other programs %1").arg(root.size(bytes))
                tip: qsTr("What other programs and the system take: %1.").arg(root.exact(bytes))
                color: Theme.otherPrograms
                ink: Theme.gaugeText
                pattern: Pattern.Cross
                patternColor: "#30FFFFFF"
                patternSpacing: 11
            },
            BarSegment {
                bytes: root.predicted ? root.memory.predictedWeightsBytes : 0
                label: qsTr("weights %1").arg(root.size(bytes))
                tip: qsTr("Predicted: the weights would take %1.").arg(root.exact(bytes))
                pattern: Pattern.Hatch
                patternColor: Theme.weights
                plate: true
            },
            BarSegment {
                bytes: root.predicted ? root.memory.predictedKvBytes : 0
                label: qsTr("KV cache %1").arg(root.size(bytes))
                tip: qsTr("Predicted: the KV cache would take %1 at the full context.").arg(root.exact(bytes))
                pattern: Pattern.Hatch
                patternColor: Theme.kv
                plate: true
            },
            BarSegment {
                bytes: root.predicted ? root.memory.predictedComputeBytes : 0
                label: qsTr("compute %1").arg(root.size(bytes))
                tip: qsTr("Predicted: the computation would take %1.").arg(root.exact(bytes))
                pattern: Pattern.Hatch
                patternColor: Theme.compute
                plate: true
            },
            BarSegment {
                bytes: root.predicted ? root.memory.predictedDraftBytes : 0
                label: qsTr("draft model %1").arg(root.size(bytes))
                tip: qsTr("Predicted: the model that guesses ahead would take %1.").arg(root.exact(bytes))
                pattern: Pattern.BackHatch
                patternColor: Theme.weights
                plate: true
            },
            BarSegment {
                bytes: Math.max(0, root.device.freeBytes - root.plannedBytes)
                label: qsTr("free %1").arg(root.size(bytes))
                tip: qsTr("Free: %1 of %2.").arg(root.exact(bytes)).arg(root.exact(root.device.totalBytes))
                ink: Theme.text
            }
        ]
    }

    BarLegend {
        id: legend

        Layout.fillWidth: true
        segments: bar.segments
    }
}
