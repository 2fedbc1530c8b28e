// Quality against size and speed against size: what a level costs, and what it saves.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Compare
import Steelyard.Controls
import Steelyard.Theme

GridLayout {
    id: plots

    required property ReportDesk report
    readonly property bool wide: width > 760

    columns: wide ? 2 : 1
    columnSpacing: Theme.space3
    rowSpacing: Theme.space3

    component PlotCard: Rectangle {
        id: card

        required property string title
        required property var points
        required property string yTitle
        property real level: -1
        property string levelLabel

        implicitHeight: 280
        radius: Theme.cardRadius
        color: Theme.surface
        border { width: 1; color: Theme.line }
        visible: points.length > 0
        Layout.fillWidth: true
        Layout.preferredWidth: 1
        Accessible.role: Accessible.Chart
        Accessible.name: title + ": " + points.map(point => point.label + " " + Number(point.y).toLocaleString(Theme.locale, "f", 3)).join(", ")

        Label { id: caption; x: Theme.space4; y: Theme.space3; text: card.title; font.weight: Font.DemiBold; width: parent.width - 2 * Theme.space4; Accessible.ignored: true }

        PointPlot {
            id: plot

            anchors { fill: parent; margins: Theme.space3; topMargin: Theme.space3 + caption.height + Theme.space2 }
            points: card.points
            yTitle: card.yTitle
            level: card.level
            levelLabel: card.levelLabel
            xTitle: qsTr("size of the file")
            textColor: Theme.text
            quietColor: Theme.quietText
            lineColor: Theme.line
            colors: [Theme.accent]
            font { family: Theme.fontFamily; pixelSize: Theme.captionSize }
        }
    }

    PlotCard {
        title: qsTr("Quality against size: lower is closer to the reference")
        points: plots.report.qualityPoints
        yTitle: qsTr("distance, nats")
        level: 0.1
        levelLabel: qsTr("small below this")
    }

    PlotCard {
        title: qsTr("Speed against size: higher is faster")
        points: plots.report.speedPoints
        yTitle: qsTr("writing, tokens per second")
    }
}
