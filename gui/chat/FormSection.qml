// What form replies have: any text, JSON, or what a schema or a grammar says, which is checked while it is written.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property SamplingModel sampling
    readonly property bool written: sampling.form === 2 || sampling.form === 3

    spacing: Theme.space2

    ComboBox {
        objectName: "replyForm"
        label: qsTr("Form of replies")
        model: [qsTr("Any text"), qsTr("A JSON object"), qsTr("JSON by a schema"), qsTr("By a grammar (GBNF)")]
        chosen: section.sampling.form
        Layout.fillWidth: true
        onActivated: index => section.sampling.setForm(index)
    }

    TextArea {
        id: editor

        objectName: "replyFormText"
        visible: section.written
        label: section.sampling.form === 2 ? qsTr("JSON schema") : qsTr("Grammar")
        placeholderText: section.sampling.form === 2 ? "{\n  \"type\": \"object\", …\n}" : "root ::= \"yes\" | \"no\""
        font { family: Theme.monospace; pixelSize: Math.round(Theme.bodySize * 0.92) }
        minimumLines: 5
        maximumLines: 14
        Layout.fillWidth: true
        onEdited: section.sampling.setFormText(text)

        Binding { target: editor; property: "text"; value: section.sampling.formText; restoreMode: Binding.RestoreNone }
    }

    RowLayout {
        visible: section.written
        spacing: Theme.space2
        Layout.fillWidth: true

        Icon { name: section.sampling.formProblem.length > 0 ? "warning" : "check"; size: 16; color: section.sampling.formProblem.length > 0 ? Theme.warn : Theme.good; Layout.alignment: Qt.AlignTop }

        Label {
            objectName: "replyFormProblem"
            text: section.sampling.formProblem.length > 0 ? section.sampling.formProblem : qsTr("Replies of this chat will follow it.")
            wrapMode: Text.Wrap
            font.pixelSize: Theme.captionSize
            Layout.fillWidth: true
        }
    }
}
