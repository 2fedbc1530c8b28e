// Whether a model fits this machine's memory, as predicted without a load.
import Steelyard.Controls
import Steelyard.Library

Tag {
    required property int fit // a ModelFit
    required property string fitText

    visible: text.length > 0
    text: fit === ModelFit.Fits ? qsTr("fits") : fit === ModelFit.Tight ? qsTr("tight")
        : fit === ModelFit.WillNotFit ? qsTr("will not fit") : ""
    tone: fit === ModelFit.Fits ? "good" : fit === ModelFit.Tight ? "warn" : fit === ModelFit.WillNotFit ? "bad" : "plain"
    tip: fitText
}
