// What all rows of a thread share: the column in the middle of the list, and the gap above.
import QtQuick

Item {
    id: row

    required property real columnWidth
    property real topGap: 0
    default property alias content: inner.data

    width: ListView.view ? ListView.view.width : 0
    height: topGap + inner.childrenRect.height

    Item {
        id: inner

        x: Math.round((row.width - row.columnWidth) / 2)
        y: row.topGap
        width: row.columnWidth
        height: childrenRect.height
    }
}
