// Text of a message: can be selected, opens nothing by itself. Plain unless `html` is set, which must come from the Markdown
// parser.
import QtQuick
import Steelyard.Theme

TextEdit {
    id: edit

    property string html
    property bool rightToLeft: false
    readonly property string style: "<style>p { margin: 0; line-height: 110%; white-space: pre-wrap } a { color: " + Theme.accent
        + " } code { font-family: '" + Theme.monospace + "'; font-size: " + Math.round(font.pixelSize * 0.92)
        + "px; background-color: " + Theme.hover + " }</style>"

    signal linkWanted(string address)

    readOnly: true
    selectByMouse: true
    activeFocusOnPress: true
    wrapMode: TextEdit.Wrap
    textFormat: html.length > 0 ? TextEdit.RichText : TextEdit.PlainText
    text: html.length > 0 ? style + (rightToLeft ? "<p dir='rtl'>" : "<p>") + html + "</p>" : ""
    horizontalAlignment: rightToLeft ? TextEdit.AlignRight : TextEdit.AlignLeft
    color: Theme.text
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    font { family: Theme.fontFamily; pixelSize: Theme.messageSize }
    onLinkActivated: link => edit.linkWanted(link)
    onActiveFocusChanged: if (!activeFocus) deselect()
    Accessible.role: Accessible.StaticText
    Accessible.readOnly: true

    HoverHandler {
        cursorShape: edit.hoveredLink.length > 0 ? Qt.PointingHandCursor : Qt.IBeamCursor
    }
}
