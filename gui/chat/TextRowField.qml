// A short text with its name; what is wrong with it stands below. Told when the person is done with it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: row

    required property string label
    property string tip
    property string value
    property string example
    property string problem

    signal chosen(string text)

    spacing: Theme.space1

    Label {
        text: row.label
        Layout.fillWidth: true

        HoverHandler { id: pointer }
        HoverTip { text: row.tip; shown: pointer.hovered }
    }

    TextField {
        label: row.label
        placeholderText: row.example
        text: row.value
        Layout.fillWidth: true
        onEditingFinished: {
            row.chosen(text);
            text = Qt.binding(() => row.value);
        }
    }

    Label {
        visible: row.problem.length > 0
        text: row.problem
        color: Theme.bad
        wrapMode: Text.Wrap
        font.pixelSize: Theme.captionSize
        Layout.fillWidth: true
    }
}
