// Says what was done and offers to undo it, for eight seconds; a later toast takes the place of an earlier one. Time
// stands still while the pointer or the keyboard is on it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Theme

FocusScope {
    id: toast

    property string text
    property string actionText
    property var action: null

    // `undo` is called at most once, when the person presses the button.
    function show(text: string, actionText: string, undo: var) {
        toast.text = text;
        toast.actionText = actionText;
        toast.action = undo;
        visible = true;
        timer.restart();
    }

    function dismiss() {
        visible = false;
        action = null;
    }

    visible: false
    implicitWidth: Math.min(560, row.implicitWidth + 2 * Theme.space3)
    implicitHeight: Math.max(row.implicitHeight + 2 * Theme.space1, Theme.controlHeight + Theme.space2)
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    FloatingBackground { anchors.fill: parent; radius: Theme.controlRadius }
    HoverHandler { id: pointer }

    Timer {
        id: timer

        interval: 8000
        onTriggered: pointer.hovered || toast.activeFocus ? timer.restart() : toast.dismiss()
    }

    RowLayout {
        id: row

        anchors { fill: parent; leftMargin: Theme.space3; rightMargin: Theme.space1 }
        spacing: Theme.space2

        Label { text: toast.text; Layout.fillWidth: true; Layout.preferredWidth: Math.min(implicitWidth, 380) }

        Button {
            visible: toast.actionText.length > 0
            flat: true
            text: toast.actionText
            onClicked: {
                const undo = toast.action;
                toast.dismiss();
                if (undo) undo();
            }
        }

        IconButton { iconName: "close"; text: qsTr("Dismiss"); onClicked: toast.dismiss() }
    }
}
