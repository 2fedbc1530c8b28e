// One prompt for all columns, and how answers are drawn: seed, temperature, limit.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: composer

    required property CompareDesk desk

    function send() {
        if (!desk.canRun || input.text.trim().length === 0) return;
        const prompt = input.text;
        input.text = "";
        desk.run(prompt);
    }

    implicitHeight: column.implicitHeight + Theme.space3 + Theme.space2

    Rectangle { width: parent.width; height: 1; color: Theme.line }

    ColumnLayout {
        id: column

        anchors { left: parent.left; right: parent.right; bottom: parent.bottom; leftMargin: Theme.space4; rightMargin: Theme.space4; bottomMargin: Theme.space2 }
        spacing: Theme.space2

        RowLayout {
            spacing: Theme.space2

            TextArea {
                id: input

                objectName: "comparePrompt"
                label: qsTr("Prompt for all columns")
                placeholderText: composer.desk.rounds.count > 0 ? qsTr("Ask all of them further") : qsTr("Prompt for all columns")
                focus: true
                maximumLines: 6
                font.pixelSize: Theme.messageSize
                Layout.fillWidth: true
                onReturnPressed: event => {
                    if (event.modifiers & (Qt.ShiftModifier | Qt.ControlModifier | Qt.AltModifier)) return;
                    event.accepted = true;
                    composer.send();
                }
            }

            IconButton {
                objectName: "compareRun"
                visible: !composer.desk.busy
                enabled: composer.desk.canRun && input.text.trim().length > 0
                iconName: "send"
                text: qsTr("Ask all columns")
                primary: true
                implicitWidth: Theme.controlHeight + Theme.space1
                implicitHeight: Theme.controlHeight + Theme.space1
                Layout.alignment: Qt.AlignBottom
                onClicked: composer.send()
            }

            IconButton {
                objectName: "compareStop"
                visible: composer.desk.busy
                iconName: "stop"
                text: qsTr("Stop (Esc)")
                primary: true
                implicitWidth: Theme.controlHeight + Theme.space1
                implicitHeight: Theme.controlHeight + Theme.space1
                Layout.alignment: Qt.AlignBottom
                onClicked: composer.desk.stop()
            }
        }

        SamplingRow { desk: composer.desk; Layout.fillWidth: true }
    }
}
