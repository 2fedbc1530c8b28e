// What is taken on one device, category by category, to the byte; beside it what was predicted.
import QtQuick
import QtQuick.Layouts
import Steelyard.Memory
import Steelyard.Theme

ColumnLayout {
    id: root

    required property DeviceGauge device
    required property MemoryModel memory
    readonly property real reserved: device.kvUsedBytes + device.kvCachedBytes + device.kvReservedBytes

    spacing: 0

    LedgerLine {
        title: qsTr("Weights")
        value: root.memory.bytesText(root.device.weightsBytes)
        note: root.device.residentBytes >= 0 ? qsTr("%1 of it in memory").arg(root.memory.bytesText(root.device.residentBytes)) : root.memory.exactText(root.device.weightsBytes)
        Layout.fillWidth: true
    }
    LedgerLine { title: qsTr("KV used"); value: root.memory.bytesText(root.device.kvUsedBytes); note: root.memory.exactText(root.device.kvUsedBytes); Layout.fillWidth: true }
    LedgerLine { title: qsTr("KV cached"); value: root.memory.bytesText(root.device.kvCachedBytes); note: root.memory.exactText(root.device.kvCachedBytes); Layout.fillWidth: true }
    LedgerLine { title: qsTr("KV reserved"); value: root.memory.bytesText(root.device.kvReservedBytes); note: qsTr("%1 in the pool").arg(root.memory.bytesText(root.reserved)); Layout.fillWidth: true }
    LedgerLine { title: qsTr("Compute"); value: root.memory.bytesText(root.device.computeBytes); note: root.memory.exactText(root.device.computeBytes); Layout.fillWidth: true }
    LedgerLine {
        visible: root.device.draftBytes > 0
        title: qsTr("Draft model")
        value: root.memory.bytesText(root.device.draftBytes)
        note: root.memory.exactText(root.device.draftBytes)
        Layout.fillWidth: true
    }
    LedgerLine { title: qsTr("Other programs"); value: root.memory.bytesText(root.device.otherBytes); Layout.fillWidth: true }
    LedgerLine { title: qsTr("Free"); value: root.memory.bytesText(root.device.freeBytes); note: qsTr("of %1").arg(root.memory.bytesText(root.device.totalBytes)); Layout.fillWidth: true }
}
