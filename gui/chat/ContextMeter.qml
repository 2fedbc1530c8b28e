// How full the context is: what the chat takes, and about what the draft will add.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: meter

    required property int used
    required property int draft
    required property int total
    readonly property real share: total > 0 ? Math.min(1, (used + draft) / total) : 0
    readonly property string words: qsTr("context %1 %").arg(Math.round(share * 100))
    readonly property string exact: draft > 0
        ? qsTr("%1 of %2 tokens, and about %3 in the draft").arg(number(used)).arg(number(total)).arg(number(draft))
        : qsTr("%1 of %2 tokens").arg(number(used)).arg(number(total))

    function number(value: int): string { return Number(value).toLocaleString(Theme.locale, "f", 0) }

    visible: total > 0
    implicitWidth: row.implicitWidth
    implicitHeight: row.implicitHeight
    Accessible.role: Accessible.ProgressBar
    Accessible.name: words
    Accessible.description: exact

    Row {
        id: row

        anchors.right: parent.right // with the edge of the input, whatever the words are
        spacing: Theme.space2

        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: 72
            height: 6
            radius: 3
            color: Theme.line

            Rectangle {
                width: meter.total > 0 ? Math.max(meter.used > 0 ? 3 : 0, parent.width * Math.min(1, meter.used / meter.total)) : 0
                height: 6
                radius: 3
                color: meter.share >= 0.9 ? Theme.warn : Theme.accent
            }

            Rectangle {
                x: parent.width * Math.min(1, meter.used / Math.max(1, meter.total))
                width: Math.min(parent.width - x, parent.width * meter.draft / Math.max(1, meter.total))
                height: 6
                radius: 3
                color: Theme.outline
            }
        }

        Label {
            text: meter.share >= 0.9 ? qsTr("%1, nearly full").arg(meter.words) : meter.words
            quiet: meter.share < 0.9
            color: meter.share >= 0.9 ? Theme.warn : Theme.quietText
            font.pixelSize: Theme.captionSize
            Accessible.ignored: true
        }
    }

    HoverHandler { id: pointer }
    HoverTip { text: meter.exact; shown: pointer.hovered }
}
