// Whether something fits: 1 = it fits, 2 = only just, 3 = it does not, anything else = not known and not shown.
import Steelyard.Controls

Tag {
    required property int fit
    required property string fitText // the tip

    visible: text.length > 0
    text: fit === 1 ? qsTr("fits") : fit === 2 ? qsTr("tight") : fit === 3 ? qsTr("will not fit") : ""
    tone: fit === 1 ? "good" : fit === 2 ? "warn" : "bad"
    tip: fitText
}
