// The figures: a line for each, a column for each level. What a figure means stands in its tip.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: table

    required property var names
    required property var lines // as ReportDesk.rows
    readonly property real labelWidth: Math.min(220, width * 0.28)
    readonly property real cellWidth: (width - labelWidth - 2 * Theme.space4) / Math.max(1, names.length)

    implicitHeight: column.implicitHeight + 2 * Theme.space3
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }
    Accessible.role: Accessible.Table
    Accessible.name: qsTr("Figures")

    Column {
        id: column

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space3; leftMargin: Theme.space4; rightMargin: Theme.space4 }

        Row {
            Item { width: table.labelWidth; height: 1 }

            Repeater {
                model: table.names

                Row {
                    id: name

                    required property string modelData
                    required property int index

                    width: table.cellWidth
                    spacing: Theme.space1

                    PointMark { shape: name.index; color: Theme.accent; anchors.verticalCenter: parent.verticalCenter }
                    Label { text: name.modelData; font.weight: Font.DemiBold; width: table.cellWidth - 14 - 2 * Theme.space2 }
                }
            }
        }

        Repeater {
            model: table.lines

            Item {
                id: line

                required property var modelData

                width: column.width
                height: modelData.heads ? head.implicitHeight + Theme.space4 : cells.implicitHeight + Theme.space2
                Accessible.role: Accessible.Row
                Accessible.name: modelData.label + (modelData.heads ? "" : ": " + modelData.values.map((value, i) => table.names[i] + " " + value).join(", "))

                Label {
                    id: head

                    visible: line.modelData.heads
                    anchors { bottom: parent.bottom; bottomMargin: Theme.space1 }
                    text: line.modelData.label
                    quiet: true
                    font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
                    Accessible.ignored: true
                }

                Rectangle { visible: !line.modelData.heads; width: parent.width; height: 1; color: Theme.line }

                Row {
                    id: cells

                    visible: !line.modelData.heads
                    y: Theme.space1

                    Label {
                        text: line.modelData.label
                        width: table.labelWidth - Theme.space2
                        rightPadding: Theme.space2
                        Accessible.ignored: true

                        HoverHandler { id: pointer }
                        HoverTip { text: line.modelData.tip; shown: pointer.hovered && text.length > 0 }
                    }
                    Item { width: Theme.space2; height: 1 }

                    Repeater {
                        model: line.modelData.values

                        Column {
                            id: cell

                            required property string modelData
                            required property int index

                            width: table.cellWidth

                            Label { text: cell.modelData; width: parent.width - Theme.space2; Accessible.ignored: true }
                            Label {
                                visible: text.length > 0
                                text: line.modelData.notes[cell.index] ?? ""
                                quiet: true
                                font.pixelSize: Theme.captionSize
                                width: parent.width - Theme.space2
                                Accessible.ignored: true
                            }
                        }
                    }
                }
            }
        }
    }
}
