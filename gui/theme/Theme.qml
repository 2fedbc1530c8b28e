// The look in at most forty tokens, each light and dark. The only QML singleton: the shell writes the inputs from
// the settings, everything else reads the tokens. Invariant: every text token has a contrast of at least 4.5:1 on every
// surface token (the theme test computes all pairs). Knows nothing of settings, windows or controls.
pragma Singleton
import QtQuick

QtObject {
    id: theme

    // --- Inputs, written by the shell.
    property string scheme: "system"    // "system", "light", "dark"
    property bool systemIsDark: systemPalette.window.hslLightness < 0.5
    property real textScale: 1          // 0.8 to 2
    property bool reducedMotion: false
    property string fontFamily: "sans-serif"
    property string monospace: "monospace"

    // How numbers are written: in the language of the texts, and anew when it changes.
    readonly property var locale: Qt.uiLanguage.length >= 0 ? Qt.locale() : null

    readonly property bool dark: scheme === "dark" || (scheme === "system" && systemIsDark)
    readonly property SystemPalette systemPalette: SystemPalette {}

    // --- Surfaces, from the back to the front.
    readonly property color window: dark ? "#161718" : "#F7F7F5"
    readonly property color surface: dark ? "#1E2022" : "#FFFFFF"
    readonly property color raised: dark ? "#26292C" : "#FFFFFF"
    readonly property color hover: dark ? "#2C3034" : "#EEEEEB"     // under the pointer
    readonly property color selected: dark ? "#1F3441" : "#E3EFF5"  // the chosen one of a list
    readonly property color scrim: dark ? "#99000000" : "#66161718" // behind a dialog

    // --- Lines.
    readonly property color line: dark ? "#33373B" : "#E2E2DE"
    readonly property color outline: dark ? "#7C8288" : "#84888D"   // the edge of an input: 3:1 on every surface
    readonly property color shadow: dark ? "#80000000" : "#2E161718"

    // --- Text and meaning.
    readonly property color text: dark ? "#ECEDEE" : "#1B1C1E"
    readonly property color quietText: dark ? "#A3A8AE" : "#5F6368"
    readonly property color accent: dark ? "#5BB8DE" : "#0B6E99"    // also the focus ring
    readonly property color accentText: dark ? "#161718" : "#FFFFFF"
    readonly property color good: dark ? "#5CC98F" : "#1C794B"
    readonly property color warn: dark ? "#E3A33B" : "#9A5B00"
    readonly property color bad: dark ? "#F2867E" : "#B3261E"

    // --- Gauge segments; free is the surface with a line.
    readonly property color weights: "#0072B2"
    readonly property color kv: "#D55E00"
    readonly property color compute: "#009E73"
    readonly property color otherPrograms: "#8A8D91"
    readonly property color weightsText: "#FFFFFF"
    readonly property color gaugeText: "#000000"                      // text on kv, compute and other programs

    // --- Space, corners, height of a control.
    readonly property int space1: 4
    readonly property int space2: 8
    readonly property int space3: 12
    readonly property int space4: 16
    readonly property int space5: 24
    readonly property int space6: 32
    readonly property int controlRadius: 8
    readonly property int cardRadius: 12
    readonly property int controlHeight: Math.max(32, Math.round(34 * textScale))

    // --- Type in pixels.
    readonly property int captionSize: Math.round(12 * textScale)
    readonly property int bodySize: Math.round(14 * textScale)
    readonly property int messageSize: Math.round(16 * textScale)
    readonly property int titleSize: Math.round(20 * textScale)
    readonly property int emptyTitleSize: Math.round(28 * textScale)
    readonly property int codeSize: Math.round(messageSize * 0.92)

    // --- Motion in milliseconds, for state that the person changed and for gauges.
    readonly property int motion: reducedMotion ? 0 : 140
}
