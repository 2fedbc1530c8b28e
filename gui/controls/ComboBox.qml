// One of a few values. `label` names it for screen readers. Items are plain strings or objects with `textRole`; an object
// with `enabled: false` cannot be chosen and shows its `note`.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.ComboBox {
    id: control

    required property string label
    property int chosen: -1 // the index that counts: it stays when the list is made anew, as by another language, or a choice is refused

    currentIndex: chosen
    onModelChanged: currentIndex = Qt.binding(() => control.chosen)
    onActivated: currentIndex = Qt.binding(() => control.chosen)

    implicitWidth: Math.max(140, implicitContentWidth + leftPadding + rightPadding)
    implicitHeight: Theme.controlHeight
    implicitContentWidthPolicy: T.ComboBox.WidestTextWhenCompleted
    leftPadding: Theme.space3
    rightPadding: Theme.space6
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
    opacity: enabled ? 1 : 0.5
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.ComboBox
    Accessible.name: label
    Accessible.description: displayText

    contentItem: Text {
        id: shownText

        text: control.displayText
        font: control.font
        color: Theme.text
        elide: Text.ElideRight
        verticalAlignment: Text.AlignVCenter
        textFormat: Text.PlainText
        Accessible.ignored: true
    }

    indicator: Icon {
        x: control.width - width - Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        name: "chevron-down"
        size: 16
        color: Theme.quietText
    }

    background: Rectangle {
        radius: Theme.controlRadius
        color: control.down ? Theme.selected : control.hovered ? Theme.hover : Theme.surface
        border { width: 1; color: Theme.outline }

        FocusRing { shown: control.visualFocus }
    }

    delegate: MenuItem {
        required property var model
        required property int index

        width: ListView.view.width
        text: model[control.textRole] ?? model.modelData
        note: model.note ?? ""
        enabled: model.enabled ?? true
        highlighted: control.highlightedIndex === index
        iconName: control.currentIndex === index ? "check" : ""
        reservesIcon: true
    }

    popup: T.Popup {
        z: 1 // above tips
        y: control.height + Theme.space1
        width: Math.max(control.width, 200)
        implicitHeight: Math.min(list.contentHeight + 2 * padding, 420)
        margins: Theme.space2
        padding: Theme.space1

        contentItem: ListView {
            id: list

            clip: true
            model: control.popup.visible ? control.delegateModel : null
            currentIndex: control.highlightedIndex
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: ScrollBar {}
        }

        background: FloatingBackground { radius: Theme.controlRadius }
    }

    HoverTip {
        text: shownText.truncated ? control.displayText : ""
        shown: control.hovered && !control.down
    }
}
