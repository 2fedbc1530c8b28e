// The tokens of one column, tinted by how far it is from the reference or how late a choice each was; the line below grows with it.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: box

    required property var column // as SameTextView says
    required property int current
    required property bool byRank
    required property bool focused

    signal chosen(int token)
    signal currentMoved(real top, real height)

    implicitHeight: rows.implicitHeight + 2 * Theme.space3
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    ColumnLayout {
        id: rows

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space3 }
        spacing: Theme.space2

        Label { text: box.column.name; font.weight: Font.DemiBold; Layout.fillWidth: true }
        Label { visible: text.length > 0; text: box.column.summary; quiet: true; font.pixelSize: Theme.captionSize; wrapMode: Text.Wrap; Layout.fillWidth: true }
        Label { visible: text.length > 0; text: box.column.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }

        Flow {
            id: flow

            Layout.fillWidth: true

            Repeater {
                model: box.column.tokens

                Rectangle {
                    id: piece

                    required property var modelData
                    required property int index
                    readonly property bool isCurrent: index === box.current
                    readonly property int level: box.byRank ? modelData.rankLevel : modelData.klLevel

                    width: Math.min(word.implicitWidth, flow.width)
                    height: word.implicitHeight
                    radius: 3
                    color: Qt.alpha(Theme.warn, 0.16 * level)
                    border { width: isCurrent ? (box.focused ? 2 : 1) : 0; color: Theme.accent }
                    Accessible.role: Accessible.ListItem
                    Accessible.name: modelData.text
                    onIsCurrentChanged: if (isCurrent && box.focused) box.currentMoved(mapToItem(box.parent, 0, 0).y, height)

                    Text {
                        id: word

                        width: Math.min(implicitWidth, flow.width)
                        text: piece.modelData.text
                        color: Theme.text
                        font { family: Theme.fontFamily; pixelSize: Theme.bodySize }
                        textFormat: Text.PlainText
                        elide: Text.ElideRight
                        topPadding: 3
                        bottomPadding: 4
                        leftPadding: 1
                        rightPadding: 1
                        Accessible.ignored: true
                    }
                    Rectangle { visible: piece.level > 0; anchors.bottom: parent.bottom; width: parent.width; height: piece.level; color: Theme.warn }
                    TapHandler { onTapped: box.chosen(piece.index) }
                    HoverHandler { onHoveredChanged: if (hovered && !box.focused) box.chosen(piece.index) }
                }
            }
        }
    }
}
