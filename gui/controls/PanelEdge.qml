// The edge between a side panel and what lies beside it: drag it, or press the arrow keys, to make the panel wider or narrower;
// a double click gives it its usual width again. `moved` tells the wish, within the limits; `settled` its end.
import QtQuick
import Steelyard.Theme

Item {
    id: edge

    required property string label
    required property real value    // the panel's width now
    required property real standard
    required property real minimum
    required property real maximum
    property bool panelOnRight: false

    signal moved(real value)
    signal settled

    function wish(width: real) { edge.moved(Math.max(minimum, Math.min(maximum, Math.round(width)))) }
    function step(distance: real) {
        wish(value + (panelOnRight ? -distance : distance));
        edge.settled();
    }

    implicitWidth: 9
    activeFocusOnTab: true
    Accessible.role: Accessible.Slider
    Accessible.name: label
    Accessible.focusable: true
    Keys.onLeftPressed: step(-Theme.space4)
    Keys.onRightPressed: step(Theme.space4)

    Rectangle {
        anchors.centerIn: parent
        visible: area.containsMouse || area.pressed || edge.activeFocus
        width: 3
        height: parent.height
        color: Theme.accent
    }

    MouseArea {
        id: area

        property real grip // from the pointer to the panel's width

        anchors.fill: parent
        hoverEnabled: true
        preventStealing: true
        cursorShape: Qt.SplitHCursor
        onPressed: mouse => grip = edge.value - (edge.panelOnRight ? -1 : 1) * mapToItem(null, mouse.x, 0).x
        onPositionChanged: mouse => { if (pressed) edge.wish(grip + (edge.panelOnRight ? -1 : 1) * mapToItem(null, mouse.x, 0).x); }
        onReleased: edge.settled()
        onDoubleClicked: { edge.wish(edge.standard); edge.settled(); }
    }
}
