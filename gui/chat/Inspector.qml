// What the open chat is made with: model, system prompt, sampling, lengths.
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

FocusScope {
    id: inspector

    required property ChatDesk desk
    readonly property ChatSession session: desk.session

    signal chooserWanted

    component Title: Label {
        font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
        quiet: true
        Layout.fillWidth: true
        Layout.topMargin: Theme.space2
        Accessible.role: Accessible.Heading
    }

    Rectangle { anchors.fill: parent; color: Theme.window }
    Rectangle { width: 1; height: parent.height; color: Theme.line }

    Flickable {
        id: flick

        anchors.fill: parent
        contentWidth: width
        contentHeight: column.implicitHeight + 2 * Theme.space4
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        T.ScrollBar.vertical: ScrollBar {}

        ColumnLayout {
            id: column

            x: Theme.space4
            y: Theme.space3
            width: flick.width - 2 * Theme.space4
            spacing: Theme.space2

            Title { text: qsTr("Model"); Layout.topMargin: 0 }

            ModelSection {
                desk: inspector.desk
                Layout.fillWidth: true
                onChooserWanted: inspector.chooserWanted()
            }

            GuessSection { desk: inspector.desk; Layout.fillWidth: true; Layout.topMargin: Theme.space2 }

            Title { text: qsTr("System prompt") }

            TextArea {
                id: prompt

                objectName: "systemPrompt"
                label: qsTr("System prompt")
                placeholderText: qsTr("How the model should answer")
                minimumLines: 3
                maximumLines: 10
                Layout.fillWidth: true
                onEdited: inspector.session.systemPrompt = text

                Binding { target: prompt; property: "text"; value: inspector.session.systemPrompt; restoreMode: Binding.RestoreNone }
            }

            Title { text: qsTr("Sampling") }

            SamplingSection { sampling: inspector.session.sampling; Layout.fillWidth: true }

            Title { text: qsTr("Form of replies") }

            FormSection { sampling: inspector.session.sampling; Layout.fillWidth: true }

            Title { text: qsTr("Lengths in tokens") }

            NumberField {
                objectName: "replyLimit"
                label: qsTr("Reply limit")
                emptyText: qsTr("none")
                value: inspector.session.replyLimit
                Layout.fillWidth: true
                onChosen: value => inspector.session.replyLimit = value
            }

            NumberField {
                objectName: "contextLength"
                label: qsTr("Context")
                emptyText: inspector.session.contextTotal > 0 ? Number(inspector.session.contextTotal).toLocaleString(Theme.locale, "f", 0) : qsTr("automatic")
                value: inspector.session.contextLength
                minimum: 256
                Layout.fillWidth: true
                onChosen: value => inspector.session.contextLength = value
            }

            ContextFullSection { session: inspector.session; Layout.fillWidth: true; Layout.topMargin: Theme.space2 }

            Label {
                visible: inspector.desk.model.state === ModelControl.Ready && inspector.session.contextLength > 0
                         && inspector.desk.model.contextLength !== inspector.session.contextLength
                text: qsTr("%1 tokens are loaded now; the new length counts from the next message on.")
                    .arg(Number(inspector.desk.model.contextLength).toLocaleString(Theme.locale, "f", 0))
                quiet: true
                wrapMode: Text.Wrap
                font.pixelSize: Theme.captionSize
                Layout.fillWidth: true
            }
        }
    }
}
