// How the next token is chosen: the two numbers that most people use, and all others folded below them.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Steelyard.Chat
import Steelyard.Controls
import Steelyard.Theme

ColumnLayout {
    id: section

    required property SamplingModel sampling
    property bool open: false

    spacing: Theme.space2

    Repeater {
        model: section.sampling

        ColumnLayout {
            id: row

            required property string key
            required property string label
            required property string tip
            required property string group
            required property real from
            required property real to
            required property real step
            required property real value
            required property bool own
            required property bool isText
            required property string text
            required property string example
            required property string problem
            required property bool begins // the first of its group

            visible: group.length === 0 || section.open
            spacing: Theme.space1
            Layout.fillWidth: true

            Label {
                visible: row.begins
                text: row.group
                font { pixelSize: Theme.captionSize; weight: Font.DemiBold }
                quiet: true
                Layout.topMargin: Theme.space2
                Layout.fillWidth: true
                Accessible.role: Accessible.Heading
            }

            LabelledSlider {
                objectName: row.key
                visible: !row.isText
                label: row.label
                tip: row.tip
                from: row.from
                to: row.to
                stepSize: row.step
                value: row.value
                resettable: row.own
                Layout.fillWidth: true
                onMoved: value => section.sampling.setNumber(row.key, value)
                onResetWanted: section.sampling.reset(row.key)
            }

            TextRowField {
                objectName: row.key + "Text"
                visible: row.isText
                label: row.label
                tip: row.tip
                value: row.text
                example: row.example
                problem: row.problem
                Layout.fillWidth: true
                onChosen: text => section.sampling.setText(row.key, text)
            }
        }
    }

    Flow {
        spacing: Theme.space2
        Layout.fillWidth: true

        Button {
            objectName: "moreSampling"
            flat: true
            iconName: section.open ? "chevron-up" : "chevron-down"
            text: section.open ? qsTr("Fewer") : section.sampling.hiddenOwnCount > 0 ? qsTr("More (%1 changed)").arg(section.sampling.hiddenOwnCount) : qsTr("More")
            onClicked: section.open = !section.open
        }

        Button {
            objectName: "resetSampling"
            visible: section.sampling.ownCount > 0
            flat: true
            iconName: "reset"
            text: qsTr("Reset all")
            tip: qsTr("Back to what suits the model")
            onClicked: section.sampling.resetAll()
        }
    }

    Switch {
        objectName: "logprobs"
        text: qsTr("Keep how sure the model was")
        checked: section.sampling.logprobs
        Layout.fillWidth: true
        onToggled: section.sampling.setLogprobs(checked)

        HoverHandler { id: overLogprobs }
        HoverTip { text: qsTr("Stores with each new reply how probable its tokens were; \"tokens\" under the reply shows them."); shown: overLogprobs.hovered }
    }
}
