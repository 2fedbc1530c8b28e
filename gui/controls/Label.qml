// Text of the interface in the theme's type. What does not fit ends in an ellipsis and shows itself whole in a tool tip.
import QtQuick
import Steelyard.Theme

Text {
    id: label

    property bool quiet: false

    color: quiet ? Theme.quietText : Theme.text
    font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
    linkColor: Theme.accent
    elide: wrapMode === Text.NoWrap ? Text.ElideRight : Text.ElideNone
    textFormat: Text.PlainText
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.ignored: text.length === 0

    HoverHandler { id: pointer; enabled: label.truncated }

    HoverTip {
        text: label.text
        shown: label.truncated && pointer.hovered
    }
}
