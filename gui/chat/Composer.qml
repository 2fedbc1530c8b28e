// The input: Enter sends, Shift+Enter breaks the line, files of text can be dropped. Never blocked.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: composer

    required property ChatSession session
    required property ModelControl model
    property real columnWidth: 640

    function focusInput() { input.editor.forceActiveFocus(Qt.OtherFocusReason); }
    function takeDraft() {
        if (input.text === session.draft) return;
        input.text = session.draft;
        input.cursorPosition = input.editor.length;
    }

    implicitHeight: column.implicitHeight + Theme.space3 + Theme.space2

    Component.onCompleted: takeDraft()

    Connections {
        target: composer.session

        function onDraftReplaced() { composer.takeDraft(); }
        function onEditingChanged() { if (composer.session.editing !== 0) composer.focusInput(); }
    }

    DropArea {
        id: drop

        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: event => { composer.session.dropFiles(event.urls); event.accept(Qt.CopyAction); }
    }

    ColumnLayout {
        id: column

        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.space2 }
        width: Math.max(240, Math.min(composer.columnWidth + 2 * Theme.space4, composer.width - 2 * Theme.space4))
        spacing: Theme.space1

        RowLayout {
            visible: composer.session.editing !== 0
            spacing: Theme.space2

            Icon { name: "edit"; size: 16; color: Theme.accent }
            Label { text: qsTr("Editing your message. Sending it makes a new branch."); quiet: true; Layout.fillWidth: true }
            Button { flat: true; text: qsTr("Cancel"); onClicked: composer.session.cancelEdit() }
        }

        RowLayout {
            spacing: Theme.space2

            TextArea {
                id: input

                objectName: "composerInput"
                label: qsTr("Message")
                placeholderText: composer.model.baseModel ? qsTr("Text to continue") : qsTr("Message")
                focus: true
                maximumLines: 10
                minimumLines: 1
                font.pixelSize: Theme.messageSize
                border.color: drop.containsDrag || editor.activeFocus ? Theme.accent : Theme.outline
                Layout.fillWidth: true
                onEdited: composer.session.draft = text
                onReturnPressed: event => {
                    if (event.modifiers & (Qt.ShiftModifier | Qt.ControlModifier | Qt.AltModifier)) return;
                    event.accepted = true;
                    composer.session.send();
                }
            }

            IconButton {
                objectName: "sendButton"
                visible: !composer.session.busy
                enabled: composer.session.draft.trim().length > 0
                iconName: "send"
                text: qsTr("Send")
                primary: true
                implicitWidth: Theme.controlHeight + Theme.space1
                implicitHeight: Theme.controlHeight + Theme.space1
                Layout.alignment: Qt.AlignBottom
                onClicked: composer.session.send()
            }

            IconButton {
                objectName: "stopButton"
                visible: composer.session.busy
                iconName: "stop"
                text: qsTr("Stop (Esc)")
                primary: true
                implicitWidth: Theme.controlHeight + Theme.space1
                implicitHeight: Theme.controlHeight + Theme.space1
                Layout.alignment: Qt.AlignBottom
                onClicked: composer.session.stop()
            }
        }

        RowLayout {
            spacing: Theme.space3
            Layout.preferredHeight: Theme.captionSize * 1.6

            Label {
                text: drop.containsDrag ? qsTr("Drop to add the text of the file")
                    : composer.model.state === ModelControl.Loading ? qsTr("Loading %1: %2 %").arg(composer.model.title).arg(Math.round(composer.model.fraction * 100))
                    : composer.session.modelPath.length === 0 ? qsTr("No model is chosen")
                    : qsTr("Enter sends, Shift+Enter breaks the line")
                quiet: true
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
            }

            ContextMeter {
                objectName: "contextMeter"
                used: composer.session.contextUsed
                draft: composer.session.editing !== 0 ? 0 : composer.session.contextDraft
                total: composer.session.contextTotal
            }
        }
    }
}
