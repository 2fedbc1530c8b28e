// All shortcuts, by F1.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    required property var pages // of PageEntry

    title: qsTr("Shortcuts")
    preferredWidth: 460

    readonly property var rows: [
        { keys: qsTr("Enter"), what: qsTr("Send the message") },
        { keys: qsTr("Shift+Enter"), what: qsTr("New line in the message") },
        { keys: qsTr("Esc"), what: qsTr("Stop the reply; close what is open") },
        { keys: qsTr("Ctrl+N"), what: qsTr("New chat") },
        { keys: qsTr("Ctrl+K"), what: qsTr("Search") },
        { keys: qsTr("Ctrl+L"), what: qsTr("Choose the model") },
        { keys: qsTr("Ctrl+M"), what: qsTr("Memory in detail") },
        { keys: qsTr("Ctrl+,"), what: qsTr("Settings") },
        { keys: qsTr("Ctrl+1 to Ctrl+%1").arg(pages.length), what: qsTr("Places, in the order of the rail") },
        { keys: qsTr("F1"), what: qsTr("This list") },
        { keys: qsTr("Ctrl+Q"), what: qsTr("Quit") }
    ]

    contentItem: Flickable {
        implicitHeight: list.implicitHeight
        contentHeight: list.implicitHeight
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}

        ColumnLayout {
            id: list

            width: parent.width
            spacing: Theme.space2

            Repeater {
                model: sheet.rows

                RowLayout {
                    id: line

                    required property var modelData

                    spacing: Theme.space3
                    Layout.fillWidth: true

                    Item {
                        implicitHeight: keys.implicitHeight
                        Layout.preferredWidth: Math.round(Theme.bodySize * 11)

                        Tag {
                            id: keys

                            text: line.modelData.keys
                        }
                    }

                    Label { text: line.modelData.what; wrapMode: Text.Wrap; Layout.fillWidth: true }
                }
            }
        }
    }
}
