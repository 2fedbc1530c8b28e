// What the program took on a device during the last minute, beside what was predicted.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Memory
import Steelyard.Theme

ColumnLayout {
    id: plot

    required property DeviceGauge device
    required property MemoryModel memory
    readonly property real predicted: memory.loaded && memory.measuredDevice === device.deviceId ? memory.measuredPredictionBytes : -1
    readonly property real most: Math.max(1, predicted, ...device.history)

    spacing: 2

    RowLayout {
        spacing: Theme.space2

        Label { text: qsTr("The last minute"); quiet: true; Layout.fillWidth: true; Accessible.ignored: true }
        Label {
            visible: plot.predicted > 0
            text: qsTr("dashed: predicted, %1").arg(plot.memory.bytesText(plot.predicted))
            quiet: true
            font.pixelSize: Theme.captionSize
            Accessible.ignored: true
        }
    }

    Rectangle {
        implicitHeight: 72
        radius: 4
        color: Theme.window
        border { width: 1; color: Theme.line }
        Layout.fillWidth: true
        Accessible.role: Accessible.Chart
        Accessible.name: qsTr("Memory of this program in the last minute: %1 now, %2 at most").arg(plot.memory.bytesText(plot.device.ownBytes)).arg(plot.memory.bytesText(Math.max(0, ...plot.device.history)))

        Chart {
            anchors { fill: parent; margins: 1; topMargin: Theme.space2 }
            values: plot.device.history
            span: plot.memory.historyLength
            highest: plot.most
            level: plot.predicted
            color: Theme.weights
            levelColor: Theme.quietText
        }
    }

    RowLayout {
        Label { text: qsTr("a minute ago"); quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true; Accessible.ignored: true }
        Label {
            text: qsTr("now %1").arg(plot.memory.bytesText(plot.device.ownBytes))
            quiet: true
            font.pixelSize: Theme.captionSize
            Accessible.ignored: true
        }
    }
}
