// One column in detail: the model, its cache, its context, guessing ahead, and a history before the prompt.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    required property CompareDesk desk
    property int column: 0
    readonly property list<string> kvTypes: ["", "f32", "f16", "q8_0", "q5_1", "iq4_nl"]

    function show(column: int) {
        sheet.column = column;
        const options = desk.columnOptions(column);
        model.chosen = desk.modelChoices.findIndex(choice => choice.path === options.path);
        kv.chosen = Math.max(0, kvTypes.indexOf(options.kvType));
        context.value = options.contextLength;
        filler.value = options.fillerTokens;
        guesses.checked = options.guesses;
        open();
    }

    title: qsTr("Column")
    preferredWidth: 520

    contentItem: ColumnLayout {
        spacing: Theme.space3

        Label { text: qsTr("Model"); quiet: true }
        ComboBox {
            id: model

            label: qsTr("Model")
            textRole: "text"
            model: sheet.desk.modelChoices
            Layout.fillWidth: true
            onActivated: index => chosen = index
        }

        RowLayout {
            spacing: Theme.space2

            Label { text: qsTr("KV cache"); Layout.fillWidth: true }
            ComboBox {
                id: kv

                label: qsTr("KV cache")
                chosen: 0
                model: [qsTr("as in the settings"), "f32", "f16", "q8_0", "q5_1", "iq4_nl"]
                onActivated: index => chosen = index
            }
        }

        NumberField { id: context; label: qsTr("Context, tokens"); emptyText: qsTr("as in the settings"); minimum: 128; onChosen: value => context.value = value }
        NumberField { id: filler; label: qsTr("History before the prompt, tokens"); emptyText: qsTr("none"); minimum: 64; onChosen: value => filler.value = value }
        Label {
            text: qsTr("A history of neutral text shows whether the answer survives far into the context.")
            quiet: true
            font.pixelSize: Theme.captionSize
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }
        Switch { id: guesses; text: qsTr("Guess ahead from words that stood there before"); Layout.fillWidth: true }

        RowLayout {
            spacing: Theme.space2
            Layout.alignment: Qt.AlignRight
            Layout.topMargin: Theme.space2

            Button { text: qsTr("Cancel"); onClicked: sheet.reject() }
            Button {
                text: qsTr("Apply")
                primary: true
                enabled: model.chosen >= 0
                onClicked: {
                    const path = sheet.desk.modelChoices[model.chosen].path;
                    sheet.accept();
                    sheet.desk.changeColumn(sheet.column, path, sheet.kvTypes[kv.chosen], context.value, filler.value, guesses.checked);
                }
            }
        }
    }
}
