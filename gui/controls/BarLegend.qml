// The labels that found no room inside a MemoryBar, each with a sample of its look. What does not fit here either is in the tips.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: legend

    required property var segments // of BarSegment
    property bool wraps: false     // over several lines, so that all find room
    readonly property int lineHeight: Math.round(Theme.captionSize * 1.35)

    implicitHeight: wraps ? flow.implicitHeight : lineHeight
    clip: true

    Flow {
        id: flow

        width: legend.width
        spacing: Theme.space3

        Repeater {
            model: legend.segments

            Item {
                id: entry

                required property BarSegment modelData

                visible: modelData.bytes > 0 && !modelData.labelInside
                opacity: legend.wraps || (y === 0 && x + width <= legend.width) ? 1 : 0 // never half a word
                width: sample.width + Theme.space1 + Math.ceil(words.implicitWidth)
                height: legend.lineHeight

                Rectangle {
                    id: sample

                    anchors.verticalCenter: parent.verticalCenter
                    width: 14
                    height: 10
                    radius: 2
                    color: entry.modelData.color
                    border { width: 1; color: Theme.outline }

                    Pattern {
                        anchors { fill: parent; margins: 1 }
                        kind: entry.modelData.pattern
                        color: entry.modelData.patternColor
                        spacing: 4
                    }
                }

                Text {
                    id: words

                    anchors.verticalCenter: parent.verticalCenter
                    x: sample.width + Theme.space1
                    text: entry.modelData.label
                    color: Theme.quietText
                    font { family: Theme.fontFamily; pixelSize: Theme.captionSize }
                    textFormat: Text.PlainText
                    Accessible.role: Accessible.StaticText
                    Accessible.name: entry.modelData.tip
                }

                HoverHandler { id: pointer }
                HoverTip { text: entry.modelData.tip; shown: pointer.hovered }
            }
        }
    }
}
