// The one window: rail, banners, the open page, the gauge strip. Pages are built when first shown and stay.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Memory
import Steelyard.Settings
import Steelyard.Shell
import Steelyard.Theme

T.ApplicationWindow {
    id: window

    required property Settings settings
    required property SettingsModel settingsModel
    required property MemoryModel memory
    required property ProblemList problems
    required property SystemLook look
    required property ChatDesk desk
    required property Library library
    required property CompareDesk compare
    required property string fontFamily
    required property string monospace
    property string page: settings.values.window_page

    title: desk.session.title.length > 0 ? qsTr("%1 – Steelyard").arg(desk.session.title) : qsTr("Steelyard")
    minimumWidth: 960
    minimumHeight: 640
    width: 1280
    height: 800
    color: Theme.window

    function open(key: string) {
        page = pages.has(key) ? key : "chat";
        settings.set("window.page", page);
    }

    function comeForward() {
        if (visibility === Window.Minimized) showNormal();
        raise();
        requestActivate();
    }

    // The open page; pages are built as soon as they are opened.
    function openPage(): var {
        for (let i = 0; i < holders.count; ++i)
            if (holders.itemAt(i).isOpen) return holders.itemAt(i).item;
        return null;
    }

    function chatPage(): var {
        open("chat");
        return openPage();
    }

    // A way out where the chosen model does not fit.
    function help(kind: string, value: string) {
        if (kind === "context") desk.session.contextLength = Number(value);
        else if (kind === "unload") desk.model.unload();
        else if (kind === "model") desk.session.modelPath = value;
        else if (kind === "cache") settings.set("kvType", value);
        else settings.set("device", value);
    }

    // Every page that can be searched has startSearch().
    function search() {
        const shown = openPage();
        if (shown && shown.startSearch) shown.startSearch();
    }

    Binding { target: Theme; property: "scheme"; value: window.settings.values.theme }
    Binding { target: Theme; property: "textScale"; value: window.settings.values.textScale / 100 }
    Binding { target: Theme; property: "reducedMotion"; value: window.settings.values.reducedMotion }
    Binding { target: Theme; property: "fontFamily"; value: window.fontFamily }
    Binding { target: Theme; property: "monospace"; value: window.monospace }
    Binding { target: Theme; property: "systemIsDark"; value: window.look.dark; when: window.look.known }

    WindowPlace {
        id: place

        window: window
        settings: window.settings
    }

    Component.onCompleted: place.restore()

    Pages {
        id: pages

        desk: window.desk
        library: window.library
        compare: window.compare
        settings: window.settings
        settingsModel: window.settingsModel
        onLibraryWanted: window.open("library")
        onChatWanted: path => {
            window.open("chat");
            window.desk.chatWith(path);
        }
    }

    WindowShortcuts {
        pages: pages.entries
        onPlaceAsked: key => window.open(key)
        onNewChatAsked: window.chatPage().newChat()
        onSearchAsked: window.search()
        onModelAsked: window.chatPage().chooseModel()
        onMemoryAsked: memoryPanel.open()
        onHelpAsked: shortcuts.open()
        onQuitAsked: window.close()
    }

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        RowLayout {
            spacing: 0
            Layout.fillWidth: true
            Layout.fillHeight: true

            Rail {
                pages: pages.entries
                current: window.page
                Layout.fillHeight: true
                onChosen: key => window.open(key)
            }

            ColumnLayout {
                spacing: 0

                ProblemArea {
                    problems: window.problems
                    Layout.fillWidth: true
                }

                Item {
                    id: stack

                    Layout.fillWidth: true
                    Layout.fillHeight: true

                    Repeater {
                        id: holders

                        model: pages.entries

                        Loader {
                            required property PageEntry modelData
                            readonly property string key: modelData.key
                            readonly property bool isOpen: window.page === key

                            anchors.fill: parent
                            active: isOpen || item !== null
                            visible: isOpen
                            focus: isOpen
                            sourceComponent: modelData.page
                        }
                    }
                }
            }
        }

        GaugeStrip {
            memory: window.memory
            Layout.fillWidth: true
            onPanelRequested: memoryPanel.open()
            onRemedyChosen: (kind, value) => window.help(kind, value)
        }
    }

    FileDrop {
        anchors.fill: parent
        onFilesDropped: files => window.addFiles(files)
    }

    MemoryPanel { id: memoryPanel; memory: window.memory; onRemedyChosen: (kind, value) => window.help(kind, value) }
    ShortcutsSheet { id: shortcuts; pages: pages.entries }
}
