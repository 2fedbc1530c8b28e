// A few views of one thing, of which one is shown. Entries are texts, or maps of `text` and `enabled`; arrow keys go along.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: row

    required property var entries
    required property string label
    property int current: 0

    signal chosen(int index)

    implicitWidth: segments.implicitWidth + 6
    implicitHeight: Theme.controlHeight
    radius: Theme.controlRadius
    color: Theme.window
    border { width: 1; color: Theme.line }
    Accessible.role: Accessible.PageTabList
    Accessible.name: label

    Row {
        id: segments

        anchors.centerIn: parent
        spacing: 2

        Repeater {
            model: row.entries

            T.AbstractButton {
                id: segment

                required property var modelData
                required property int index
                readonly property bool isCurrent: row.current === index

                text: modelData.text ?? modelData
                enabled: modelData.enabled ?? true
                width: caption.implicitWidth + 2 * Theme.space3
                height: row.height - 6
                opacity: enabled ? 1 : 0.5
                focusPolicy: Qt.StrongFocus
                Accessible.role: Accessible.PageTab
                Accessible.name: text
                Accessible.selected: isCurrent
                onClicked: row.chosen(index)
                Keys.onReturnPressed: row.chosen(index)
                Keys.onEnterPressed: row.chosen(index)
                Keys.onRightPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onLeftPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)

                contentItem: Text {
                    id: caption

                    text: segment.text
                    color: segment.isCurrent ? Theme.text : Theme.quietText
                    font { family: Theme.fontFamily; pixelSize: Theme.bodySize; weight: segment.isCurrent ? Font.DemiBold : Font.Normal }
                    horizontalAlignment: Text.AlignHCenter
                    verticalAlignment: Text.AlignVCenter
                    textFormat: Text.PlainText
                    Accessible.ignored: true
                }

                background: Rectangle {
                    radius: Theme.controlRadius - 2
                    color: segment.isCurrent ? Theme.raised : segment.hovered ? Theme.hover : "transparent"
                    border { width: segment.isCurrent ? 1 : 0; color: Theme.line }

                    Rectangle {
                        visible: segment.isCurrent
                        anchors { bottom: parent.bottom; horizontalCenter: parent.horizontalCenter }
                        width: parent.width - 2 * Theme.space2
                        height: 2
                        radius: 1
                        color: Theme.accent
                    }

                    FocusRing { shown: segment.visualFocus }
                }
            }
        }
    }
}
