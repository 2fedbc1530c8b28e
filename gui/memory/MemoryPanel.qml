// The ledger behind the gauges: line by line what is taken on each device, what a token costs, where memory ends, predicted
// against measured, and the last minute as a small plot.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Memory
import Steelyard.Theme

Sheet {
    id: panel

    required property MemoryModel memory

    signal remedyChosen(kind: string, value: string)

    title: qsTr("Memory")
    preferredWidth: 620

    contentItem: Flickable {
        implicitHeight: column.implicitHeight
        contentHeight: column.implicitHeight
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}

        ColumnLayout {
            id: column

            width: parent.width - Theme.space3
            spacing: Theme.space4

            Repeater {
                model: panel.memory.devices

                ColumnLayout {
                    id: entry

                    required property DeviceGauge modelData

                    spacing: Theme.space2
                    Layout.fillWidth: true

                    Label {
                        text: entry.modelData.name
                        font.weight: Font.DemiBold
                        Layout.fillWidth: true
                        Accessible.role: Accessible.Heading
                    }

                    DeviceBar {
                        wraps: true
                        device: entry.modelData
                        memory: panel.memory
                        Layout.fillWidth: true
                    }

                    DeviceLedger {
                        device: entry.modelData
                        memory: panel.memory
                        Layout.fillWidth: true
                    }

                    HistoryPlot {
                        device: entry.modelData
                        memory: panel.memory
                        Layout.fillWidth: true
                    }
                }
            }

            Label {
                visible: text.length > 0
                text: panel.memory.differenceText
                color: Theme.warn
                wrapMode: Text.Wrap
                Layout.fillWidth: true
            }

            ColumnLayout {
                visible: remedies.count > 0
                spacing: Theme.space1
                Layout.fillWidth: true

                Label {
                    text: qsTr("What helps")
                    font.weight: Font.DemiBold
                    Accessible.role: Accessible.Heading
                }

                Repeater {
                    id: remedies

                    model: panel.memory.remedies

                    RemedyButton {
                        Layout.maximumWidth: column.width
                        onChosen: (kind, value) => panel.remedyChosen(kind, value)
                    }
                }
            }

            ColumnLayout {
                visible: facts.count > 0
                spacing: 0
                Layout.fillWidth: true

                Label {
                    text: panel.memory.loaded ? qsTr("The loaded model") : qsTr("The chosen model")
                    font.weight: Font.DemiBold
                    Layout.bottomMargin: Theme.space1
                    Accessible.role: Accessible.Heading
                }

                Repeater {
                    id: facts

                    model: panel.memory.ledger

                    LedgerLine {
                        required property var modelData

                        title: modelData.title
                        value: modelData.value
                        note: modelData.note
                        Layout.fillWidth: true
                    }
                }
            }
        }
    }
}
