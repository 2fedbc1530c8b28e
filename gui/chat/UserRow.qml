// What the person wrote, as it was typed.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string text
    required property bool first
    required property bool last
    required property bool rightToLeft

    topGap: first ? Theme.space5 : 0

    Rectangle {
        readonly property real most: row.columnWidth * 0.86

        anchors.right: parent.right
        width: row.first && row.last ? Math.min(most, words.implicitWidth + 2 * Theme.space4) : most
        height: words.height + (row.first ? Theme.space3 : 0) + (row.last ? Theme.space3 : 0)
        radius: row.first && row.last ? Theme.cardRadius : 0
        color: Theme.selected

        SelectableText {
            id: words

            x: Theme.space4
            y: row.first ? Theme.space3 : 0
            width: Math.min(implicitWidth, row.columnWidth * 0.86 - 2 * Theme.space4)
            text: row.text
            rightToLeft: row.rightToLeft
            Accessible.name: qsTr("You: %1").arg(row.text)
        }
    }
}
