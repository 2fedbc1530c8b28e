// The settings of the open chat, what they mean for loading its model, and how full its context is.
#include "gui/chat/chat_session.h"

#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QLocale>

#include <algorithm>

namespace steelyard {
namespace {

const QString kTemperature = QStringLiteral("temperature"), kTopP = QStringLiteral("topP"), kReplyLimit = QStringLiteral("replyLimit"),
              kContextLength = QStringLiteral("contextLength");
constexpr double kCharactersPerToken = 3.5; // of a draft, until the model has read it

} // namespace

SamplingOptions ChatSession::modelSampling() const {
    const bool known = m_engine->facts() && m_engine->modelPath() == m_chat.modelPath;
    return known ? m_engine->facts()->sampling.value_or(SamplingOptions()) : SamplingOptions();
}

double ChatSession::temperature() const { return m_chat.sampling.value(kTemperature).toDouble(modelSampling().temperature); }
double ChatSession::topP() const { return m_chat.sampling.value(kTopP).toDouble(modelSampling().topP); }
bool ChatSession::ownTemperature() const { return m_chat.sampling.contains(kTemperature); }
bool ChatSession::ownTopP() const { return m_chat.sampling.contains(kTopP); }
int ChatSession::replyLimit() const { return std::max(0, m_chat.sampling.value(kReplyLimit).toInt(m_defaults.replyLimit)); }
int ChatSession::contextLength() const { return std::max(0, m_chat.sampling.value(kContextLength).toInt(0)); }

void ChatSession::setTemperature(double value) { setSampling(kTemperature, std::clamp(value, 0.0, 2.0)); }
void ChatSession::setTopP(double value) { setSampling(kTopP, std::clamp(value, 0.0, 1.0)); }
void ChatSession::setReplyLimit(int tokens) { setSampling(kReplyLimit, std::max(0, tokens)); }

void ChatSession::setContextLength(int tokens) {
    setSampling(kContextLength, std::max(0, tokens));
    emit contextChanged();
}

void ChatSession::setSampling(const QString& key, const QJsonValue& value) {
    if (m_chat.sampling.value(key) == value) return;
    m_chat.sampling.insert(key, value);
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
    order.sampling.temperature = static_cast<float>(temperature());
    order.sampling.topP = static_cast<float>(topP());
    order.ownTemperature = ownTemperature();
    order.ownTopP = ownTopP();
    order.maxTokens = replyLimit() > 0 ? replyLimit() : -1;
    order.load = loadOptions();
    return order;
}

void ChatSession::setLoadDefaults(const LoadDefaults& defaults) {
    m_defaults = defaults;
    emit contextChanged();
}

// What is loaded already serves a chat that asks for no other context length.
LoadOptions ChatSession::loadOptions() const {
    LoadOptions options{m_chat.modelPath, m_defaults.device, m_defaults.contextLength, m_defaults.threads};
    if (contextLength() > 0) {
        options.contextLength = static_cast<quint32>(contextLength());
        return options;
    }
    const LoadOptions& loaded = m_engine->loadOptions();
    const bool serves = loaded.path == options.path && loaded.device == options.device && loaded.threads == options.threads;
    return serves ? loaded : options;
}

void ChatSession::wakeModel(bool retry) {
    if (m_chat.modelPath.isEmpty() || m_runner->isBusy()) return;
    const LoadOptions options = loadOptions();
    const bool same = options == m_engine->loadOptions();
    if (same && m_engine->modelState() == EngineClient::ModelState::Failed && !retry) return;
    m_engine->load(options);
}

int ChatSession::contextUsed() const {
    if (const LiveReply* live = m_chat.id != 0 ? m_runner->liveOfChat(m_chat.id) : nullptr; live && live->promptTokens > 0)
        return live->promptTokens + live->tokens;
    for (const ThreadMessage* message = m_thread.last(); message; message = m_thread.find(message->message.parentId))
        if (message->message.figures) return message->message.figures->promptTokens + message->message.figures->tokens;
    return 0;
}

int ChatSession::contextDraft() const { return static_cast<int>(double(m_chat.draft.size()) / kCharactersPerToken + 0.5); }

int ChatSession::contextTotal() const {
    if (m_engine->facts() && m_engine->modelPath() == m_chat.modelPath) return static_cast<int>(m_engine->facts()->contextLength);
    if (m_chat.modelPath.isEmpty()) return 0;
    const quint32 wanted = loadOptions().contextLength;
    const qint64 total = wanted > 0 ? wanted : kDefaultContext;
    const ModelEntry* entry = m_models->find(m_chat.modelPath);
    return static_cast<int>(entry && entry->trainedContext > 0 ? std::min(total, entry->trainedContext) : total);
}

int ChatSession::longerContextLength() const {
    qint64 trained = 0;
    if (const ModelEntry* entry = m_models->find(m_chat.modelPath)) trained = entry->trainedContext;
    if (m_engine->facts() && m_engine->modelPath() == m_chat.modelPath) trained = m_engine->facts()->trainedContext;
    const qint64 longer = std::min<qint64>(2 * qint64(contextTotal()), trained);
    return longer > contextTotal() ? static_cast<int>(longer) : 0;
}

void ChatSession::useLongerContext(qint64 replyId) {
    const int length = longerContextLength();
    if (length == 0 || m_asking) return;
    LoadOptions options = loadOptions();
    options.contextLength = static_cast<quint32>(length);
    m_engine->plan(options, this, [this, length, replyId, generation = m_generation](const Result<MemoryPlan>& plan) {
        if (generation != m_generation) return;
        const QLocale locale;
        if (plan && plan->fit == MemoryPlan::Fit::WillNotFit) {
            emit failed(tr("A context of %1 tokens does not fit into memory: %2 are missing.")
                            .arg(locale.toString(length), bytesInWords(static_cast<qint64>(plan->missingBytes))));
            return;
        }
        setContextLength(length);
        goOn(replyId); // the order carries the longer context, which loads the model anew
    });
}

void ChatSession::newFromHere() {
    QString question;
    for (const ThreadMessage* message = m_thread.last(); message; message = m_thread.find(message->message.parentId)) {
        if (message->message.role != MessageRole::User) continue;
        question = message->message.content;
        break;
    }
    emit newChatWanted(m_chat, question);
}

} // namespace steelyard
