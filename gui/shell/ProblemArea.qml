// The banners over the pages: one per problem of the program.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Controls
import Steelyard.Shell

Column {
    id: area

    required property ProblemList problems

    Repeater {
        model: area.problems

        Banner {
            id: banner

            required property var model

            width: area.width
            text: model.text
            tone: model.tone
            actionText: model.action
            onActed: area.problems.act(model.key)
            onClosed: area.problems.dismiss(model.key)
        }
    }
}
