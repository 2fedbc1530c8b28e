// The open chat: its messages, its draft, its settings, and what the person can do with them.
//
// Invariant: what is typed is never blocked and never lost (the draft is stored as it grows); asking, editing and asking again
// add to the tree of messages and change nothing that is there. All storing is asked of the store and shown when it is done. Knows
// nothing of other chats or of the list of chats.
#pragma once

#include "gui/chat/load_defaults.h"
#include "gui/chat/reply_runner.h"
#include "gui/chat/sampling_model.h"
#include "gui/chat/thread_model.h"
#include "gui/store/records.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <memory>

namespace steelyard {

class GuessAhead;
class ModelList;
class Store;

class ChatSession : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of the chat desk")
    Q_PROPERTY(double chatId READ chatId NOTIFY chatChanged) // 0 = a new chat, not stored yet
    Q_PROPERTY(QString title READ title NOTIFY chatChanged)
    Q_PROPERTY(steelyard::ThreadModel* thread READ thread CONSTANT)
    Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
    Q_PROPERTY(double editing READ editing NOTIFY editingChanged) // the message that the draft will replace; 0 = none
    Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)            // a reply of this chat is being made
    Q_PROPERTY(QString systemPrompt READ systemPrompt WRITE setSystemPrompt NOTIFY settingsChanged)
    Q_PROPERTY(steelyard::SamplingModel* sampling READ sampling CONSTANT)
    Q_PROPERTY(int replyLimit READ replyLimit WRITE setReplyLimit NOTIFY settingsChanged)          // tokens; 0 = none
    Q_PROPERTY(int contextLength READ contextLength WRITE setContextLength NOTIFY settingsChanged) // tokens; 0 = the default
    Q_PROPERTY(int overflow READ overflow WRITE setOverflow NOTIFY settingsChanged) // when the context is full: the engine's Overflow by its number
    Q_PROPERTY(QString modelPath READ modelPath WRITE setModelPath NOTIFY settingsChanged)
    Q_PROPERTY(int contextUsed READ contextUsed NOTIFY contextChanged)   // tokens of the shown branch
    Q_PROPERTY(int contextDraft READ contextDraft NOTIFY contextChanged) // tokens of the draft, about
    Q_PROPERTY(int contextTotal READ contextTotal NOTIFY contextChanged) // 0 = unknown
    Q_PROPERTY(int longerContextLength READ longerContextLength NOTIFY contextChanged) // 0 = the model has no longer one

public:
    ChatSession(EngineClient* engine, Store* store, ModelList* models, ReplyRunner* runner, GuessAhead* guesses, QObject* parent = nullptr);
    ~ChatSession() override;

    // --- The chat
    void open(qint64 chatId);
    void openNew(const QString& modelPath, const QString& draft = {});
    void openNew(const ChatRecord& settings, const QString& draft); // takes over prompt, sampling and model
    void close();   // stores the draft
    void reload();      // title and messages again from the store
    void reloadTitle(); // after a rename
    void retranslate();
    qint64 chatId() const { return m_chat.id; }
    QString title() const;
    const ChatRecord& record() const { return m_chat; }
    ThreadModel* thread() { return &m_thread; }

    // --- Typing and asking
    QString draft() const { return m_chat.draft; }
    void setDraft(const QString& draft);
    qint64 editing() const { return m_editing; }
    bool busy() const;
    Q_INVOKABLE void send();                   // the draft
    Q_INVOKABLE void stop();
    Q_INVOKABLE void again(qint64 replyId);    // another reply to the same question
    Q_INVOKABLE void goOn(qint64 replyId);     // the same reply, from where it was cut off
    Q_INVOKABLE void beginEdit(qint64 messageId);
    Q_INVOKABLE void cancelEdit();
    Q_INVOKABLE void showBranch(qint64 messageId, int step); // the sibling before (-1) or after (1)
    Q_INVOKABLE void copy(const QString& text) const;
    Q_INVOKABLE void copyMessage(qint64 messageId) const;
    Q_INVOKABLE void dropFiles(const QList<QUrl>& files); // adds the text of files to the draft
    Q_INVOKABLE QVariantMap timing(qint64 replyId) const; // as ReplySheet::map()
    QVector<MessageRecord> pathOfDraft() const; // what the draft follows
    Q_INVOKABLE void showTokens(qint64 replyId);          // answered by tokensRead

    // --- A full context
    Q_INVOKABLE void useLongerContext(qint64 replyId); // loads again with it, then the reply goes on
    Q_INVOKABLE void newFromHere();
    // What would be left out so that this reply can go on: "messages", "tokens", "rows" of "who" and "text"; empty when nothing can go.
    Q_INVOKABLE QVariantMap wouldGo(qint64 replyId) const;
    Q_INVOKABLE void dropOldest(qint64 replyId); // from now on in this chat; the reply goes on

    // --- Settings of this chat
    QString systemPrompt() const { return m_chat.systemPrompt; }
    void setSystemPrompt(const QString& text);
    SamplingModel* sampling() { return &m_sampling; }
    int replyLimit() const;
    void setReplyLimit(int tokens);
    int contextLength() const;
    void setContextLength(int tokens);
    int overflow() const;
    void setOverflow(int overflow);
    LoadOptions loadOptions() const; // the chat's model, as it would be loaded now
    QString modelPath() const { return m_chat.modelPath; }
    void setModelPath(const QString& path); // the person's choice: loads it
    void adoptModel(const QString& path);   // a chat without a model takes this one; loads nothing
    void setLoadDefaults(const LoadDefaults& defaults);
    // Loads the chosen model, unless it is there, on its way, or has just failed; `retry` tries a failed one again.
    Q_INVOKABLE void wakeModel(bool retry = false);

    int contextUsed() const;
    int contextDraft() const;
    int contextTotal() const;
    int longerContextLength() const;

signals:
    void chatChanged();
    void opened();        // another chat is shown now
    void draftChanged();
    void draftReplaced(); // not by typing
    void editingChanged();
    void busyChanged();
    void settingsChanged();
    void contextChanged();
    void stored();        // something that the list of chats shows has changed
    void newChatWanted(const steelyard::ChatRecord& settings, const QString& draft);
    void failed(const QString& sentence);
    void tokensRead(const QVariantList& tokens);

private:
    SamplingOptions modelSampling() const; // what suits the chat's model, once it is loaded
    struct Asked; // what the store answers

    void ask(qint64 parentId, const QString& question); // an empty question: another reply to the parent
    ReplyOrder newOrder() const; // with the chat's settings, for a reply that is still to be named
    void takeOver(const ChatRecord& chat, const QVector<ThreadMessage>& thread);
    void showLive();
    void setSampling(const QString& key, const QJsonValue& value);
    void storeSettings();
    void storeDraft();
    void replaceDraft(const QString& draft);

    EngineClient* m_engine;
    Store* m_store;
    ModelList* m_models;
    ReplyRunner* m_runner;
    GuessAhead* m_guesses;
    ThreadModel m_thread;
    SamplingModel m_sampling;
    ChatRecord m_chat;
    std::shared_ptr<qint64> m_storedId; // of the shown chat; written and read on the store thread only
    quint64 m_generation = 0;           // changes with the shown chat: late answers are told by it
    qint64 m_editing = 0;
    QString m_draftBeforeEdit;
    LoadDefaults m_defaults;
    QTimer m_draftTimer, m_settingsTimer;
    bool m_asking = false;     // the store has not answered yet
    bool m_stopAsked = false;  // meanwhile the person stopped the reply that is to come
};

} // namespace steelyard
