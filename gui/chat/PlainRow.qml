// A part of a reply as it was written: raw text, raw HTML, or what no one would want drawn.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string text
    required property bool first
    required property bool rightToLeft

    topGap: first ? Theme.space2 + 2 : 0

    SelectableText {
        width: row.columnWidth
        text: row.text
        rightToLeft: row.rightToLeft
        font { family: Theme.monospace; pixelSize: Theme.codeSize }
        Accessible.name: row.text
    }
}
