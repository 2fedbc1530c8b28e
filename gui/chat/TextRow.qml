// A paragraph, heading or list item of a reply.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string text
    required property string plain
    required property string marker
    required property int heading
    required property int quote
    required property int indent
    required property bool tight
    required property bool rightToLeft
    readonly property real quoteStep: Theme.space4
    readonly property real indentStep: Theme.messageSize * 1.5
    readonly property real inset: quote * quoteStep + indent * indentStep

    signal linkWanted(string address)

    topGap: tight ? Theme.space1 : heading > 0 ? Theme.space4 : Theme.space2 + 2

    Repeater {
        model: row.quote

        Rectangle {
            required property int index

            x: row.rightToLeft ? row.columnWidth - 3 - index * row.quoteStep : index * row.quoteStep
            width: 3
            height: words.height
            radius: 1.5
            color: Theme.line
        }
    }

    Label {
        visible: text.length > 0
        x: row.rightToLeft ? row.columnWidth - row.inset : row.inset - width - Theme.space1
        width: Math.max(implicitWidth, row.indentStep - Theme.space1)
        horizontalAlignment: row.rightToLeft ? Text.AlignLeft : Text.AlignRight
        text: row.marker
        quiet: true
        elide: Text.ElideNone
        font.pixelSize: Theme.messageSize
    }

    SelectableText {
        id: words

        x: row.rightToLeft ? 0 : row.inset
        width: row.columnWidth - row.inset
        html: row.text
        rightToLeft: row.rightToLeft
        color: row.quote > 0 ? Theme.quietText : Theme.text
        font {
            pixelSize: row.heading === 0 ? Theme.messageSize
                : Math.round(Theme.messageSize * [1.4, 1.25, 1.12, 1, 1, 1][row.heading - 1])
            weight: row.heading > 0 ? Font.DemiBold : Font.Normal
        }
        onLinkWanted: address => row.linkWanted(address)
        Accessible.role: row.heading > 0 ? Accessible.Heading : Accessible.Paragraph
        Accessible.name: row.marker.length > 0 ? row.marker + " " + row.plain : row.plain
    }
}
