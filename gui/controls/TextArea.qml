// Several lines of plain text that scroll inside; grows from `minimumLines` to `maximumLines`.
import QtQuick
import QtQuick.Templates as T
import Steelyard.Theme

Rectangle {
    id: box

    required property string label
    property alias text: area.text
    property alias placeholderText: area.placeholderText
    property alias readOnly: area.readOnly
    property alias font: area.font
    property alias cursorPosition: area.cursorPosition
    property alias editor: area // for key handling and focus
    property int minimumLines: 1
    property int maximumLines: 8
    readonly property real lineHeight: metrics.height

    signal edited
    signal returnPressed(event: var) // Return or Enter; accept it to keep the line unbroken

    implicitWidth: 240
    implicitHeight: Math.ceil(Math.max(minimumLines * lineHeight, Math.min(area.contentHeight, maximumLines * lineHeight)))
                    + area.topPadding + area.bottomPadding + 4 // and the edge on both sides
    radius: Theme.controlRadius
    color: Theme.surface
    border { width: area.activeFocus ? 2 : 1; color: area.activeFocus ? Theme.accent : Theme.outline }
    opacity: enabled ? 1 : 0.5

    FontMetrics { id: metrics; font: area.font }

    Flickable {
        id: flick

        anchors { fill: parent; margins: 2 }
        clip: true
        contentWidth: width
        contentHeight: area.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}
        T.TextArea.flickable: T.TextArea {
            id: area

            leftPadding: Theme.space2
            rightPadding: Theme.space3
            topPadding: Theme.space2
            bottomPadding: Theme.space2
            implicitHeight: contentHeight + topPadding + bottomPadding
            wrapMode: TextEdit.Wrap
            textFormat: TextEdit.PlainText
            color: Theme.text
            placeholderTextColor: Theme.quietText
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            selectByMouse: true
            font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
            Accessible.role: Accessible.EditableText
            Accessible.name: box.label
            Accessible.description: placeholderText
            Accessible.multiLine: true
            // Tab leaves the field: a person who works by keyboard must not be caught in it.
            KeyNavigation.priority: KeyNavigation.BeforeItem
            Keys.onTabPressed: event => { nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason); event.accepted = true }
            Keys.onBacktabPressed: event => { nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason); event.accepted = true }
            Keys.onReturnPressed: event => { event.accepted = false; box.returnPressed(event) }
            Keys.onEnterPressed: event => { event.accepted = false; box.returnPressed(event) }
            onTextChanged: box.edited()

            Text {
                visible: area.length === 0 && area.preeditText.length === 0
                x: area.leftPadding
                y: area.topPadding
                width: area.width - area.leftPadding - area.rightPadding
                text: area.placeholderText
                font: area.font
                color: area.placeholderTextColor
                elide: Text.ElideRight
                Accessible.ignored: true
            }
        }
    }
}
