// A sheet over the window with a title, its content and a way out (Esc, the close button, a press outside).
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Theme

T.Dialog {
    id: control

    property real preferredWidth: 480

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(preferredWidth, (parent ? parent.width : preferredWidth) - 2 * Theme.space5)
    height: Math.min(implicitHeight, (parent ? parent.height : implicitHeight) - 2 * Theme.space5)
    implicitHeight: header.implicitHeight + contentItem.implicitHeight + topPadding + bottomPadding
                    + (footer && footer.visible ? footer.implicitHeight : 0)
    modal: true
    focus: true
    padding: Theme.space5
    topPadding: 0
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside

    T.Overlay.modal: Rectangle { color: Theme.scrim }

    header: RowLayout {
        spacing: Theme.space2

        Label {
            text: control.title
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
            wrapMode: Text.Wrap
            Layout.fillWidth: true
            Layout.margins: Theme.space5
            Layout.bottomMargin: Theme.space4
            Layout.rightMargin: 0
            Accessible.role: Accessible.Heading
        }

        IconButton {
            iconName: "close"
            text: qsTr("Close")
            Layout.rightMargin: Theme.space3
            onClicked: control.reject()
        }
    }

    background: FloatingBackground {}

    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Theme.motion; easing.type: Easing.OutCubic } }
    exit: Transition { NumberAnimation { property: "opacity"; to: 0; duration: Theme.motion; easing.type: Easing.OutCubic } }
}
