// Shows a tool tip for its parent after a moment under the pointer or with keyboard focus; built only while shown.
import QtQuick

Loader {
    id: tip

    required property string text
    required property bool shown

    anchors.fill: parent
    active: shown && text.length > 0

    sourceComponent: ToolTip {
        text: tip.text // qmllint disable unqualified
        visible: true
    }
}
