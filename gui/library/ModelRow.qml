// One model file: its name and facts, whether it fits, and what can be done with it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Rectangle {
    id: row

    required property var entry // a row of the models' list
    required property Library library

    signal chatAsked
    signal betterAsked

    implicitHeight: column.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: entry.name + ". " + facts.text

    ColumnLayout {
        id: column

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space3 }
        spacing: Theme.space1

        RowLayout {
            spacing: Theme.space2

            Label {
                text: row.entry.name
                font { pixelSize: Theme.messageSize; weight: Font.DemiBold }
                Layout.maximumWidth: implicitWidth + 1
                Layout.fillWidth: true
            }

            Tag { visible: text.length > 0; text: row.entry.quantization; tip: qsTr("Quantization: how the weights are stored") }

            FitTag { entry: row.entry }

            Item { Layout.fillWidth: true }

            Button {
                visible: row.entry.usable
                text: qsTr("Chat")
                iconName: "chat"
                tip: qsTr("Open a new chat with this model")
                onClicked: row.chatAsked()
            }

            IconButton {
                iconName: "more"
                text: qsTr("More for %1").arg(row.entry.name)
                onClicked: menu.open()

                ModelMenu {
                    id: menu

                    y: parent.height
                    x: parent.width - width
                    path: row.entry.path
                    library: row.library
                }
            }
        }

        ModelFacts {
            id: facts

            entry: row.entry
            Layout.fillWidth: true
        }

        Label {
            text: row.entry.path
            quiet: true
            font.pixelSize: Theme.captionSize
            elide: Text.ElideMiddle
            Layout.fillWidth: true
        }

        RowLayout {
            visible: row.entry.starter
            spacing: Theme.space2
            Layout.topMargin: Theme.space1

            Icon { name: "info"; size: 18; color: Theme.warn }

            Label {
                text: qsTr("Small test model, mainly English, often wrong.")
                wrapMode: Text.Wrap
                Layout.fillWidth: true
                Layout.maximumWidth: implicitWidth + 1
            }

            Button {
                text: qsTr("Get a better one")
                flat: true
                onClicked: row.betterAsked()
            }

            Item { Layout.fillWidth: true }
        }

        RowLayout {
            visible: row.entry.problem.length > 0
            spacing: Theme.space2
            Layout.topMargin: Theme.space1

            Icon { name: "error"; size: 18; color: Theme.bad; Layout.alignment: Qt.AlignTop }
            Label { text: row.entry.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }
    }
}
