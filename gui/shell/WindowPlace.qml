// Remembers where the window was and how large; a place that no screen shows any more is not used.
import QtQuick
import QtQuick.Window
import Steelyard.Settings

QtObject {
    id: place

    required property Window window
    required property Settings settings
    property bool restored: false

    readonly property Timer later: Timer {
        interval: 400
        onTriggered: place.store()
    }

    readonly property Connections changes: Connections {
        target: place.window

        function onXChanged() { place.later.restart() }
        function onYChanged() { place.later.restart() }
        function onWidthChanged() { place.later.restart() }
        function onHeightChanged() { place.later.restart() }
        function onVisibilityChanged() { place.later.restart() }
        function onClosing() { place.store() }
    }

    function store() {
        if (!restored || window.visibility === Window.Hidden || window.visibility === Window.Minimized) return;
        const maximized = window.visibility === Window.Maximized || window.visibility === Window.FullScreen;
        const before = settings.values.window_geometry.split(" ");
        const frame = maximized && before.length === 5 ? before.slice(0, 4) : [window.x, window.y, window.width, window.height];
        settings.set("window.geometry", frame.concat([maximized ? 1 : 0]).join(" "));
    }

    function restore() {
        const [x, y, width, height, maximized] = settings.values.window_geometry.split(" ").map(Number);
        const seen = Array.from(Qt.application.screens).some(screen => x + width / 2 >= screen.virtualX && x + width / 2 < screen.virtualX + screen.width
            && y >= screen.virtualY && y < screen.virtualY + screen.height - 40);
        if (seen && width >= window.minimumWidth && height >= window.minimumHeight) window.setGeometry(x, y, width, height);
        restored = true;
        if (maximized === 1) window.showMaximized();
        else window.show();
    }
}
