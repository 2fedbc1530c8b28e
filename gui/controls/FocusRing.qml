// The visible focus: a ring of two pixels just outside its parent, shown for the keyboard only.
import QtQuick
import Steelyard.Theme

Rectangle {
    required property bool shown

    anchors.fill: parent
    anchors.margins: -3
    visible: shown
    radius: Theme.controlRadius + 3
    color: "transparent"
    border { width: 2; color: Theme.accent }
}
