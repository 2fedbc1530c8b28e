// The shortcuts of the whole window; what belongs to a page is the page's own.
pragma ComponentBehavior: Bound
import QtQuick

Item {
    id: root

    required property var pages // of PageEntry

    signal placeAsked(key: string)
    signal newChatAsked
    signal searchAsked
    signal modelAsked
    signal memoryAsked
    signal helpAsked
    signal quitAsked

    Repeater {
        model: root.pages

        Item {
            id: entry

            required property PageEntry modelData
            required property int index

            Shortcut { sequence: "Ctrl+" + (entry.index + 1); onActivated: root.placeAsked(entry.modelData.key) }
        }
    }

    Shortcut { sequence: "Ctrl+,"; onActivated: root.placeAsked("settings") }
    Shortcut { sequence: "Ctrl+N"; onActivated: root.newChatAsked() }
    Shortcut { sequence: "Ctrl+K"; onActivated: root.searchAsked() }
    Shortcut { sequence: "Ctrl+L"; onActivated: root.modelAsked() }
    Shortcut { sequence: "Ctrl+M"; onActivated: root.memoryAsked() }
    Shortcut { sequence: "F1"; onActivated: root.helpAsked() }
    Shortcut { sequence: "Ctrl+Q"; onActivated: root.quitAsked() }
}
