// A whole number with its name; empty means "not set", and the placeholder says what counts then.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

RowLayout {
    id: row

    required property string label
    property string emptyText
    property int value: 0 // 0 = not set
    property int minimum: 1
    property int maximum: 10000000

    signal chosen(int value)

    spacing: Theme.space2

    Label { text: row.label; Layout.fillWidth: true }

    TextField {
        id: field

        label: row.label
        placeholderText: row.emptyText
        implicitWidth: Math.max(96, Theme.bodySize * 7)
        horizontalAlignment: TextInput.AlignRight
        text: row.value > 0 ? String(row.value) : ""
        inputMethodHints: Qt.ImhDigitsOnly
        validator: IntValidator { bottom: 0; top: row.maximum }
        onEditingFinished: {
            const number = text.length > 0 ? parseInt(text, 10) : 0;
            row.chosen(number > 0 ? Math.max(row.minimum, number) : 0);
            text = Qt.binding(() => row.value > 0 ? String(row.value) : "");
        }
    }
}
