// One model file: its name and facts, whether it fits, and what can be done with it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Rectangle {
    id: row

    required property string path
    required property string name
    required property string quantization
    required property bool usable
    required property bool starter
    required property string problem
    required property int fit
    required property string fitText
    required property string sizeText
    required property string parametersText
    required property real bitsPerWeight
    required property int trainedContext
    required property string architecture
    required property bool hasChatTemplate
    required property bool reading
    required property Library library

    signal chatAsked
    signal betterAsked

    implicitHeight: column.implicitHeight + 2 * Theme.space4
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: name + ". " + facts.text

    ColumnLayout {
        id: column

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space3 }
        spacing: Theme.space1

        RowLayout {
            spacing: Theme.space2

            Label {
                text: row.name
                font { pixelSize: Theme.messageSize; weight: Font.DemiBold }
                Layout.maximumWidth: implicitWidth + 1
                Layout.fillWidth: true
            }

            Tag { visible: text.length > 0; text: row.quantization; tip: qsTr("Quantization: how the weights are stored") }

            FitTag { fit: row.fit; fitText: row.fitText }

            Item { Layout.fillWidth: true }

            Button {
                visible: row.usable
                text: qsTr("Chat")
                iconName: "chat"
                tip: qsTr("Open a new chat with this model")
                onClicked: row.chatAsked()
            }

            IconButton {
                iconName: "more"
                text: qsTr("More for %1").arg(row.name)
                onClicked: menu.open()

                ModelMenu {
                    id: menu

                    y: parent.height
                    x: parent.width - width
                    path: row.path
                    library: row.library
                }
            }
        }

        ModelFacts {
            id: facts

            sizeText: row.sizeText
            parametersText: row.parametersText
            bitsPerWeight: row.bitsPerWeight
            trainedContext: row.trainedContext
            architecture: row.architecture
            baseModel: row.usable && !row.hasChatTemplate
            reading: row.reading
            Layout.fillWidth: true
        }

        Label {
            text: row.path
            quiet: true
            font.pixelSize: Theme.captionSize
            elide: Text.ElideMiddle
            Layout.fillWidth: true
        }

        RowLayout {
            visible: row.starter
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
                onClicked: row.betterAsked()
            }

            Item { Layout.fillWidth: true }
        }

        RowLayout {
            visible: row.problem.length > 0
            spacing: Theme.space2
            Layout.topMargin: Theme.space1

            Icon { name: "error"; size: 18; color: Theme.bad; Layout.alignment: Qt.AlignTop }
            Label { text: row.problem; color: Theme.bad; wrapMode: Text.Wrap; Layout.fillWidth: true }
        }
    }
}
