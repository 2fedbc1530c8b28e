// One place of the window: what it is called, its icon, and how to build it.
import QtQuick

QtObject {
    required property string key
    required property string title
    required property string iconName
    required property Component page
}
