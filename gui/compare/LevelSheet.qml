// Levels that can be made of a model, with the size that each would have; and the making itself.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    required property CompareDesk desk
    readonly property LevelMaker maker: desk.maker
    property var chosen: []
    readonly property var sources: maker.sources

    function show(path: string) {
        chosen = [];
        maker.look(path);
        open();
    }
    function toggle(type: string) { chosen = chosen.includes(type) ? chosen.filter(other => other !== type) : chosen.concat([type]) }

    title: qsTr("Make a level")
    preferredWidth: 600

    contentItem: ColumnLayout {
        spacing: Theme.space3

        RowLayout {
            spacing: Theme.space2

            Label { text: qsTr("From"); quiet: true }
            ComboBox {
                label: qsTr("Source")
                textRole: "text"
                model: sheet.sources
                chosen: sheet.sources.findIndex(source => source.path === sheet.maker.source)
                enabled: !sheet.maker.making
                Layout.fillWidth: true
                onActivated: index => { sheet.chosen = []; sheet.maker.chooseSource(sheet.sources[index].path) }
            }
        }

        RowLayout {
            visible: sheet.maker.warning.length > 0
            spacing: Theme.space2

            Icon { name: "warning"; size: 18; color: Theme.warn; Layout.alignment: Qt.AlignTop }
            Label { objectName: "levelWarning"; text: sheet.maker.warning; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }

        Label { visible: sheet.maker.problem.length > 0; text: sheet.maker.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }
        Label { visible: sheet.maker.reading; text: qsTr("The file is being read."); quiet: true; Layout.fillWidth: true }

        ListView {
            id: list

            objectName: "levelList"
            model: sheet.maker.levels
            implicitHeight: Math.min(contentHeight, 340)
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            activeFocusOnTab: true
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Levels")
            Keys.onSpacePressed: if (currentIndex >= 0 && !sheet.maker.levels[currentIndex].there) sheet.toggle(sheet.maker.levels[currentIndex].type)

            delegate: T.ItemDelegate {
                id: row

                required property var modelData
                readonly property bool isChosen: sheet.chosen.includes(modelData.type)

                objectName: "level" + modelData.type
                width: ListView.view ? ListView.view.width : 0
                height: words.implicitHeight + 2 * Theme.space1
                text: modelData.type
                enabled: !modelData.there && !sheet.maker.making
                opacity: enabled ? 1 : 0.6
                focusPolicy: Qt.NoFocus
                onClicked: sheet.toggle(modelData.type)
                Accessible.role: Accessible.CheckBox
                Accessible.name: text + ", " + modelData.sizeText
                Accessible.description: modelData.note
                Accessible.checkable: true
                Accessible.checked: isChosen

                background: Rectangle {
                    radius: Theme.controlRadius
                    color: row.isChosen ? Theme.selected : row.hovered || (list.activeFocus && row.ListView.isCurrentItem) ? Theme.hover : "transparent"
                }

                contentItem: RowLayout {
                    id: words

                    spacing: Theme.space2

                    Rectangle {
                        implicitWidth: 20
                        implicitHeight: 20
                        radius: 4
                        color: row.isChosen ? Theme.accent : "transparent"
                        border { width: row.isChosen ? 0 : 1; color: Theme.outline }
                        Layout.leftMargin: Theme.space2

                        Icon { anchors.centerIn: parent; visible: row.isChosen || row.modelData.there; name: "check"; size: 14; color: row.isChosen ? Theme.accentText : Theme.quietText }
                    }
                    Label { text: row.text; font.weight: Font.DemiBold; Layout.preferredWidth: Theme.bodySize * 6 }
                    Label { text: row.modelData.sizeText; Layout.preferredWidth: Theme.bodySize * 6 }
                    Label { text: row.modelData.bitsText; quiet: true; Layout.preferredWidth: Theme.bodySize * 11 }
                    Label { text: row.modelData.note; quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true }
                }
            }
        }

        ColumnLayout {
            visible: sheet.maker.making
            spacing: Theme.space1

            Label { text: sheet.maker.current; Layout.fillWidth: true }
            LoadBar { label: sheet.maker.current; fraction: sheet.maker.fraction; Layout.fillWidth: true }
        }

        RowLayout {
            spacing: Theme.space2

            Label {
                text: sheet.maker.making ? qsTr("You can close this; the making goes on.") : qsTr("The source stays as it is.")
                quiet: true
                font.pixelSize: Theme.captionSize
                wrapMode: Text.Wrap
                Layout.fillWidth: true
            }
            Button { objectName: "cancelLevels"; visible: sheet.maker.making; text: qsTr("Cancel"); onClicked: sheet.maker.cancel() }
            Button {
                objectName: "makeLevels"
                visible: !sheet.maker.making
                text: qsTr("Make %n level(s)", "", sheet.chosen.length)
                primary: true
                enabled: sheet.chosen.length > 0
                onClicked: { sheet.maker.make(sheet.chosen); sheet.chosen = [] }
            }
        }
    }
}
