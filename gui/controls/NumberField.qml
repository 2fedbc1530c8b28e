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

    readonly property string shown: value > 0 ? Number(value).toLocaleString(Theme.locale, "f", 0) : ""

    signal chosen(int value)

    spacing: Theme.space2

    Label { text: row.label; Layout.fillWidth: true }

    TextField {
        id: field

        label: row.label
        placeholderText: row.emptyText
        implicitWidth: Math.max(96, Theme.bodySize * 7)
        horizontalAlignment: TextInput.AlignRight
        text: row.shown
        inputMethodHints: Qt.ImhDigitsOnly
        validator: RegularExpressionValidator { regularExpression: /[\d\W]{0,16}/ } // digits in groups of any language
        onEditingFinished: {
            const number = Number(text.replace(/\D/g, ""));
            row.chosen(number > 0 ? Math.min(row.maximum, Math.max(row.minimum, number)) : 0);
            text = Qt.binding(() => row.shown);
        }
    }
}
