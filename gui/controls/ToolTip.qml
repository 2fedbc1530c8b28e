// A sentence beside what it explains. Floats above everything, wraps at 320 px.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

T.ToolTip {
    id: control

    x: parent ? Math.round((parent.width - implicitWidth) / 2) : 0
    y: parent ? parent.height + Theme.space1 : 0
    implicitWidth: Math.min(320, metrics.implicitWidth + leftPadding + rightPadding + 1)
    implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
    padding: Theme.space2
    margins: Theme.space2
    delay: 600
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutsideParent | T.Popup.CloseOnReleaseOutsideParent

    Text {
        id: metrics

        visible: false
        text: control.text
        font: label.font
    }

    contentItem: Text {
        id: label

        text: control.text
        wrapMode: Text.Wrap
        color: Theme.text
        font { family: Theme.fontFamily; pixelSize: Theme.captionSize }
        Accessible.ignored: true
    }

    background: FloatingBackground { radius: Theme.controlRadius }

    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.motion; easing.type: Easing.OutCubic } }
}
