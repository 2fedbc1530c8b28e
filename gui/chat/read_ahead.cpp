#include "gui/chat/read_ahead.h"

#include "gui/chat/chat_session.h"
#include "gui/chat/prompt_builder.h"

#include <utility>

namespace steelyard {

ReadAhead::ReadAhead(EngineClient* engine, ChatSession* session, QObject* parent) : QObject(parent), m_engine(engine), m_session(session) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ReadAhead::begin);
    connect(session, &ChatSession::draftChanged, this, &ReadAhead::textChanged);
    connect(session, &ChatSession::editingChanged, this, &ReadAhead::textChanged);
    connect(session, &ChatSession::settingsChanged, this, &ReadAhead::textChanged);
    connect(session, &ChatSession::chatChanged, this, &ReadAhead::textChanged);
    connect(session, &ChatSession::busyChanged, this, &ReadAhead::textChanged);
    connect(engine, &EngineClient::modelStateChanged, this, [this] {
        m_request = 0; // what ran for another model has ended with it
        m_read.clear();
        textChanged();
    });
    connect(engine, &EngineClient::generationFinished, this, [this](const GenerationFinished& finished) {
        if (finished.id == m_request) m_request = 0;
    });
}

void ReadAhead::setOn(bool on) {
    m_on = on;
    textChanged();
}

void ReadAhead::callOff() {
    m_pause.stop();
    m_read.clear();
    if (m_request != 0) m_engine->cancel(std::exchange(m_request, 0));
}

void ReadAhead::textChanged() {
    const QString now = textNow();
    if (!now.isEmpty() && now == m_read) return;
    callOff();
    if (!now.isEmpty()) m_pause.start();
}

QString ReadAhead::textNow() const {
    const bool serves = m_engine->modelState() == EngineClient::ModelState::Ready && m_engine->loadOptions() == m_session->loadOptions();
    if (!m_on || !serves || m_session->chatId() == 0 || m_session->busy()) return {};
    QString text = QString::number(m_session->chatId()) + u'\n';
    for (const MessageRecord& message : m_session->pathOfDraft()) {
        if (message.chatId != m_session->chatId()) return {}; // another chat was opened, and its messages are still to come
        text += QString::number(message.id) + u' ';
    }
    return text + u'\n' + m_session->systemPrompt() + u'\n' + m_session->draft();
}

void ReadAhead::begin() {
    m_read = textNow();
    if (m_read.isEmpty()) return;
    QVector<MessageRecord> path = m_session->pathOfDraft();
    MessageRecord draft;
    draft.content = wholeCharacters(m_session->draft());
    path.append(draft);
    GenerateRequest request;
    request.prompt = buildPrompt(m_session->systemPrompt(), path, !m_engine->facts() || m_engine->facts()->hasChatTemplate);
    request.prompt.stillWriting = request.prompt.kind == Prompt::Kind::Messages;
    request.maxTokens = 0;
    request.chat = static_cast<uint64_t>(m_session->chatId());
    request.priority = Priority::ReadAhead;
    m_request = m_engine->submit(std::move(request));
}

} // namespace steelyard
