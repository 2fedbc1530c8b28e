// A problem or a piece of news across a page: what happened and why, and a button for what to press.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: banner

    required property string text
    property string tone: "warn" // "info", "warn", "bad"
    property string actionText
    property bool closable: true
    readonly property color ink: tone === "bad" ? Theme.bad : tone === "warn" ? Theme.warn : Theme.accent

    signal acted
    signal closed

    implicitHeight: Math.max(row.implicitHeight + 2 * Theme.space2, Theme.controlHeight + 2 * Theme.space1)
    color: Theme.surface
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    Rectangle { width: 3; height: parent.height; color: banner.ink }
    Rectangle { y: parent.height - 1; width: parent.width; height: 1; color: Theme.line }

    RowLayout {
        id: row

        anchors { fill: parent; leftMargin: Theme.space4; rightMargin: Theme.space2; topMargin: Theme.space1; bottomMargin: Theme.space1 }
        spacing: Theme.space3

        Icon {
            name: banner.tone === "bad" ? "error" : banner.tone === "warn" ? "warning" : "info"
            color: banner.ink
        }

        Label {
            text: banner.text
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        Button {
            visible: banner.actionText.length > 0
            text: banner.actionText
            onClicked: banner.acted()
        }

        IconButton {
            visible: banner.closable
            iconName: "close"
            text: qsTr("Dismiss")
            onClicked: banner.closed()
        }
    }
}
