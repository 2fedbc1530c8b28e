// What happens when this chat outgrows the context.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property ChatSession session
    readonly property var ways: [
        { overflow: 0, name: qsTr("Stop and ask"), what: qsTr("Nothing is left out before you have seen what would go.") },
        { overflow: 1, name: qsTr("Drop the oldest turns"),
          what: qsTr("The model no longer sees the oldest turns; they stay in the chat, and each reply says how many were left out.") },
        { overflow: 3, name: qsTr("Move the rest up (approximate)"),
          what: qsTr("The oldest part leaves the cache and the rest moves up without being read again. That is quicker, but what was left out still shows through, so the reply may differ from an exact one. Where a model cannot do it, the oldest turns are dropped.") }
    ]
    readonly property int chosen: Math.max(0, ways.findIndex(way => way.overflow === session.overflow))

    spacing: Theme.space1

    Label { text: qsTr("When the context is full"); Layout.fillWidth: true; Accessible.ignored: true }

    ComboBox {
        objectName: "contextFull"
        label: qsTr("When the context is full")
        model: section.ways.map(way => way.name)
        chosen: section.chosen
        Layout.fillWidth: true
        onActivated: index => section.session.overflow = section.ways[index].overflow
    }

    Label {
        objectName: "contextFullWords"
        text: section.ways[section.chosen].what
        quiet: true
        wrapMode: Text.Wrap
        font.pixelSize: Theme.captionSize
        lineHeight: 1.25
        Layout.fillWidth: true
    }
}
