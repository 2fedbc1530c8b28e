// Asks before an address that a model wrote is opened: the whole address, as it is.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property string address
    readonly property bool web: /^https?:\/\//i.test(address)

    signal copyWanted(string address)

    function ask(address: string) {
        sheet.address = address;
        if (web) open();
    }

    title: qsTr("Open this address in the browser?")
    preferredWidth: 560
    onOpened: keep.forceActiveFocus(Qt.TabFocusReason)

    contentItem: ColumnLayout {
        spacing: Theme.space5

        TextEdit {
            objectName: "linkAddress"
            text: sheet.address
            textFormat: TextEdit.PlainText
            readOnly: true
            selectByMouse: true
            wrapMode: TextEdit.WrapAnywhere
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            font { family: Theme.monospace; pixelSize: Theme.bodySize }
            Layout.fillWidth: true
            Accessible.role: Accessible.StaticText
            Accessible.name: text
        }

        RowLayout {
            spacing: Theme.space2
            Layout.alignment: Qt.AlignRight

            Button { id: keep; text: qsTr("Cancel"); onClicked: sheet.reject() }
            Button { text: qsTr("Copy"); onClicked: { sheet.copyWanted(sheet.address); sheet.accept(); } }

            Button {
                text: qsTr("Open")
                primary: true
                onClicked: {
                    sheet.accept();
                    if (sheet.web) Qt.openUrlExternally(sheet.address);
                }
            }
        }
    }
}
