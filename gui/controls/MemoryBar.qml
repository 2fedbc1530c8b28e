// Parts of a whole as one bar. Invariant: a part's width is its bytes over `totalBytes` of the bar's width, to the pixel; parts
// stand in the order given and animate between values. A label stands inside where it fits; the tip has it always.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: bar

    required property list<BarSegment> segments
    property real totalBytes: 0
    property bool animated: true
    property string description // the whole bar in one sentence, for screen readers
    readonly property real unit: totalBytes > 0 ? width / totalBytes : 0

    implicitHeight: 22
    implicitWidth: 300
    Accessible.role: Accessible.ProgressBar
    Accessible.name: description
    Accessible.ignored: description.length === 0

    Rectangle {
        anchors.fill: parent
        radius: 4
        color: Theme.surface
        border { width: 1; color: Theme.outline }
    }

    Row {
        anchors.fill: parent
        clip: true

        Repeater {
            id: parts

            model: bar.segments

            Item {
                id: part

                required property BarSegment modelData
                readonly property bool labelFits: label.implicitWidth + 2 * Theme.space2 <= width

                objectName: "part"
                height: bar.height
                width: Math.max(0, modelData.bytes * bar.unit)

                Binding {
                    target: part.modelData
                    property: "labelInside"
                    value: part.labelFits
                }

                Behavior on width {
                    enabled: bar.animated && Theme.motion > 0
                    NumberAnimation { duration: Theme.motion; easing.type: Easing.OutCubic }
                }

                Rectangle {
                    anchors { fill: parent; topMargin: 1; bottomMargin: 1 }
                    color: part.modelData.color
                }

                Pattern {
                    anchors { fill: parent; topMargin: 1; bottomMargin: 1 }
                    visible: part.modelData.pattern !== Pattern.Plain
                    kind: part.modelData.pattern
                    color: part.modelData.patternColor
                    spacing: part.modelData.patternSpacing
                }

                // Parts of one colour stay apart.
                Rectangle {
                    anchors.right: parent.right
                    visible: part.width > 2
                    width: 1
                    height: parent.height
                    color: Theme.surface
                }

                Rectangle {
                    anchors { fill: label; margins: -2; leftMargin: -Theme.space1; rightMargin: -Theme.space1 }
                    visible: label.visible && part.modelData.plate
                    radius: 3
                    color: Theme.surface
                }

                Text {
                    id: label

                    anchors.centerIn: parent
                    visible: part.labelFits
                    text: part.modelData.label
                    color: part.modelData.ink
                    font { family: Theme.fontFamily; pixelSize: Math.min(Theme.captionSize, Math.round(bar.height * 0.72)) }
                    textFormat: Text.PlainText
                    Accessible.ignored: true
                }

                HoverHandler { id: pointer }

                HoverTip {
                    text: part.modelData.tip
                    shown: pointer.hovered && part.width > 0
                }
            }
        }
    }

    // The frame lies over the parts, so that their corners follow it.
    Rectangle {
        anchors.fill: parent
        radius: 4
        color: "transparent"
        border { width: 1; color: Theme.outline }
    }
}
