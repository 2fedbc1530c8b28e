// Where the time of one reply went, whether it was slow to start or slow to stream, and what the cache and guesses were worth.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

Sheet {
    id: sheet

    property var timing: ({})

    function show(timing: var) {
        sheet.timing = timing;
        flick.contentY = 0;
        open();
    }

    title: qsTr("Where the time went")
    preferredWidth: Math.round(680 * Math.min(1.3, Theme.textScale))

    contentItem: Flickable {
        id: flick

        objectName: "timingSheet"
        implicitHeight: column.implicitHeight
        contentHeight: column.implicitHeight
        clip: true
        focus: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollBar {}
        Keys.onUpPressed: contentY = Math.max(0, contentY - 48)
        Keys.onDownPressed: contentY = Math.max(0, Math.min(contentHeight - height, contentY + 48))

        ColumnLayout {
            id: column

            width: parent.width - Theme.space3
            spacing: Theme.space3

            RowLayout {
                spacing: Theme.space2

                Icon { name: sheet.timing.slow ? "clock" : "check"; color: sheet.timing.slow ? Theme.warn : Theme.good }
                Label { objectName: "timingVerdict"; text: sheet.timing.verdict ?? ""; font.weight: Font.DemiBold; wrapMode: Text.Wrap; Layout.fillWidth: true }
            }

            Label {
                objectName: "timingLongest"
                visible: text.length > 0
                text: [sheet.timing.longest ?? "", sheet.timing.advice ?? ""].filter(part => part.length > 0).join(" ")
                wrapMode: Text.Wrap
                lineHeight: 1.3
                Layout.fillWidth: true
            }

            Repeater {
                model: sheet.timing.sections ?? []

                Column {
                    id: section

                    required property var modelData

                    Layout.fillWidth: true

                    Label {
                        text: section.modelData.title
                        quiet: true
                        font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
                        leftPadding: Theme.space2
                        bottomPadding: Theme.space1
                        Accessible.role: Accessible.Heading
                    }

                    Repeater {
                        model: section.modelData.rows

                        FigureLine { width: section.width }
                    }
                }
            }
        }
    }
}
