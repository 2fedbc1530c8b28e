// One part of a MemoryBar: how many bytes, how it looks, how it is called.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

QtObject {
    property real bytes: 0
    property string label            // shown inside when it fits: "weights 2.4 GB"
    property string tip              // one sentence, with the bytes
    property color color: Theme.surface
    property color ink: Theme.text   // of the label
    property int pattern: Pattern.Plain
    property color patternColor: "#40FFFFFF"
    property real patternSpacing: 7
    property bool plate: false       // the label needs a ground of its own to be read on the pattern
    property bool labelInside: false // told by the bar: there was room for the label
}
