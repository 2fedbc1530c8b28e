// One line of the ledger: what, how much, and a quiet word more.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

RowLayout {
    id: line

    required property string title
    required property string value
    property string note

    spacing: Theme.space3
    Accessible.role: Accessible.StaticText
    Accessible.name: note.length > 0 ? qsTr("%1: %2, %3").arg(title).arg(value).arg(note) : qsTr("%1: %2").arg(title).arg(value)

    Label {
        text: line.title
        quiet: true
        Layout.preferredWidth: 190
        Layout.minimumHeight: Math.round(Theme.bodySize * 1.8)
        verticalAlignment: Text.AlignVCenter
        Accessible.ignored: true
    }

    Label { text: line.value; Layout.minimumWidth: 96; Accessible.ignored: true }

    Label {
        text: line.note === line.value ? "" : line.note
        quiet: true
        font.pixelSize: Theme.captionSize
        Layout.fillWidth: true
        Accessible.ignored: true
    }
}
