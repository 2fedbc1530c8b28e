// A table of a reply; a wide one scrolls sideways.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property int columns
    required property var cells
    required property var alignments
    required property string plain
    required property int quote
    required property int indent
    readonly property real inset: quote * Theme.space4 + indent * Theme.messageSize * 1.5

    signal linkWanted(string address)

    topGap: Theme.space3

    Flickable {
        id: view

        x: row.inset
        width: row.columnWidth - x
        height: grid.implicitHeight + (sideways.visible ? sideways.height : 0)
        contentWidth: grid.implicitWidth
        contentHeight: grid.implicitHeight
        flickableDirection: Flickable.HorizontalFlick
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        T.ScrollBar.horizontal: ScrollBar { id: sideways; policy: view.contentWidth > view.width ? T.ScrollBar.AlwaysOn : T.ScrollBar.AlwaysOff }
        Accessible.role: Accessible.Table
        Accessible.name: row.plain

        GridLayout {
            id: grid

            columns: Math.max(1, row.columns)
            columnSpacing: 0
            rowSpacing: 0

            Repeater {
                model: row.cells

                Item {
                    id: cell

                    required property int index
                    required property string modelData
                    readonly property bool isHeader: index < row.columns

                    implicitWidth: Math.min(words.implicitWidth, 320 * Theme.textScale) + 2 * Theme.space3
                    implicitHeight: words.height + 2 * Theme.space1 + 1
                    Layout.fillWidth: true
                    Layout.fillHeight: true

                    SelectableText {
                        id: words

                        x: Theme.space3
                        y: Theme.space1
                        width: cell.width - 2 * Theme.space3
                        html: cell.modelData.length > 0 ? cell.modelData : " "
                        horizontalAlignment: row.alignments[cell.index % row.columns] ?? TextEdit.AlignLeft
                        font { pixelSize: Theme.bodySize; weight: cell.isHeader ? Font.DemiBold : Font.Normal }
                        onLinkWanted: address => row.linkWanted(address)
                    }

                    Rectangle {
                        anchors.bottom: parent.bottom
                        width: parent.width
                        height: 1
                        color: cell.isHeader ? Theme.outline : Theme.line
                    }
                }
            }
        }
    }
}
