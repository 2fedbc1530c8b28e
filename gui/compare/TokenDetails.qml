// What each column says of one token: how probable it is, which choice it was, and what could have stood in its place.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

Rectangle {
    id: details

    required property SameTextView view
    required property int current

    implicitHeight: row.implicitHeight + 2 * Theme.space2
    radius: Theme.cardRadius
    color: Theme.surface
    border { width: 1; color: Theme.line }

    RowLayout {
        id: row

        anchors { left: parent.left; right: parent.right; top: parent.top; margins: Theme.space2; leftMargin: Theme.space3; rightMargin: Theme.space3 }
        spacing: Theme.space4

        Repeater {
            model: details.visible ? details.view.columns : []

            ColumnLayout {
                id: column

                required property var modelData
                required property int index

                spacing: 1
                Layout.fillWidth: true
                Layout.preferredWidth: 1
                Layout.alignment: Qt.AlignTop

                Label {
                    text: "“" + (column.modelData.tokens[details.current]?.text ?? "") + "”  " + column.modelData.name
                    font.weight: Font.DemiBold
                    Layout.fillWidth: true
                }
                Label {
                    objectName: "tokenSummary"
                    text: details.view.tokenSummary(column.index, details.current)
                    quiet: true
                    font.pixelSize: Theme.captionSize
                    wrapMode: Text.Wrap
                    Layout.fillWidth: true
                }

                Repeater {
                    model: details.view.alternatives(column.index, details.current)

                    RowLayout {
                        id: other

                        required property var modelData

                        spacing: Theme.space2
                        Layout.fillWidth: true
                        Accessible.role: Accessible.StaticText
                        Accessible.name: modelData.text + ", " + modelData.percent + (modelData.chosen ? ", " + qsTr("chosen") : "")

                        Label { text: other.modelData.text; font { pixelSize: Theme.captionSize; weight: other.modelData.chosen ? Font.Bold : Font.Normal } Layout.preferredWidth: 1; Layout.fillWidth: true; Accessible.ignored: true }
                        Rectangle {
                            implicitHeight: 5
                            radius: 2.5
                            color: Theme.line
                            Layout.preferredWidth: 1
                            Layout.fillWidth: true

                            Rectangle { width: parent.width * other.modelData.share; height: parent.height; radius: 2.5; color: other.modelData.chosen ? Theme.accent : Theme.quietText }
                        }
                        Label { text: other.modelData.percent; font.pixelSize: Theme.captionSize; horizontalAlignment: Text.AlignRight; Layout.preferredWidth: Theme.captionSize * 4.6; Accessible.ignored: true }
                    }
                }
            }
        }
    }
}
