// How the chosen model guesses ahead: not at all, by looking up, or with a smaller model.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property ChatDesk desk
    readonly property string path: desk.session.modelPath
    property var choices: []
    property string choice
    property string explanation

    // Read again when the model, the choice or the list of models changes.
    function read() {
        choices = desk.guesses.choices(path);
        choice = desk.guesses.choice(path);
        explanation = desk.guesses.explanation(path);
    }

    visible: path.length > 0
    spacing: Theme.space1
    onPathChanged: read()
    Component.onCompleted: read()

    Connections {
        target: section.desk.guesses

        function onChanged() { section.read(); }
    }

    Label { text: qsTr("Guess ahead"); Layout.fillWidth: true; Accessible.ignored: true }

    ComboBox {
        id: box

        objectName: "guessAhead"
        label: qsTr("Guess ahead")
        textRole: "text"
        valueRole: "value"
        model: section.choices
        chosen: section.choices.findIndex(entry => entry.value === section.choice)
        displayText: section.choices[chosen]?.text ?? ""
        Layout.fillWidth: true
        onActivated: index => section.desk.guesses.choose(section.path, section.choices[index].value)
    }

    Label {
        objectName: "guessExplanation"
        text: section.explanation
        quiet: true
        wrapMode: Text.Wrap
        font.pixelSize: Theme.captionSize
        lineHeight: 1.25
        Layout.fillWidth: true
    }
}
