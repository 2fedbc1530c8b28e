// The settings of the open chat and what they mean for loading its model.
#include "gui/chat/chat_session.h"

#include "gui/chat/guess_ahead.h"
#include "gui/store/store.h"

#include <algorithm>

namespace steelyard {
namespace {

const QString kReplyLimit = QStringLiteral("replyLimit"), kContextLength = QStringLiteral("contextLength"), kOverflow = QStringLiteral("overflow");

} // namespace

SamplingOptions ChatSession::modelSampling() const {
    const bool known = m_engine->facts() && m_engine->modelPath() == m_chat.modelPath;
    return known ? m_engine->facts()->sampling.value_or(SamplingOptions()) : SamplingOptions();
}

int ChatSession::replyLimit() const { return std::max(0, m_chat.sampling.value(kReplyLimit).toInt(m_defaults.replyLimit)); }
int ChatSession::contextLength() const { return std::max(0, m_chat.sampling.value(kContextLength).toInt(0)); }

void ChatSession::setReplyLimit(int tokens) { setSampling(kReplyLimit, std::max(0, tokens)); }

void ChatSession::setContextLength(int tokens) {
    setSampling(kContextLength, std::max(0, tokens));
    emit contextChanged();
}

// What fails without asking is nothing for a window.
int ChatSession::overflow() const {
    const int stored = m_chat.sampling.value(kOverflow).toInt(static_cast<int>(Overflow::Stop));
    const bool offered = stored == static_cast<int>(Overflow::DropOldest) || stored == static_cast<int>(Overflow::Shift);
    return offered ? stored : static_cast<int>(Overflow::Stop);
}
void ChatSession::setOverflow(int overflow) { setSampling(kOverflow, overflow); }

void ChatSession::setSampling(const QString& key, const QJsonValue& value) {
    if (m_chat.sampling.value(key) == value) return;
    if (value.isUndefined()) m_chat.sampling.remove(key);
    else m_chat.sampling.insert(key, value);
    m_settingsTimer.start();
    emit settingsChanged();
}

void ChatSession::setSystemPrompt(const QString& text) {
    if (text == m_chat.systemPrompt) return;
    m_chat.systemPrompt = text;
    m_settingsTimer.start();
    emit settingsChanged();
}

void ChatSession::setModelPath(const QString& path) {
    if (path != m_chat.modelPath) {
        m_chat.modelPath = path;
        m_settingsTimer.start();
        emit settingsChanged();
        emit contextChanged();
    }
    wakeModel(true);
}

void ChatSession::adoptModel(const QString& path) {
    if (!m_chat.modelPath.isEmpty() || path.isEmpty()) return;
    m_chat.modelPath = path;
    emit settingsChanged();
    emit contextChanged();
}

void ChatSession::storeSettings() {
    m_settingsTimer.stop();
    m_store->run([stored = m_storedId, chat = m_chat](Repositories& r) -> Result<void> {
        if (*stored == 0) return {}; // a new chat takes them along when it is stored
        if (auto saved = r.chats.setSystemPrompt(*stored, chat.systemPrompt); !saved) return saved;
        if (auto saved = r.chats.setSampling(*stored, chat.sampling); !saved) return saved;
        return r.chats.setModelPath(*stored, chat.modelPath);
    });
}

// --- The model

ReplyOrder ChatSession::newOrder() const {
    ReplyOrder order;
    order.systemPrompt = m_chat.systemPrompt;
    order.sampling = m_chat.sampling;
    order.maxTokens = replyLimit() > 0 ? replyLimit() : -1;
    order.speculation = m_guesses->options(m_chat.modelPath);
    order.overflow = static_cast<Overflow>(overflow());
    order.load = loadOptions();
    return order;
}

void ChatSession::setLoadDefaults(const LoadDefaults& defaults) {
    m_defaults = defaults;
    emit contextChanged();
}

// What is loaded already serves a chat that asks for no other context length.
LoadOptions ChatSession::loadOptions() const {
    LoadOptions options{m_chat.modelPath, m_defaults.device, m_defaults.contextLength, m_defaults.threads, m_guesses->draft(m_chat.modelPath),
                        m_defaults.kvType, m_guesses->usesPredictor(m_chat.modelPath)};
    if (contextLength() > 0) {
        options.contextLength = static_cast<quint32>(contextLength());
        return options;
    }
    const LoadOptions& loaded = m_engine->loadOptions();
    const bool serves = loaded.path == options.path && loaded.device == options.device && loaded.threads == options.threads &&
                        loaded.draft == options.draft && loaded.kvType == options.kvType && loaded.predictor == options.predictor;
    return serves ? loaded : options;
}

void ChatSession::wakeModel(bool retry) {
    if (m_chat.modelPath.isEmpty() || m_runner->isBusy()) return;
    const LoadOptions options = loadOptions();
    const bool same = options == m_engine->loadOptions();
    if (same && m_engine->modelState() == EngineClient::ModelState::Failed && !retry) return;
    m_engine->load(options);
}

} // namespace steelyard
