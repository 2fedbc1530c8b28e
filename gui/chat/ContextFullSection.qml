// What happens when this chat outgrows the context.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property ChatSession session
    readonly property list<string> words: [qsTr("Stop and ask"), qsTr("Drop the oldest turns")]

    spacing: Theme.space1

    Label { text: qsTr("When the context is full"); Layout.fillWidth: true; Accessible.ignored: true }

    ComboBox {
        objectName: "contextFull"
        label: qsTr("When the context is full")
        model: section.words
        currentIndex: section.session.dropsOldest ? 1 : 0
        displayText: section.words[currentIndex]
        Layout.fillWidth: true
        onActivated: index => section.session.dropsOldest = index === 1
    }

    Label {
        text: section.session.dropsOldest ? qsTr("The model no longer sees the oldest turns; they stay in the chat, and each reply says how many were left out.")
                                          : qsTr("Nothing is left out before you have seen what would go.")
        quiet: true
        wrapMode: Text.Wrap
        font.pixelSize: Theme.captionSize
        lineHeight: 1.25
        Layout.fillWidth: true
    }
}
