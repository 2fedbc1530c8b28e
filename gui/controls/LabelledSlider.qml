// A number between two ends: its name, a slider, and a field where the exact value can be typed. `moved` tells what the
// person chose, while dragging too; `value` is only ever written from outside.
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Steelyard.Theme

ColumnLayout {
    id: control

    required property string label
    property real from: 0
    property real to: 1
    property real stepSize: 0
    property real value: 0
    property int decimals: stepSize >= 1 ? 0 : 2
    property string unit
    property string tip
    property bool resettable: false // the value is not the usual one

    signal moved(real value)
    signal resetWanted

    spacing: 0

    function tell(number: real) {
        const step = stepSize > 0 ? Math.round((number - from) / stepSize) * stepSize + from : number;
        control.moved(Math.max(from, Math.min(to, step)));
    }

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space2

        Label {
            text: control.label
            Layout.fillWidth: true

            HoverHandler { id: pointer }
            HoverTip { text: control.tip; shown: pointer.hovered }
        }

        IconButton {
            visible: control.resettable
            iconName: "reset"
            iconSize: 14
            implicitWidth: 24
            implicitHeight: 24
            text: qsTr("Reset %1").arg(control.label)
            onClicked: control.resetWanted()
        }

        TextField {
            id: field

            label: control.label
            implicitWidth: Math.max(64, Theme.bodySize * 5)
            horizontalAlignment: TextInput.AlignRight
            text: Number(control.value).toLocaleString(Theme.locale, "f", control.decimals)
            inputMethodHints: Qt.ImhFormattedNumbersOnly
            // Anything that is no number leaves the value as it was.
            onEditingFinished: {
                const number = Number(text.replace(/\s/g, "").replace(",", "."));
                if (text.length > 0 && !isNaN(number)) control.tell(number);
                text = Qt.binding(() => Number(control.value).toLocaleString(Theme.locale, "f", control.decimals));
            }
        }

        Label { visible: control.unit.length > 0; text: control.unit; quiet: true }
    }

    T.Slider {
        id: slider

        Layout.fillWidth: true
        implicitWidth: 120
        implicitHeight: 24
        from: control.from
        to: control.to
        stepSize: control.stepSize
        value: control.value
        focusPolicy: Qt.StrongFocus
        opacity: enabled ? 1 : 0.5
        Accessible.role: Accessible.Slider
        Accessible.name: control.label
        Accessible.description: control.tip
        onMoved: control.tell(value)

        background: Rectangle {
            x: slider.leftPadding
            y: (slider.height - height) / 2
            width: slider.availableWidth
            height: 4
            radius: 2
            color: Theme.line

            Rectangle { width: slider.visualPosition * parent.width; height: 4; radius: 2; color: Theme.accent }
        }

        handle: Rectangle {
            x: slider.leftPadding + slider.visualPosition * (slider.availableWidth - width)
            y: (slider.height - height) / 2
            width: 16
            height: 16
            radius: 8
            color: slider.pressed ? Theme.accent : Theme.surface
            border { width: 2; color: Theme.accent }

            FocusRing { shown: slider.visualFocus; radius: 11 }
        }
    }
}
