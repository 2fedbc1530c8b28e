// One setting: its name, what it does, its value, its default, and a way back to it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Settings
import Steelyard.Theme

Item {
    id: row

    required property var setting // a row of SettingsModel
    required property SettingsModel settings
    property bool isFirst: false // of its section: the rows of one form a card
    property bool isLast: false

    signal folderAsked(key: string) // one is to be chosen and added to this setting

    implicitHeight: line.implicitHeight + 2 * Theme.space3
    clip: true // cuts the corners of the card off where another row goes on

    Rectangle {
        anchors { fill: parent; topMargin: row.isFirst ? 0 : -radius; bottomMargin: row.isLast ? 0 : -radius }
        radius: Theme.cardRadius
        color: Theme.surface
        border { width: 1; color: Theme.line }
    }

    Rectangle {
        visible: !row.isLast
        y: parent.height - 1
        width: parent.width
        height: 1
        color: Theme.line
    }

    RowLayout {
        id: line

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space4 }
        spacing: Theme.space4

        ColumnLayout {
            Layout.fillWidth: true
            Layout.preferredWidth: 1
            spacing: 2

            Label { text: row.setting.title; Layout.fillWidth: true }

            Label {
                text: row.setting.help
                quiet: true
                wrapMode: Text.Wrap
                font.pixelSize: Theme.captionSize
                lineHeight: 1.2
                Layout.fillWidth: true
            }

            Label {
                visible: row.setting.kind !== "folders" && !row.setting.isDefault
                text: qsTr("Default: %1").arg(row.setting.defaultText)
                quiet: true
                wrapMode: Text.Wrap
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
            }

            RowLayout {
                visible: row.setting.kind === "space" && row.setting.takenText.length > 0
                spacing: Theme.space3
                Layout.topMargin: Theme.space1

                Label {
                    text: qsTr("Taken now: %1").arg(row.setting.takenText)
                    font.pixelSize: Theme.captionSize
                }

                Button {
                    text: qsTr("Delete now")
                    onClicked: row.settings.freeSpace(row.setting.key)
                }
            }

            FolderList {
                visible: row.setting.kind === "folders"
                folders: visible ? row.setting.value : []
                Layout.fillWidth: true
                Layout.topMargin: Theme.space2
                onAddAsked: row.folderAsked(row.setting.key)
                onRemoved: folder => row.settings.removeFolder(row.setting.key, folder)
            }
        }

        IconButton {
            iconName: "reset"
            text: qsTr("Reset %1 to its default").arg(row.setting.title)
            enabled: !row.setting.isDefault
            opacity: enabled ? 1 : 0
            onClicked: row.settings.reset(row.setting.key)
        }

        SettingEditor {
            visible: row.setting.kind !== "folders"
            setting: row.setting
            onChosen: value => row.settings.set(row.setting.key, value)
        }
    }
}
