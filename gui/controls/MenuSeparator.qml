// A line between groups of a menu.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

T.MenuSeparator {
    implicitWidth: 120
    implicitHeight: 9
    Accessible.role: Accessible.Separator

    contentItem: Item {
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width
            height: 1
            color: Theme.line
        }
    }
}
