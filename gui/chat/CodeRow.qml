// A block of code, or a part of a long one: scrolls sideways, has its language and a copy button.
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property int index
    required property string text
    required property string language
    required property bool first
    required property bool last
    required property int quote
    required property int indent
    readonly property real inset: quote * Theme.space4 + indent * Theme.messageSize * 1.5

    signal copyWanted(int index)

    topGap: first ? Theme.space2 + 2 : 0

    Rectangle {
        id: box

        x: row.inset
        width: row.columnWidth - x
        height: (row.first ? bar.height : 0) + view.height + (row.last ? Theme.space2 : 0)
        color: Theme.surface
        radius: row.first && row.last ? Theme.controlRadius : 0
        border { width: row.first && row.last ? 1 : 0; color: Theme.line }

        Rectangle { visible: row.first !== row.last || !row.first; width: 1; height: parent.height; color: Theme.line }
        Rectangle { visible: row.first !== row.last || !row.first; x: parent.width - 1; width: 1; height: parent.height; color: Theme.line }
        Rectangle { visible: row.first && !row.last; width: parent.width; height: 1; color: Theme.line }
        Rectangle { visible: row.last && !row.first; y: parent.height - 1; width: parent.width; height: 1; color: Theme.line }

        RowLayout {
            id: bar

            visible: row.first
            height: Theme.controlHeight
            anchors { left: parent.left; right: parent.right; leftMargin: Theme.space3; rightMargin: Theme.space1 }

            Label {
                text: row.language.length > 0 ? row.language : qsTr("code")
                quiet: true
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
            }

            IconButton {
                iconName: copied.running ? "check" : "copy"
                iconSize: 16
                text: copied.running ? qsTr("Copied") : qsTr("Copy the code")
                onClicked: {
                    row.copyWanted(row.index);
                    copied.restart();
                }

                Timer { id: copied; interval: 1500 }
            }
        }

        Flickable {
            id: view

            y: row.first ? bar.height : 0
            x: Theme.space3
            width: parent.width - 2 * Theme.space3
            height: code.implicitHeight + (sideways.visible ? sideways.height : 0)
            contentWidth: code.implicitWidth
            contentHeight: code.implicitHeight
            flickableDirection: Flickable.HorizontalFlick
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            T.ScrollBar.horizontal: ScrollBar { id: sideways; policy: view.contentWidth > view.width ? T.ScrollBar.AlwaysOn : T.ScrollBar.AlwaysOff }

            SelectableText {
                id: code

                text: row.text
                wrapMode: TextEdit.NoWrap
                font { family: Theme.monospace; pixelSize: Theme.codeSize }
                Accessible.name: qsTr("Code: %1").arg(row.text)
            }
        }
    }
}
