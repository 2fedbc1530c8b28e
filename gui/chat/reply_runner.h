// Replies while they are made: waits for the model, asks the engine, gathers the text, and saves it at least every second.
//
// Invariant: a reply is a stored message from its first moment; whatever ends it (the model, the person, a failure, the end of
// the program) its text so far is in the store. Replies run on while another chat is shown. A reply that needs another model
// waits until those that run have ended, then has it loaded. The chat on the screen is served first. Knows nothing of how a chat is shown.
#pragma once

#include "gui/chat/reasoning.h"
#include "gui/engine_client/engine_client.h"
#include "gui/store/records.h"

#include <QElapsedTimer>
#include <QHash>
#include <QJsonArray>
#include <QObject>
#include <QTimer>

#include <deque>
#include <memory>

namespace steelyard {

class Store;

struct ReplyOrder {
    MessageRecord reply;           // as it was stored: with its ids, and what it says so far
    bool goesOn = false;           // it was cut off and goes on where it stopped
    QVector<MessageRecord> path;   // ends with the message to be answered
    QString systemPrompt;
    QJsonObject sampling;          // what was chosen for the chat (sampling_parameters.h); the rest is what suits the model
    int maxTokens = -1;
    SpeculationOptions speculation;
    Overflow overflow = Overflow::Stop;
    LoadOptions load;              // the model that is to answer
};

struct LiveReply {
    enum class Phase { WaitingForTurn, LoadingModel, Queued, Reading, Writing }; // Queued: the engine works on others
    ReplyOrder order;
    Phase phase = Phase::WaitingForTurn;
    RequestId request = 0;
    Priority priority = Priority::Foreground;
    bool guesses = false;          // guessing ahead is on
    int repliesBefore = 0;         // while Queued: of ours, how many come first
    QString text;                  // as it came, reasoning included
    ReplyParts parts;
    int tokens = 0;
    QJsonArray probabilities;      // of its tokens (token_probabilities.h), where they are kept
    qreal loadFraction = 0;
    int promptTokens = 0, reusedTokens = 0, readTokens = 0;
    qint64 reasoningMs = 0;
    QElapsedTimer sinceFirst;      // since the first text
    bool stopRequested = false;
};

class ReplyRunner : public QObject {
    Q_OBJECT

public:
    ReplyRunner(EngineClient* engine, Store* store, QObject* parent = nullptr);
    ~ReplyRunner() override;

    void order(ReplyOrder order);
    void stop(qint64 replyId);
    void stopAll(); // and saves: the program ends
    // The reply while it is made, else nullptr.
    const LiveReply* live(qint64 replyId) const;
    const LiveReply* liveOfChat(qint64 chatId) const;
    bool isBusy() const { return !m_replies.empty(); }
    int waiting() const; // replies that have not begun
    int running() const { return static_cast<int>(m_replies.size()) - waiting(); }
    // The chat on the screen; counts from the next request on. 0 = one that is not stored.
    void setShownChat(qint64 chatId) { m_shownChat = chatId; }

signals:
    void changed(qint64 replyId);                             // text or phase
    void ended(const steelyard::MessageRecord& reply); // as it is stored
    void failed(const QString& sentence);                     // the store refused

private:
    LiveReply* find(qint64 replyId);
    LiveReply* findRequest(RequestId request);
    void pump();
    void submit(LiveReply& reply);
    void end(LiveReply& reply, StopReason reason, const QString& sentence, const GenerationStatistics* statistics);
    void save(const LiveReply& reply);
    void saveAll();
    void onText(quint64 request, const QString& text, int tokens);
    void onLogprobs(quint64 request, const std::vector<TokenLogprobs>& tokens);
    void onProgress(const PromptProgress& progress);
    void onFinished(const GenerationFinished& finished);
    void onModelState();
    void onLoadFraction();
    void onSnapshot();

    EngineClient* m_engine;
    Store* m_store;
    std::deque<std::unique_ptr<LiveReply>> m_replies; // in order of arrival
    QTimer m_saveTimer;
    qint64 m_shownChat = 0;
};

} // namespace steelyard
