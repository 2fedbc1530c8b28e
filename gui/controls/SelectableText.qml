// Text of a message: can be selected, opens nothing by itself. Plain unless `html` is set, in which all that was written must be
// escaped; what stands between u tags is tinted and underlined.
import QtQuick
import Steelyard.Theme

TextEdit {
    id: edit

    property string html
    property bool rightToLeft: false
    readonly property string style: "<style>p { margin: 0; line-height: 110%; white-space: pre-wrap } a { color: " + Theme.accent
        + " } code { font-family: '" + Theme.monospace + "'; font-size: " + Math.round(font.pixelSize * 0.92)
        + "px; background-color: " + Theme.hover + " } u { background-color: " + Qt.alpha(Theme.warn, 0.25) + " }</style>"

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
