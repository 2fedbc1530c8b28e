// The models on this computer, to choose one for the open chat.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: chooser

    required property ChatDesk desk

    signal libraryWanted

    function choose(path: string) {
        accept();
        desk.session.modelPath = path;
    }

    title: qsTr("Choose a model")
    preferredWidth: 560
    onOpened: list.forceActiveFocus(Qt.TabFocusReason)

    contentItem: ColumnLayout {
        spacing: Theme.space4

        ListView {
            id: list

            objectName: "modelList"
            model: chooser.desk.model.models
            implicitHeight: Math.min(contentHeight, 380)
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            keyNavigationWraps: true
            T.ScrollBar.vertical: ScrollBar {}
            Layout.fillWidth: true
            Layout.fillHeight: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Models")
            Keys.onReturnPressed: if (currentItem) (currentItem as ModelRow).choose()
            Keys.onEnterPressed: if (currentItem) (currentItem as ModelRow).choose()

            delegate: ModelRow {
                chosen: chooser.desk.session.modelPath === path
                onWanted: wantedPath => chooser.choose(wantedPath)
            }
        }

        Label {
            visible: list.count === 0
            text: qsTr("There is no model on this computer yet. The library gets one.")
            quiet: true
            wrapMode: Text.Wrap
            Layout.fillWidth: true
        }

        RowLayout {
            spacing: Theme.space2

            Button {
                visible: chooser.desk.model.state === ModelControl.Ready || chooser.desk.model.state === ModelControl.Loading
                iconName: "eject"
                text: chooser.desk.model.state === ModelControl.Loading ? qsTr("Cancel loading") : qsTr("Unload")
                onClicked: chooser.desk.model.state === ModelControl.Loading ? chooser.desk.model.cancelLoad() : chooser.desk.model.unload()
            }

            Item { Layout.fillWidth: true }

            Button {
                iconName: "library"
                text: qsTr("Open the library")
                onClicked: {
                    chooser.accept();
                    chooser.libraryWanted();
                }
            }
        }
    }
}
