// The model in the inspector: which one, its load, what it is.
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property ChatDesk desk
    readonly property ModelControl model: desk.model
    readonly property string chosen: desk.session.modelPath
    readonly property bool here: model.path === chosen

    signal chooserWanted

    spacing: Theme.space2

    Button {
        objectName: "modelButton"
        text: section.chosen.length > 0 ? section.model.titleOf(section.chosen) : qsTr("Choose a model")
        tip: qsTr("Choose the model (Ctrl+L)")
        Layout.fillWidth: true
        onClicked: section.chooserWanted()
    }

    Label {
        objectName: "modelState"
        text: !section.here || section.model.state === ModelControl.None ? (section.chosen.length > 0 ? qsTr("Not loaded. It loads when you type.") : "")
            : section.model.state === ModelControl.Loading ? qsTr("Loading: %1 %").arg(Math.round(section.model.fraction * 100))
            : section.model.state === ModelControl.Failed ? qsTr("Could not be loaded")
            : section.model.facts
        quiet: true
        wrapMode: Text.Wrap
        font.pixelSize: Theme.captionSize
        lineHeight: 1.25
        Layout.fillWidth: true
    }

    LoadBar {
        visible: section.here && section.model.state === ModelControl.Loading
        fraction: section.model.fraction
        label: qsTr("Loading")
        Layout.fillWidth: true
    }

    RowLayout {
        spacing: Theme.space2

        Button {
            visible: section.model.state === ModelControl.Loading
            iconName: "close"
            text: qsTr("Cancel loading")
            onClicked: section.model.cancelLoad()
        }

        Button {
            objectName: "unloadButton"
            visible: section.model.state === ModelControl.Ready
            iconName: "eject"
            text: qsTr("Unload")
            tip: qsTr("Gives the memory of the model back")
            onClicked: section.model.unload()
        }

        Button {
            objectName: "loadButton"
            visible: section.chosen.length > 0 && (!section.here || section.model.state === ModelControl.None || section.model.state === ModelControl.Failed)
            iconName: "play"
            text: section.here && section.model.state === ModelControl.Failed ? qsTr("Try again") : qsTr("Load now")
            onClicked: section.desk.session.wakeModel(true)
        }
    }
}
