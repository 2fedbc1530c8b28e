#include "gui/chat/prompt_builder.h"

#include <algorithm>

namespace steelyard {
namespace {

constexpr qsizetype kMaxTitle = 60;

// Stopped before it began.
bool isEmptyReply(const MessageRecord& message) {
    return message.role != MessageRole::User && message.content.isEmpty() && message.reasoning.isEmpty();
}

Prompt chatPrompt(const QString& systemPrompt, const QVector<MessageRecord>& path) {
    Prompt prompt;
    prompt.kind = Prompt::Kind::Messages;
    if (!systemPrompt.trimmed().isEmpty())
        prompt.messages.push_back({"system", systemPrompt.toStdString(), {}});
    for (const MessageRecord& message : path) {
        const bool fromUser = message.role == MessageRole::User;
        if (isEmptyReply(message)) continue;
        const std::string role = fromUser ? "user" : "assistant";
        const std::string content = message.content.toStdString();
        if (!prompt.messages.empty() && prompt.messages.back().role == role)
            prompt.messages.back().content += "\n\n" + content;
        else
            prompt.messages.push_back({role, content, message.reasoning.toStdString()});
    }
    return prompt;
}

Prompt textPrompt(const QString& systemPrompt, const QVector<MessageRecord>& path) {
    QString text = systemPrompt;
    for (const MessageRecord& message : path) {
        // A new entry of the person begins a line, a reply goes on where the text ended.
        if (message.role == MessageRole::User && !text.isEmpty() && !text.back().isSpace()) text += u'\n';
        text += message.content;
    }
    Prompt prompt;
    prompt.kind = Prompt::Kind::Text;
    prompt.text = text.toStdString();
    return prompt;
}

} // namespace

Prompt buildPrompt(const QString& systemPrompt, const QVector<MessageRecord>& path, bool hasChatTemplate) {
    return hasChatTemplate ? chatPrompt(systemPrompt, path) : textPrompt(systemPrompt, path);
}

QVector<MessageRecord> oldestMessages(const QVector<MessageRecord>& path, int count) {
    QVector<MessageRecord> oldest;
    for (const MessageRecord& message : path) {
        if (isEmptyReply(message)) continue;
        const bool begins = oldest.isEmpty() || oldest.last().role != message.role; // of one role in a row they are joined
        if (begins && count-- <= 0) break;
        oldest.append(message);
    }
    return oldest;
}

QString wholeCharacters(QString text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!text[i].isSurrogate()) continue;
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair)
            ++i;
        else
            text[i] = QChar::ReplacementCharacter;
    }
    return text;
}

QString titleFrom(const QString& question) {
    QString line = question.trimmed().section(u'\n', 0, 0).simplified();
    if (line.size() <= kMaxTitle) return line;
    qsizetype end = line.lastIndexOf(u' ', kMaxTitle);
    if (end < kMaxTitle / 2) end = kMaxTitle;
    if (line[end - 1].isHighSurrogate()) --end;
    return line.left(end) + u'…';
}

} // namespace steelyard
