// One line of text. `label` names it for screen readers; a search field has `iconName: "search"`.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.TextField {
    id: control

    required property string label
    property string iconName
    property string problem // why the text is not accepted; shown as the edge's colour and told to screen readers

    implicitWidth: 200
    implicitHeight: Theme.controlHeight
    leftPadding: iconName.length > 0 ? Theme.space2 + 20 + Theme.space1 : Theme.space2 + 2
    rightPadding: Theme.space2 + 2
    verticalAlignment: TextInput.AlignVCenter
    color: Theme.text
    placeholderTextColor: Theme.quietText
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    selectByMouse: true
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
    opacity: enabled ? 1 : 0.5
    Accessible.role: Accessible.EditableText
    Accessible.name: label
    Accessible.description: problem.length > 0 ? problem : placeholderText

    Icon {
        visible: control.iconName.length > 0
        x: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        name: control.iconName
        size: 18
        color: Theme.quietText
    }

    Text {
        visible: control.length === 0 && control.preeditText.length === 0
        x: control.leftPadding
        width: control.width - control.leftPadding - control.rightPadding
        height: control.height
        verticalAlignment: Text.AlignVCenter
        text: control.placeholderText
        font: control.font
        color: control.placeholderTextColor
        elide: Text.ElideRight
        Accessible.ignored: true
    }

    background: Rectangle {
        radius: Theme.controlRadius
        color: Theme.surface
        border {
            width: control.activeFocus || control.problem.length > 0 ? 2 : 1
            color: control.problem.length > 0 ? Theme.bad : control.activeFocus ? Theme.accent : Theme.outline
        }
    }
}
