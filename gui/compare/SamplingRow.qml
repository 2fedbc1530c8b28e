// How answers are drawn, the same for all columns: seed, temperature, most tokens.
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

RowLayout {
    id: row

    required property CompareDesk desk

    // What was typed as a number, or what it was.
    function numberOf(text: string, before: real): real {
        const number = Number(text.replace(/\s/g, "").replace(",", "."));
        return text.trim().length === 0 || isNaN(number) || number < 0 ? before : number;
    }

    spacing: Theme.space2
    enabled: !desk.busy

    Label { text: qsTr("Seed"); quiet: true; font.pixelSize: Theme.captionSize }
    TextField {
        objectName: "compareSeed"
        label: qsTr("Seed")
        text: String(row.desk.seed)
        implicitWidth: Theme.bodySize * 6
        implicitHeight: Math.round(Theme.controlHeight * 0.85)
        inputMethodHints: Qt.ImhDigitsOnly
        validator: RegularExpressionValidator { regularExpression: /\d{0,15}/ }
        onEditingFinished: { row.desk.seed = row.numberOf(text, row.desk.seed); text = Qt.binding(() => String(row.desk.seed)) }
    }

    Label { text: qsTr("Temperature"); quiet: true; font.pixelSize: Theme.captionSize; Layout.leftMargin: Theme.space2 }
    TextField {
        label: qsTr("Temperature")
        text: Number(row.desk.temperature).toLocaleString(Theme.locale, "f", 1)
        implicitWidth: Theme.bodySize * 4
        implicitHeight: Math.round(Theme.controlHeight * 0.85)
        inputMethodHints: Qt.ImhFormattedNumbersOnly
        onEditingFinished: {
            row.desk.temperature = row.numberOf(text, row.desk.temperature);
            text = Qt.binding(() => Number(row.desk.temperature).toLocaleString(Theme.locale, "f", 1));
        }
    }

    Label { text: qsTr("At most"); quiet: true; font.pixelSize: Theme.captionSize; Layout.leftMargin: Theme.space2 }
    TextField {
        label: qsTr("Tokens of an answer at most")
        text: String(row.desk.limit)
        implicitWidth: Theme.bodySize * 5
        implicitHeight: Math.round(Theme.controlHeight * 0.85)
        inputMethodHints: Qt.ImhDigitsOnly
        validator: RegularExpressionValidator { regularExpression: /\d{0,5}/ }
        onEditingFinished: { row.desk.limit = row.numberOf(text, row.desk.limit); text = Qt.binding(() => String(row.desk.limit)) }
    }
    Label { text: qsTr("tokens"); quiet: true; font.pixelSize: Theme.captionSize }

    Label {
        text: row.desk.temperature === 0 ? qsTr("At temperature 0 each column always takes its most probable word.") : qsTr("The same seed draws the same words where columns agree.")
        quiet: true
        font.pixelSize: Theme.captionSize
        horizontalAlignment: Text.AlignRight
        Layout.fillWidth: true
    }
}
