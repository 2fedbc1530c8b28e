// A new title for a chat.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property var chatId: 0

    signal renamed(var chatId, string title)

    function ask(chatId: var, title: string) {
        sheet.chatId = chatId;
        field.text = title;
        open();
        field.selectAll();
        field.forceActiveFocus(Qt.TabFocusReason);
    }
    function done() {
        sheet.accept();
        sheet.renamed(sheet.chatId, field.text);
    }

    title: qsTr("Rename the chat")
    preferredWidth: 440

    contentItem: ColumnLayout {
        spacing: Theme.space5

        TextField {
            id: field

            objectName: "renameField"
            label: qsTr("Title")
            maximumLength: 200
            Layout.fillWidth: true
            onAccepted: if (text.trim().length > 0) sheet.done()
        }

        RowLayout {
            spacing: Theme.space2
            Layout.alignment: Qt.AlignRight

            Button { text: qsTr("Cancel"); onClicked: sheet.reject() }
            Button { text: qsTr("Rename"); primary: true; enabled: field.text.trim().length > 0; onClicked: sheet.done() }
        }
    }
}
