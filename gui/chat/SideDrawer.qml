// A side panel over the page, where the window is too narrow to show it beside.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

T.Popup {
    id: drawer


    modal: true
    focus: true
    padding: 0
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside

    T.Overlay.modal: Rectangle { color: Theme.scrim }

    background: Rectangle { color: Theme.window }

    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.motion; easing.type: Easing.OutCubic } }
    exit: Transition { NumberAnimation { property: "opacity"; to: 0; duration: Theme.motion; easing.type: Easing.OutCubic } }
}
