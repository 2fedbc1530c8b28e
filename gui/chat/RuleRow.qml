// A line across a reply.
import QtQuick
import Steelyard.Theme

ThreadRow {
    id: row

    topGap: Theme.space4

    Rectangle {
        width: row.columnWidth
        height: 1
        color: Theme.line
    }
}
