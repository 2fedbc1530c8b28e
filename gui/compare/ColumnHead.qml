// One column: its name, what it takes, and what can be done with it. While names are hidden it is a letter.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: head

    required property int column
    required property int index
    required property string name
    required property string letter
    required property string path
    required property string modelName
    required property string settings
    required property string facts
    required property string memoryText
    required property string problem
    required property bool available
    required property CompareDesk desk
    readonly property bool hidden: desk.columns.hidden

    function joined(parts: var, by: string): string { return parts.filter(part => part.length > 0).join(by) }

    signal changeWanted
    signal levelsWanted

    implicitHeight: words.implicitHeight + 2 * Theme.space2
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: head.problem.length > 0 || !head.available ? Theme.bad : Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: hidden ? qsTr("Column %1, its name is hidden").arg(letter) : joined([name, modelName, settings, facts, memoryText, problem], ", ")

    ColumnLayout {
        id: words

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space2; leftMargin: Theme.space3; rightMargin: Theme.space1 }
        spacing: 1

        RowLayout {
            spacing: Theme.space2

            PointMark { visible: !head.hidden; shape: head.column; color: Theme.accent }
            Label {
                text: head.hidden ? qsTr("Answer %1").arg(head.letter) : head.name
                font { pixelSize: Theme.messageSize; weight: Font.DemiBold }
                Layout.fillWidth: true
            }
            IconButton {
                visible: !head.hidden
                enabled: !head.desk.busy
                iconName: "more"
                text: qsTr("More for %1").arg(head.name)
                implicitHeight: Math.round(Theme.controlHeight * 0.8)
                onClicked: menu.open()

                Menu {
                    id: menu

                    y: parent.height
                    x: parent.width - width

                    MenuItem { text: qsTr("Change…"); iconName: "edit"; onTriggered: head.changeWanted() }
                    MenuItem {
                        text: qsTr("Same model again")
                        note: qsTr("To compare another cache, context or guessing ahead")
                        iconName: "copy"
                        enabled: head.desk.columns.count < head.desk.mostColumns
                        onTriggered: head.desk.copyColumn(head.column)
                    }
                    MenuItem { text: qsTr("Make another level…"); note: qsTr("Quantizes this model"); iconName: "plus"; onTriggered: head.levelsWanted() }
                    MenuSeparator {}
                    MenuItem { text: qsTr("Remove"); iconName: "close"; onTriggered: head.desk.removeColumn(head.column) }
                }
            }
        }

        Label {
            visible: text.length > 0
            text: head.hidden ? qsTr("Hidden until you vote") : head.joined([head.modelName !== head.name ? head.modelName : "", head.settings], " · ")
            quiet: true
            font.pixelSize: Theme.captionSize
            Layout.fillWidth: true
        }
        Label { visible: text.length > 0; text: head.facts; quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true }
        Label { visible: text.length > 0 && head.problem.length === 0; text: head.memoryText; quiet: true; font.pixelSize: Theme.captionSize; Layout.fillWidth: true }
        Label {
            visible: text.length > 0
            text: head.problem.length > 0 ? head.problem : head.available ? "" : qsTr("This file is not in the library.")
            color: Theme.bad
            font.pixelSize: Theme.captionSize
            wrapMode: Text.Wrap
            maximumLineCount: 3
            elide: Text.ElideRight
            Layout.fillWidth: true
        }
    }
}
