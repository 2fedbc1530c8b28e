// The small buttons under a message: copy, edit or again, the arrows between branches, and why it took so long.
import QtQuick
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

Row {
    id: actions

    required property ChatSession session
    required property var messageId
    required property bool fromUser
    required property bool live
    required property bool hasFigures
    required property bool hasTokens
    required property int branch
    required property int branches

    signal whyWanted

    height: Theme.controlHeight
    spacing: 0

    IconButton {
        iconName: copied.running ? "check" : "copy"
        iconSize: 16
        text: copied.running ? qsTr("Copied") : qsTr("Copy")
        onClicked: {
            actions.session.copyMessage(actions.messageId);
            copied.restart();
        }

        Timer { id: copied; interval: 1500 }
    }

    IconButton {
        visible: actions.fromUser
        iconName: "edit"
        iconSize: 16
        text: qsTr("Edit")
        onClicked: actions.session.beginEdit(actions.messageId)
    }

    IconButton {
        visible: !actions.fromUser
        enabled: !actions.live
        iconName: "again"
        iconSize: 16
        text: qsTr("Again")
        onClicked: actions.session.again(actions.messageId)
    }

    IconButton {
        visible: actions.branches > 1
        enabled: actions.branch > 0
        iconName: "chevron-left"
        iconSize: 16
        text: qsTr("Branch before")
        onClicked: actions.session.showBranch(actions.messageId, -1)
    }

    Label {
        visible: actions.branches > 1
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("%1/%2").arg(actions.branch + 1).arg(actions.branches)
        quiet: true
        font.pixelSize: Theme.captionSize
        Accessible.name: qsTr("Branch %1 of %2").arg(actions.branch + 1).arg(actions.branches)
    }

    IconButton {
        visible: actions.branches > 1
        enabled: actions.branch + 1 < actions.branches
        iconName: "chevron-right"
        iconSize: 16
        text: qsTr("Branch after")
        onClicked: actions.session.showBranch(actions.messageId, 1)
    }

    Button {
        objectName: "tokensButton"
        visible: actions.hasTokens && !actions.live
        flat: true
        text: qsTr("tokens")
        tip: qsTr("How sure the model was")
        font.pixelSize: Theme.captionSize
        onClicked: actions.session.showTokens(actions.messageId)
    }

    Button {
        objectName: "whyButton"
        visible: actions.hasFigures && !actions.live
        flat: true
        text: qsTr("why?")
        tip: qsTr("Where the time went")
        font.pixelSize: Theme.captionSize
        onClicked: actions.whyWanted()
    }
}
