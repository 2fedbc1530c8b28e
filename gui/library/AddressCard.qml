// Where the address of a model is pasted. What is wrong with an address is said below it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Rectangle {
    id: card

    required property Library library

    function focusField() { field.forceActiveFocus(Qt.ShortcutFocusReason) }

    function start() {
        field.problem = library.fetch(field.text);
        if (field.problem.length === 0) field.clear();
    }

    implicitHeight: column.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    ColumnLayout {
        id: column

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; margins: Theme.space4 }
        spacing: Theme.space2

        Label {
            text: qsTr("Get a model")
            font.weight: Font.DemiBold
            Layout.fillWidth: true
        }

        RowLayout {
            spacing: Theme.space2

            TextField {
                id: field

                label: qsTr("Address of a model")
                placeholderText: qsTr("https://…/model.gguf or owner/name/file.gguf")
                iconName: "link"
                onTextEdited: problem = ""
                onAccepted: card.start()
                Layout.fillWidth: true
            }

            Button {
                text: qsTr("Download")
                iconName: "download"
                primary: true
                enabled: field.text.trim().length > 0
                onClicked: card.start()
            }
        }

        Label {
            text: field.problem.length > 0 ? field.problem
                : qsTr("On huggingface.co, open a file that ends in .gguf and copy its address. Q4_K_M is a good first choice.")
            color: field.problem.length > 0 ? Theme.bad : Theme.quietText
            font.pixelSize: Theme.captionSize
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }
    }
}
