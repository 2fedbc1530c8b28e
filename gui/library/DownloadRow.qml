// One download: what it is, how far, how fast, and what can be done about it.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Library
import Steelyard.Theme

Rectangle {
    id: row

    required property Library library
    required property var downloadId
    required property string label
    required property string fileName
    required property int progressState
    required property real fraction
    required property string status
    required property string sentence
    required property string path
    readonly property bool isBusy: progressState === DownloadList.Connecting || progressState === DownloadList.Running
                                   || progressState === DownloadList.WaitingToRetry || progressState === DownloadList.Checking
    readonly property bool isDone: progressState === DownloadList.Finished
    readonly property bool isFailed: progressState === DownloadList.Failed

    signal chatAsked(path: string)

    implicitHeight: column.implicitHeight + 2 * Theme.space3
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: label + ". " + status + (sentence.length > 0 ? ". " + sentence : "")

    ColumnLayout {
        id: column

        anchors { left: parent.left; right: parent.right; verticalCenter: parent.verticalCenter; leftMargin: Theme.space4; rightMargin: Theme.space2 }
        spacing: Theme.space1

        RowLayout {
            spacing: Theme.space2

            Icon {
                name: row.isDone ? "check" : row.isFailed ? "error" : "download"
                color: row.isDone ? Theme.good : row.isFailed ? Theme.bad : Theme.quietText
            }

            Label { text: row.label; elide: Text.ElideMiddle; Layout.fillWidth: true }

            Button {
                visible: row.isDone
                text: qsTr("Chat")
                onClicked: row.chatAsked(row.path)
            }

            Button {
                visible: row.isFailed
                text: qsTr("Try again")
                onClicked: row.library.resumeDownload(row.downloadId)
            }

            IconButton {
                visible: row.isBusy || row.progressState === DownloadList.Paused
                iconName: row.isBusy ? "pause" : "play"
                text: row.isBusy ? qsTr("Pause %1").arg(row.fileName) : qsTr("Continue %1").arg(row.fileName)
                onClicked: row.isBusy ? row.library.pauseDownload(row.downloadId) : row.library.resumeDownload(row.downloadId)
            }

            IconButton {
                iconName: "close"
                text: row.isDone ? qsTr("Take %1 off this list").arg(row.fileName) : qsTr("Cancel %1 and delete what is there").arg(row.fileName)
                onClicked: row.isDone ? row.library.forgetDownload(row.downloadId) : row.library.cancelDownload(row.downloadId)
            }
        }

        Rectangle {
            visible: !row.isDone && row.fraction >= 0
            color: Theme.hover
            radius: 2
            Layout.fillWidth: true
            Layout.preferredHeight: 4
            Layout.rightMargin: Theme.space2
            Accessible.role: Accessible.ProgressBar
            Accessible.name: qsTr("%1 % done").arg(Math.floor(row.fraction * 100))

            Rectangle {
                width: parent.width * Math.min(1, Math.max(0, row.fraction))
                height: parent.height
                radius: 2
                color: row.isFailed ? Theme.bad : row.isBusy ? Theme.accent : Theme.quietText

                Behavior on width { NumberAnimation { duration: Theme.motion; easing.type: Easing.OutCubic } }
            }
        }

        Label {
            text: row.status
            quiet: true
            font.pixelSize: Theme.captionSize
            Layout.fillWidth: true
        }

        Label {
            visible: text.length > 0
            text: row.sentence
            color: row.isFailed ? Theme.bad : Theme.warn
            font.pixelSize: Theme.captionSize
            wrapMode: Text.Wrap
            Layout.fillWidth: true
            Layout.rightMargin: Theme.space2
        }
    }
}
