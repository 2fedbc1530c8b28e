// How far something is, as a thin bar.
import QtQuick
import Steelyard.Theme

Rectangle {
    id: bar

    required property real fraction
    required property string label

    implicitHeight: 6
    radius: 3
    color: Theme.line
    Accessible.role: Accessible.ProgressBar
    Accessible.name: label + ": " + Math.round(fraction * 100) + " %"

    Rectangle {
        width: Math.max(parent.height, parent.width * Math.max(0, Math.min(1, bar.fraction)))
        height: parent.height
        radius: 3
        color: Theme.accent
    }
}
