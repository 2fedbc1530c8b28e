// One model of the chooser: its name, what it is, and whether it fits this machine.
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
    required property string sizeText
    required property string architecture
    required property bool hasChatTemplate
    required property bool starter
    required property bool usable
    required property bool reading
    required property string problem
    required property int fit
    required property string fitText
    property bool chosen: false

    signal wanted(string wantedPath)

    function joined(parts: var): string { return parts.filter(part => part.length > 0).join(" · ") }
    function choose() { if (usable) wanted(path); }

    width: ListView.view ? ListView.view.width : 0
    height: words.implicitHeight + 2 * Theme.space2
    text: name
    focusPolicy: Qt.NoFocus
    onClicked: choose()
    Accessible.role: Accessible.ListItem
    Accessible.name: name + " " + quantization
    Accessible.description: facts.text
    Accessible.selected: chosen

    background: Rectangle {
        radius: Theme.controlRadius
        color: row.chosen ? Theme.selected : row.hovered || row.ListView.isCurrentItem ? Theme.hover : "transparent"
    }

    contentItem: RowLayout {
        spacing: Theme.space2

        Icon {
            name: row.chosen ? "check" : row.problem.length > 0 ? "warning" : ""
            size: 18
            color: row.problem.length > 0 ? Theme.warn : Theme.quietText
            Layout.leftMargin: Theme.space2
        }

        ColumnLayout {
            id: words

            spacing: 2
            Layout.fillWidth: true

            Label {
                text: row.quantization.length > 0 ? row.name + " · " + row.quantization : row.name
                quiet: !row.usable && !row.reading
                Layout.fillWidth: true
                Accessible.ignored: true
            }

            Label {
                id: facts

                text: row.problem.length > 0 ? row.problem
                    : row.joined([row.sizeText, row.architecture, row.hasChatTemplate ? "" : qsTr("base model: continues text"),
                                  row.starter ? qsTr("small test model") : ""])
                quiet: true
                wrapMode: row.problem.length > 0 ? Text.Wrap : Text.NoWrap
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
                Accessible.ignored: true
            }
        }

        FitTag { fit: row.fit; fitText: row.fitText; Layout.rightMargin: Theme.space2 }
    }
}
