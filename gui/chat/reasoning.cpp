#include "gui/chat/reasoning.h"

#include <array>

namespace steelyard {
namespace {

struct TagPair {
    QLatin1String open, close;
};
constexpr std::array kTags{
    TagPair{QLatin1String("<think>"), QLatin1String("</think>")},
    TagPair{QLatin1String("<thinking>"), QLatin1String("</thinking>")},
    TagPair{QLatin1String("<thought>"), QLatin1String("</thought>")},
    TagPair{QLatin1String("<reasoning>"), QLatin1String("</reasoning>")},
    TagPair{QLatin1String("[THINK]"), QLatin1String("[/THINK]")},
    TagPair{QLatin1String("<seed:think>"), QLatin1String("</seed:think>")},
};

qsizetype firstVisible(QStringView text) {
    qsizetype i = 0;
    while (i < text.size() && text[i].isSpace()) ++i;
    return i;
}

// Without the blank lines that stand between a tag and the text.
QString withoutEdges(QStringView text) { return text.trimmed().toString(); }
QString withoutFront(QStringView text) {
    qsizetype i = 0;
    while (i < text.size() && (text[i] == u'\n' || text[i] == u'\r')) ++i;
    return text.mid(i).toString();
}

// How many characters at the end of `text` may be the beginning of `tag`.
qsizetype halfTag(QStringView text, QLatin1String tag) {
    for (qsizetype n = std::min<qsizetype>(tag.size() - 1, text.size()); n > 0; --n)
        if (text.endsWith(tag.left(n))) return n;
    return 0;
}

} // namespace

ReplyParts splitReply(const QString& text, bool complete) {
    const qsizetype start = firstVisible(text);
    const QStringView body = QStringView(text).mid(start);
    for (const TagPair& tag : kTags) {
        if (body.startsWith(tag.open)) {
            const QStringView inside = body.mid(tag.open.size());
            const qsizetype end = inside.indexOf(tag.close);
            if (end < 0) {
                const qsizetype held = complete ? 0 : halfTag(inside, tag.close);
                return {withoutEdges(inside.chopped(held)), {}, true};
            }
            return {withoutEdges(inside.left(end)), withoutFront(inside.mid(end + tag.close.size())), false};
        }
        if (!complete && !body.isEmpty() && body.size() < tag.open.size() && tag.open.startsWith(body)) return {};
    }
    // The template had opened the tag in the prompt, so that the reply only closes it.
    const QLatin1String close = kTags[0].close;
    const qsizetype end = body.indexOf(close);
    if (end >= 0 && body.indexOf(kTags[0].open) < 0 && body.left(end).indexOf(u"```") < 0 && body.left(end).indexOf(u'`') < 0)
        return {withoutEdges(body.left(end)), withoutFront(body.mid(end + close.size())), false};
    return {{}, text, false};
}

QString joinReply(const QString& reasoning, const QString& answer) {
    if (reasoning.isEmpty()) return answer;
    const QString opened = kTags[0].open + u'\n' + reasoning;
    return answer.isEmpty() ? opened : opened + u'\n' + kTags[0].close + QStringLiteral("\n\n") + answer;
}

} // namespace steelyard
