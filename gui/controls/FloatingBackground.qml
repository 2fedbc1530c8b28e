// The ground of what floats (menus, sheets, tips): raised surface, a line, and the one shadow of the program.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Theme

Item {
    property alias radius: face.radius

    Repeater {
        model: 4

        Rectangle {
            required property int index

            anchors { fill: parent; margins: -index * 2; topMargin: 2 - index * 2; bottomMargin: -2 - index * 2 }
            radius: face.radius + index * 2
            color: "transparent"
            border { width: 2; color: Qt.alpha(Theme.shadow, Theme.shadow.a * (0.55 - index * 0.13)) }
        }
    }

    Rectangle {
        id: face

        anchors.fill: parent
        radius: Theme.cardRadius
        color: Theme.raised
        border { width: 1; color: Theme.line }
    }
}
