// All settings, made from the schema: a search, two levels, one row each.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Settings
import Steelyard.Theme

FocusScope {
    id: page

    required property SettingsModel model

    function startSearch() { search.forceActiveFocus(Qt.ShortcutFocusReason) }

    Component.onCompleted: { model.refreshDevices(); model.refreshSpaces(); }

    ColumnLayout {
        id: column

        readonly property int rowWidth: Math.min(820, page.width - 2 * Theme.space5)

        anchors.fill: parent
        spacing: 0

        RowLayout {
            Layout.alignment: Qt.AlignHCenter
            Layout.fillWidth: false
            Layout.preferredWidth: column.rowWidth
            Layout.topMargin: Theme.space5
            Layout.bottomMargin: Theme.space3
            spacing: Theme.space3

            Label {
                text: qsTr("Settings")
                font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
                Layout.fillWidth: true
                Accessible.role: Accessible.Heading
            }

            TextField {
                id: search

                label: qsTr("Search settings")
                placeholderText: label
                iconName: "search"
                focus: true
                text: page.model.search
                onTextEdited: page.model.search = text
                Keys.onEscapePressed: event => { event.accepted = text.length > 0; page.model.search = ""; }
                Layout.preferredWidth: 240
            }

            Switch {
                text: qsTr("All levels")
                checked: page.model.full
                onToggled: page.model.full = checked
            }
        }

        ListView {
            id: list

            Layout.fillWidth: true
            Layout.fillHeight: true
            clip: true
            model: page.model
            boundsBehavior: Flickable.StopAtBounds
            bottomMargin: Theme.space6
            cacheBuffer: 4000 // every row is there, so that the keyboard reaches it
            T.ScrollBar.vertical: ScrollBar {}
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Settings")

            section.property: "section"

            delegate: Item {
                id: place

                // One by one: they outlast the model's own object, which goes before the row does.
                required property string key
                required property string kind
                required property string section
                required property string title
                required property string help
                required property var value
                required property string defaultText
                required property bool isDefault
                required property real minimum
                required property real maximum
                required property real step
                required property string unit
                required property var choices
                required property string zeroText
                required property string takenText
                readonly property bool startsSection: ListView.previousSection !== ListView.section

                width: ListView.view.width
                height: row.y + row.implicitHeight

                Label {
                    id: heading

                    visible: place.startsSection
                    x: row.x
                    y: Theme.space5
                    text: place.section
                    font.weight: Font.DemiBold
                    color: Theme.accent
                    Accessible.role: Accessible.Heading
                }

                SettingRow {
                    id: row

                    y: place.startsSection ? heading.y + heading.implicitHeight + Theme.space2 : 0
                    isFirst: place.startsSection
                    isLast: place.ListView.nextSection !== place.ListView.section

                    setting: place
                    settings: page.model
                    width: column.rowWidth
                    x: (parent.width - width) / 2
                    onFolderAsked: key => {
                        dialog.key = key;
                        dialog.open();
                    }
                }
            }

            EmptyState {
                anchors.centerIn: parent
                visible: list.count === 0
                iconName: "search"
                title: qsTr("No such setting")
                text: qsTr("Nothing is named like “%1”.").arg(page.model.search)
                actionText: qsTr("Show all")
                onActed: page.model.search = ""
            }
        }
    }

    FolderDialog {
        id: dialog

        property string key

        title: qsTr("Add a folder of models")
        onAccepted: page.model.addFolder(key, selectedFolder)
    }
}
