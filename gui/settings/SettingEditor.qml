// The control that fits the kind of a setting. `chosen` tells the new value; the shown one comes from the setting only.
import QtQuick
import QtQuick.Layouts
import Steelyard.Controls
import Steelyard.Theme

Loader {
    id: editor

    required property var setting

    signal chosen(value: var)

    sourceComponent: setting.kind === "switch" ? onOff
                   : setting.kind === "choice" || setting.kind === "device" ? choice
                   : ["integer", "number", "space"].includes(setting.kind) ? number : null

    // A Loader of this Qt cannot build bound components, so what they see of this file is not checked.
    // qmllint disable unqualified
    Component {
        id: onOff

        Switch {
            text: checked ? qsTr("on") : qsTr("off")
            checked: editor.setting.value
            Accessible.name: editor.setting.title
            onToggled: editor.chosen(checked)
        }
    }

    Component {
        id: choice

        ComboBox {
            id: box

            label: editor.setting.title
            implicitWidth: 240
            textRole: "text"
            valueRole: "value"
            model: editor.setting.choices
            chosen: editor.setting.choices.findIndex(entry => entry.value === editor.setting.value)
            displayText: editor.setting.choices[chosen]?.text ?? ""
            onActivated: index => editor.chosen(editor.setting.choices[index].value)
        }
    }

    Component {
        id: number

        RowLayout {
            id: steps

            readonly property bool empty: editor.setting.value === 0 && editor.setting.zeroText.length > 0
            readonly property int decimals: editor.setting.kind === "number" ? 2 : 0
            readonly property string shown: empty ? "" : Number(editor.setting.value).toLocaleString(Theme.locale, "f", decimals)

            spacing: Theme.space1

            // Anything that is no number leaves the value as it was; nothing at all means 0 where 0 has a meaning.
            function typed(text: string) {
                const clean = text.replace(/[\s\u00A0\u202F]/g, "");
                const plain = steps.decimals > 0 ? clean.replace(",", ".") : clean.replace(/[.,]/g, "");
                if (plain.length > 0 ? !isNaN(Number(plain)) : editor.setting.zeroText.length > 0) editor.chosen(Number(plain));
                field.text = Qt.binding(() => steps.shown);
            }

            IconButton {
                iconName: "minus"
                text: qsTr("Less")
                enabled: editor.setting.value > editor.setting.minimum
                onClicked: editor.chosen(editor.setting.value - editor.setting.step)
            }

            TextField {
                id: field

                label: editor.setting.title
                text: steps.shown
                placeholderText: steps.empty && !activeFocus ? editor.setting.zeroText : ""
                horizontalAlignment: steps.empty ? TextInput.AlignLeft : TextInput.AlignRight
                inputMethodHints: Qt.ImhFormattedNumbersOnly
                Layout.preferredWidth: editor.setting.zeroText.length > 0 ? 168 : 84
                onEditingFinished: steps.typed(text)

                HoverTip { text: field.placeholderText; shown: field.hovered && steps.empty }
            }

            Label {
                visible: text.length > 0 && !steps.empty
                text: editor.setting.unit
                quiet: true
            }

            IconButton {
                iconName: "plus"
                text: qsTr("More")
                enabled: editor.setting.value < editor.setting.maximum
                onClicked: editor.chosen(editor.setting.value + editor.setting.step)
            }
        }
    }
    // qmllint enable unqualified
}
