// Who replies, and what it is doing before the first word.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

ThreadRow {
    id: row

    required property string modelName
    required property string status

    topGap: Theme.space4

    RowLayout {
        width: parent.width
        spacing: Theme.space2

        Label {
            text: row.modelName
            font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
            quiet: true
            Layout.maximumWidth: row.columnWidth * 0.6
        }

        Label {
            objectName: "replyStatus"
            text: row.status
            quiet: true
            font.pixelSize: Theme.captionSize
            Layout.fillWidth: true
        }
    }
}
