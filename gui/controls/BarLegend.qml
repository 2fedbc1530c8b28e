// The labels that found no room inside a MemoryBar, each with a sample of its look. What does not fit here either is in the tips.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: legend

    required property var segments // of BarSegment

    implicitHeight: Math.round(Theme.captionSize * 1.35)
    clip: true

    Row {
        height: parent.height
        spacing: Theme.space3

        Repeater {
            model: legend.segments

            Item {
                id: entry

                required property BarSegment modelData

                visible: modelData.bytes > 0 && !modelData.labelInside
                opacity: x + width <= legend.width ? 1 : 0
                width: parts.implicitWidth
                height: parent.height

                Row {
                    id: parts

                    spacing: Theme.space1
                    height: parent.height

                    Rectangle {
                        anchors.verticalCenter: parent.verticalCenter
                        width: 12
                        height: 10
                        radius: 2
                        color: entry.modelData.color
                        border { width: 1; color: Theme.outline }

                        Pattern {
                            anchors.fill: parent
                            kind: entry.modelData.pattern
                            color: entry.modelData.patternColor
                            spacing: 4
                        }
                    }

                    Label {
                        anchors.verticalCenter: parent.verticalCenter
                        text: entry.modelData.label
                        quiet: true
                        font.pixelSize: Theme.captionSize
                    }
                }

                HoverHandler { id: pointer }
                HoverTip { text: entry.modelData.tip; shown: pointer.hovered }
            }
        }
    }
}
