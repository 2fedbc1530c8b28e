// The facts of a model file in one line.
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Label {
    required property var entry // a row of the models' list
    readonly property list<string> parts: [
        entry.sizeText,
        entry.parametersText.length > 0 ? qsTr("%1 parameters").arg(entry.parametersText) : "",
        entry.bitsPerWeight > 0 ? qsTr("%1 bits per weight").arg(Number(entry.bitsPerWeight).toLocaleString(Qt.locale(), "f", 2)) : "",
        entry.trainedContext > 0 ? qsTr("context %1").arg(Number(entry.trainedContext).toLocaleString(Qt.locale(), "f", 0)) : "",
        entry.architecture,
        entry.usable && !entry.hasChatTemplate ? qsTr("base model, continues text") : "",
        entry.reading ? qsTr("reading") : ""
    ]

    text: parts.filter(part => part.length > 0).join(" · ")
    quiet: true
}
