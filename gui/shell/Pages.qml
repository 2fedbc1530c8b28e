// The list of pages: one row each. Rail, shortcuts and the window follow from it.
import QtQuick
import Steelyard.Chat
import Steelyard.Compare
import Steelyard.Library
import Steelyard.Settings

QtObject {
    id: pages

    required property ChatDesk desk
    required property Library library
    required property CompareDesk compare
    required property SettingsModel settingsModel
    required property Settings settings

    signal chatWanted(path: string)
    signal libraryWanted

    readonly property list<PageEntry> entries: [
        PageEntry { key: "chat"; title: qsTr("Chat"); iconName: "chat"; page: pages.chat },
        PageEntry { key: "library"; title: qsTr("Library"); iconName: "library"; page: pages.libraryPage },
        PageEntry { key: "compare"; title: qsTr("Compare"); iconName: "compare"; page: pages.comparePage },
        PageEntry { key: "settings"; title: qsTr("Settings"); iconName: "settings"; page: pages.settingsPage }
    ]

    function has(key: string): bool {
        for (let i = 0; i < entries.length; ++i)
            if (entries[i].key === key) return true;
        return false;
    }

    // A Loader of this Qt cannot build bound components, so what they see of this file is not checked.
    // qmllint disable unqualified
    readonly property Component chat: Component {
        ChatPage {
            desk: pages.desk
            sidebarWanted: pages.settings.values.window_sidebarShown
            inspectorWanted: pages.settings.values.window_inspectorShown
            onSidebarWantedChanged: pages.settings.set("window.sidebarShown", sidebarWanted)
            onInspectorWantedChanged: pages.settings.set("window.inspectorShown", inspectorWanted)
            sidebarWidth: pages.settings.values.window_sidebarWidth
            inspectorWidth: pages.settings.values.window_inspectorWidth
            onWidthsSettled: {
                pages.settings.set("window.sidebarWidth", sidebarWidth);
                pages.settings.set("window.inspectorWidth", inspectorWidth);
            }
            onLibraryWanted: pages.libraryWanted()
            onChoosingChanged: pages.library.watched = choosing // so that what fits is known there too
        }
    }

    readonly property Component libraryPage: Component {
        LibraryPage {
            library: pages.library
            onChatRequested: path => pages.chatWanted(path)
        }
    }

    readonly property Component comparePage: Component {
        ComparePage {
            desk: pages.compare
            onLibraryWanted: pages.libraryWanted()
            onFitWantedChanged: pages.library.watched = fitWanted
        }
    }

    readonly property Component settingsPage: Component {
        SettingsPage { model: pages.settingsModel }
    }
    // qmllint enable unqualified
}
