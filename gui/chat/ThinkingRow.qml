// A part of the text of a reasoning, beside a line that tells it from the answer.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string text
    required property bool first
    required property bool rightToLeft

    topGap: first ? Theme.space1 : 0

    Rectangle {
        width: 2
        height: words.height
        color: Theme.line
    }

    SelectableText {
        id: words

        x: Theme.space4
        width: row.columnWidth - x
        text: row.text
        rightToLeft: row.rightToLeft
        color: Theme.quietText
        font.pixelSize: Theme.bodySize
        Accessible.name: qsTr("Reasoning: %1").arg(row.text)
    }
}
