// Whether a model fits this machine's memory, as predicted without a load.
import Steelyard.Controls
import Steelyard.Library

Tag {
    required property var entry // a row of the models' list

    visible: text.length > 0
    text: entry.fit === ModelFit.Fits ? qsTr("fits") : entry.fit === ModelFit.Tight ? qsTr("tight")
        : entry.fit === ModelFit.WillNotFit ? qsTr("will not fit") : ""
    tone: entry.fit === ModelFit.Fits ? "good" : entry.fit === ModelFit.Tight ? "warn" : entry.fit === ModelFit.WillNotFit ? "bad" : "plain"
    tip: entry.fitText
}
