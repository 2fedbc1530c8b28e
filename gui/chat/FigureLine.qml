// One figure of a sheet: its name, its value, a quiet word more, and where it has one its share of the whole as a bar behind.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Item {
    id: line

    required property var modelData // "label", "value", "note", "share"

    height: words.implicitHeight + 2 * Theme.space1 + 1
    Accessible.role: Accessible.StaticText
    Accessible.name: modelData.label + ": " + [modelData.value, modelData.note].filter(part => part.length > 0).join(", ")

    Rectangle { width: parent.width; height: 1; color: Theme.line }

    Rectangle { // the share, as the ground of the words
        visible: line.modelData.share > 0
        y: 1
        width: Math.max(2, Math.round(parent.width * line.modelData.share))
        height: parent.height - 1
        color: Theme.selected
    }

    RowLayout {
        id: words

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space2 }
        spacing: Theme.space3

        Label { text: line.modelData.label; wrapMode: Text.Wrap; Layout.preferredWidth: line.width * 0.31; Layout.alignment: Qt.AlignTop; Accessible.ignored: true }
        Label { text: line.modelData.value; wrapMode: Text.Wrap; font.weight: Font.DemiBold; Layout.preferredWidth: line.width * 0.23; Layout.alignment: Qt.AlignTop; Accessible.ignored: true }
        Label {
            text: line.modelData.note
            quiet: true
            wrapMode: Text.Wrap
            font.pixelSize: Theme.captionSize
            lineHeight: 1.2
            Layout.fillWidth: true
            Layout.topMargin: Theme.bodySize - Theme.captionSize
            Layout.alignment: Qt.AlignTop
            Accessible.ignored: true
        }
    }
}
