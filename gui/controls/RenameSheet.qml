// A new title for something that has one; `key` is what the owner knows it by.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property var key: 0

    signal renamed(var key, string title)

    function ask(key: var, title: string) {
        sheet.key = key;
        field.text = title;
        open();
        field.selectAll();
        field.forceActiveFocus(Qt.TabFocusReason);
    }
    function done() {
        sheet.accept();
        sheet.renamed(sheet.key, field.text);
    }

    title: qsTr("Rename")
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
