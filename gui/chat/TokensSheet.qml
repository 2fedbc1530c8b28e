// The tokens of one reply, tinted by how probable they were; one of them is chosen, and what could have stood in its place is below.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property var tokens: []
    property int current: 0
    readonly property var chosen: tokens[current] ?? ({ text: "", percent: "", others: [] })

    function show(tokens: var) {
        sheet.tokens = tokens;
        sheet.current = 0;
        open();
        flick.forceActiveFocus();
    }

    title: qsTr("How sure the model was")
    preferredWidth: 720

    contentItem: ColumnLayout {
        spacing: Theme.space3

        Label {
            text: qsTr("Each piece is a token. The stronger its tint, the less probable the model found it; below one in ten it is underlined too.")
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        Rectangle {
            Layout.fillWidth: true
            Layout.preferredHeight: Math.min(300, flow.implicitHeight + 2 * Theme.space3)
            radius: Theme.controlRadius
            color: Theme.surface
            border { width: 1; color: Theme.line }

            FocusRing { shown: flick.activeFocus }

            Flickable {
                id: flick

                objectName: "tokenList"
                anchors { fill: parent; margins: 1 }
                contentHeight: flow.implicitHeight + 2 * Theme.space3
                boundsBehavior: Flickable.StopAtBounds
                clip: true
                activeFocusOnTab: true
                T.ScrollBar.vertical: ScrollBar {}
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Tokens of the reply")
                Keys.onRightPressed: sheet.current = Math.min(sheet.tokens.length - 1, sheet.current + 1)
                Keys.onLeftPressed: sheet.current = Math.max(0, sheet.current - 1)

                Flow {
                    id: flow

                    x: Theme.space3
                    y: Theme.space3
                    width: flick.width - 2 * Theme.space3

                    Repeater {
                        model: sheet.opened ? sheet.tokens : []

                        Rectangle {
                            id: piece

                            required property var modelData
                            required property int index
                            readonly property bool isCurrent: index === sheet.current

                            width: word.implicitWidth
                            height: word.implicitHeight
                            radius: 3
                            color: Qt.alpha(Theme.warn, 0.45 * (1 - modelData.share))
                            border { width: isCurrent ? 2 : 0; color: Theme.accent }
                            Accessible.role: Accessible.ListItem
                            Accessible.name: modelData.text + ", " + modelData.percent
                            onIsCurrentChanged: if (isCurrent) flick.contentY = Math.max(0, Math.min(flick.contentHeight - flick.height, y - flick.height / 2))

                            Label { id: word; text: piece.modelData.text; textFormat: Text.PlainText; topPadding: 3; bottomPadding: 3; leftPadding: 1; rightPadding: 1; Accessible.ignored: true }
                            Rectangle { visible: piece.modelData.share < 0.1; anchors.bottom: parent.bottom; width: parent.width; height: 2; color: Theme.warn }
                            TapHandler { onTapped: sheet.current = piece.index }
                            HoverHandler { id: pointer }
                            HoverTip { text: piece.modelData.percent; shown: pointer.hovered }
                        }
                    }
                }
            }
        }

        Label {
            objectName: "tokenChosen"
            text: qsTr("“%1”: %2").arg(sheet.chosen.text).arg(sheet.chosen.percent)
            textFormat: Text.PlainText
            font.weight: Font.DemiBold
            elide: Text.ElideRight
            Layout.fillWidth: true
        }

        Column {
            Layout.fillWidth: true

            Repeater {
                model: sheet.chosen.others

                RowLayout {
                    id: other

                    required property var modelData

                    width: parent?.width ?? 0
                    height: Math.max(24, Theme.bodySize * 1.8)
                    spacing: Theme.space3
                    Accessible.role: Accessible.StaticText
                    Accessible.name: modelData.text + ", " + modelData.percent + (modelData.chosen ? ", " + qsTr("chosen") : "")

                    Icon { name: "check"; size: 16; color: Theme.good; opacity: other.modelData.chosen ? 1 : 0 }
                    Label { text: other.modelData.text; textFormat: Text.PlainText; elide: Text.ElideRight; Layout.preferredWidth: 180; Accessible.ignored: true }
                    Rectangle {
                        Layout.fillWidth: true
                        Layout.preferredHeight: 6
                        radius: 3
                        color: Theme.line

                        Rectangle { width: parent.width * other.modelData.share; height: parent.height; radius: 3; color: Theme.accent }
                    }
                    Label { text: other.modelData.percent; horizontalAlignment: Text.AlignRight; Layout.preferredWidth: 90; Accessible.ignored: true }
                }
            }
        }
    }
}
