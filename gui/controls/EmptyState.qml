// What a place says while it is empty: what it is, and what to do next. Further buttons go in as children.
import QtQuick
import Steelyard.Controls
import Steelyard.Theme

Column {
    id: empty

    required property string title
    property string text
    property string iconName
    property string actionText
    default property alias extra: actions.data

    signal acted

    spacing: Theme.space3
    width: Math.min(parent ? parent.width - 2 * Theme.space5 : 480, 480)

    Icon {
        visible: empty.iconName.length > 0
        anchors.horizontalCenter: parent.horizontalCenter
        name: empty.iconName
        size: 40
        color: Theme.quietText
    }

    Label {
        width: parent.width
        text: empty.title
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        font { pixelSize: Theme.emptyTitleSize; weight: Font.DemiBold }
        Accessible.role: Accessible.Heading
    }

    Label {
        visible: text.length > 0
        width: parent.width
        text: empty.text
        quiet: true
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        lineHeight: 1.4
    }

    Flow {
        id: actions

        anchors.horizontalCenter: parent.horizontalCenter
        width: Math.min(implicitWidth, parent.width)
        spacing: Theme.space2
        topPadding: Theme.space2

        Button {
            visible: empty.actionText.length > 0
            primary: true
            text: empty.actionText
            onClicked: empty.acted()
        }
    }
}
