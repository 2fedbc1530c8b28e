// A menu of MenuItem lines.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

T.Menu {
    id: control

    z: 1 // tips of what lies beneath stay beneath
    implicitWidth: Math.max(200, contentWidest + leftPadding + rightPadding)
    implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
    margins: Theme.space2
    padding: Theme.space1
    overlap: 1
    readonly property real contentWidest: {
        let widest = 0;
        for (let i = 0; i < count; ++i) widest = Math.max(widest, itemAt(i)?.implicitWidth ?? 0);
        return widest;
    }

    delegate: MenuItem {}

    contentItem: ListView {
        implicitHeight: contentHeight
        model: control.contentModel
        clip: true
        currentIndex: control.currentIndex
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}
    }

    background: FloatingBackground { radius: Theme.controlRadius }

    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.motion; easing.type: Easing.OutCubic } }
}
