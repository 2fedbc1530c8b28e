// The one question before something that cannot be undone: it names what is lost. Keeping is the easy way out: it has the
// focus, and Esc means it too.
import QtQuick
import QtQuick.Layouts
import Steelyard.Theme

Sheet {
    id: sheet

    required property string text
    required property string confirmText
    property string keepText: qsTr("Keep")

    signal confirmed

    preferredWidth: 440
    onOpened: keep.forceActiveFocus(Qt.TabFocusReason)

    contentItem: ColumnLayout {
        spacing: Theme.space5

        Label {
            text: sheet.text
            wrapMode: Text.Wrap
            lineHeight: 1.35
            Layout.fillWidth: true
        }

        RowLayout {
            spacing: Theme.space2
            Layout.alignment: Qt.AlignRight

            Button {
                id: keep

                text: sheet.keepText
                onClicked: sheet.reject()
            }

            Button {
                text: sheet.confirmText
                danger: true
                onClicked: {
                    sheet.accept();
                    sheet.confirmed();
                }
            }
        }
    }
}
