// The facts of a model file in one line.
import QtQuick
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Label {
    required property string sizeText
    required property string parametersText
    required property real bitsPerWeight
    required property int trainedContext
    required property string architecture
    required property bool baseModel
    required property bool reading
    readonly property var parts: [
        sizeText,
        parametersText.length > 0 ? qsTr("%1 parameters").arg(parametersText) : "",
        bitsPerWeight > 0 ? qsTr("%1 bits per weight").arg(Number(bitsPerWeight).toLocaleString(Theme.locale, "f", 2)) : "",
        trainedContext > 0 ? qsTr("context %1").arg(Number(trainedContext).toLocaleString(Theme.locale, "f", 0)) : "",
        architecture,
        baseModel ? qsTr("base model, continues text") : "",
        reading ? qsTr("reading") : ""
    ]

    text: parts.filter(part => part.length > 0).join(" · ")
    quiet: true
    wrapMode: Text.Wrap
}
