// What there is to know before reading on: a load that failed, a base model, a template that cannot be used, notices.
pragma ComponentBehavior: Bound
import QtQuick
import Steelyard.Chat
import Steelyard.Controls

Column {
    id: banners

    required property ChatDesk desk
    readonly property ModelControl model: desk.model
    readonly property bool here: model.path.length > 0 && model.path === desk.session.modelPath
    property string problem // something that could not be done
    property string dismissedNotices

    Banner {
        objectName: "problemBanner"
        width: parent.width
        visible: banners.problem.length > 0
        tone: "bad"
        text: banners.problem
        onClosed: banners.problem = ""
    }

    Banner {
        objectName: "loadFailedBanner"
        width: parent.width
        visible: banners.here && banners.model.state === ModelControl.Failed
        tone: "bad"
        text: banners.model.failure
        actionText: qsTr("Try again")
        closable: false
        onActed: banners.desk.session.wakeModel(true)
    }

    Banner {
        objectName: "templateBanner"
        width: parent.width
        visible: banners.here && banners.model.templateProblem.length > 0
        tone: "warn"
        text: banners.model.templateProblem
        closable: false
    }

    Banner {
        objectName: "baseModelBanner"
        width: parent.width
        visible: banners.here && banners.model.baseModel && banners.model.templateProblem.length === 0
        tone: "info"
        text: qsTr("%1 is a base model: it continues your text instead of answering.").arg(banners.model.title)
        closable: false
    }

    Banner {
        objectName: "noticeBanner"
        width: parent.width
        visible: banners.here && text.length > 0 && text !== banners.dismissedNotices
        tone: "info"
        text: banners.model.notices
        onClosed: banners.dismissedNotices = text
    }
}
