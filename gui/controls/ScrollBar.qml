// A thin bar that widens under the pointer; there only while the content is longer than the view.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

T.ScrollBar {
    id: control

    implicitWidth: Math.max(implicitBackgroundWidth, implicitContentWidth + leftPadding + rightPadding)
    implicitHeight: Math.max(implicitBackgroundHeight, implicitContentHeight + topPadding + bottomPadding)
    padding: 2
    minimumSize: orientation === Qt.Horizontal ? 32 / Math.max(width, 64) : 32 / Math.max(height, 64)
    visible: policy === T.ScrollBar.AlwaysOn || (policy === T.ScrollBar.AsNeeded && size < 1)
    Accessible.role: Accessible.ScrollBar
    Accessible.name: orientation === Qt.Horizontal ? qsTr("Scroll sideways") : qsTr("Scroll")

    contentItem: Rectangle {
        implicitWidth: 8
        implicitHeight: 8
        radius: 4
        color: control.pressed ? Theme.quietText : Theme.outline
        opacity: control.pressed || control.hovered ? 1 : 0.55
    }
}
