// The models of this computer, grouped by model, to choose two to four columns from.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: picker

    required property CompareDesk desk
    property var chosen: []

    signal libraryWanted
    signal levelsWanted(string path)

    function openFor() {
        chosen = desk.columnPaths();
        open();
    }
    function toggle(path: string) {
        if (chosen.includes(path)) chosen = chosen.filter(other => other !== path);
        else if (chosen.length < desk.mostColumns) chosen = chosen.concat([path]);
    }

    title: qsTr("Choose columns")
    preferredWidth: 600
    onOpened: list.forceActiveFocus(Qt.TabFocusReason)

    contentItem: ColumnLayout {
        spacing: Theme.space3

        Label {
            text: qsTr("Two to four: quantizations of one model, or models. Cache, context and guessing ahead are set in a column's own menu.")
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        ListView {
            id: list

            objectName: "pickerList"
            model: picker.desk.models
            implicitHeight: Math.min(contentHeight, 380)
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            keyNavigationWraps: true
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Models")
            Keys.onSpacePressed: if (currentItem) (currentItem as PickerRow).toggle()
            Keys.onReturnPressed: if (currentItem) (currentItem as PickerRow).toggle()

            section.property: "name"

            delegate: PickerRow {
                chosen: picker.chosen.includes(path)
                full: picker.chosen.length >= picker.desk.mostColumns
                onToggled: picker.toggle(path)
                onLevelsWanted: picker.levelsWanted(path)
            }
        }

        Label {
            visible: list.count === 0
            text: qsTr("There is no model on this computer yet. The library gets one.")
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        RowLayout {
            spacing: Theme.space2

            Button { iconName: "library"; text: qsTr("Open the library"); onClicked: { picker.accept(); picker.libraryWanted() } }
            Label { text: qsTr("%1 of %2 chosen").arg(picker.chosen.length).arg(picker.desk.mostColumns); quiet: true; horizontalAlignment: Text.AlignRight; Layout.fillWidth: true }
            Button {
                objectName: "pickerDone"
                text: qsTr("Compare")
                primary: true
                enabled: picker.chosen.length > 0
                onClicked: {
                    picker.accept();
                    picker.desk.setModels(picker.chosen);
                }
            }
        }
    }
}
