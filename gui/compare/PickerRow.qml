// One quantization of a model, chosen or not; and the way to make another level of it.
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Controls
import Steelyard.Theme

T.ItemDelegate {
    id: row

    required property string path
    required property string name
    required property string quantization
    required property string fileName
    required property string sizeText
    required property real bitsPerWeight
    required property bool usable
    required property string problem
    required property int fit
    required property string fitText
    property bool chosen: false
    property bool full: false // no more can be chosen

    signal toggled
    signal levelsWanted

    function toggle() { if (usable && (chosen || !full)) toggled(); }

    readonly property bool leads: ListView.previousSection !== ListView.section // the first of its model

    width: ListView.view ? ListView.view.width : 0
    readonly property real lead: leads ? Math.round(Theme.captionSize * 1.4) + Theme.space3 : 0

    height: words.implicitHeight + 2 * Theme.space1 + lead
    topPadding: lead
    text: quantization.length > 0 ? quantization : fileName
    enabled: usable
    opacity: usable && (chosen || !full) ? 1 : 0.55
    objectName: "pick" + quantization
    focusPolicy: Qt.NoFocus
    onClicked: toggle()
    Accessible.role: Accessible.CheckBox
    Accessible.name: name + " " + text
    Accessible.description: facts.text
    Accessible.checkable: true
    Accessible.checked: chosen

    Label {
        id: group

        visible: row.leads
        y: Theme.space2
        text: row.name
        quiet: true
        width: row.width
        font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
    }

    background: Item {
        Rectangle {
            y: row.lead
            width: parent.width
            height: parent.height - row.lead
            radius: Theme.controlRadius
            color: row.chosen ? Theme.selected : row.hovered || row.ListView.isCurrentItem ? Theme.hover : "transparent"
            border { width: row.ListView.isCurrentItem && row.ListView.view.activeFocus ? 2 : 0; color: Theme.accent }
        }
    }

    contentItem: RowLayout {
        id: words

        spacing: Theme.space2

        Rectangle {
            implicitWidth: 20
            implicitHeight: 20
            radius: 4
            color: row.chosen ? Theme.accent : "transparent"
            border { width: row.chosen ? 0 : 1; color: Theme.outline }
            Layout.leftMargin: Theme.space2

            Icon { anchors.centerIn: parent; visible: row.chosen; name: "check"; size: 14; color: Theme.accentText }
        }
        Label { text: row.text; font.weight: Font.DemiBold; Layout.preferredWidth: Math.max(90, Theme.bodySize * 7) }
        Label {
            id: facts

            text: row.problem.length > 0 ? row.problem
                : row.bitsPerWeight > 0 ? row.sizeText + " · " + qsTr("%1 bits per weight").arg(Number(row.bitsPerWeight).toLocaleString(Theme.locale, "f", 2)) : row.sizeText
            quiet: true
            Layout.fillWidth: true
        }
        FitTag { fit: row.fit; fitText: row.fitText }
        IconButton {
            visible: row.usable
            objectName: "makeFrom" + row.quantization
            iconName: "plus"
            iconSize: 16
            text: qsTr("Make another level of %1").arg(row.name)
            onClicked: row.levelsWanted()
        }
    }
}
