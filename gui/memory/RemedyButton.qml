// One way out where a model does not fit: what to do, and what it leads to.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls

Button {
    required property var modelData

    signal chosen(kind: string, value: string)

    objectName: "remedyButton"
    text: qsTr("%1 · %2").arg(modelData.text).arg(modelData.outcome)
    tip: qsTr("The prediction for it: %1").arg(modelData.outcome)
    Layout.maximumWidth: 300
    onClicked: chosen(modelData.kind, modelData.value)
}
