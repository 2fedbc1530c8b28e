// The chat page's one door: the list of chats, the open chat and the model, made from what the program owns.
//
// Invariant: exactly one chat is open; a new chat is not stored before something is typed or sent. Nothing loads a model at
// start: loading begins when a chat with a chosen model is opened by the person or typed into. Knows nothing of windows or
// of the settings' schema.
#pragma once

#include "gui/chat/chat_list.h"
#include "gui/chat/chat_session.h"
#include "gui/chat/guess_ahead.h"
#include "gui/chat/load_defaults.h"
#include "gui/chat/model_control.h"
#include "gui/chat/read_ahead.h"
#include "gui/chat/reply_runner.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class EngineClient;
class ModelList;
class Store;

class ChatDesk : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(steelyard::ChatList* list READ list CONSTANT)
    Q_PROPERTY(steelyard::ChatSession* session READ session CONSTANT)
    Q_PROPERTY(steelyard::ModelControl* model READ model CONSTANT)
    Q_PROPERTY(steelyard::GuessAhead* guesses READ guesses CONSTANT)
    Q_PROPERTY(QString work READ work NOTIFY workChanged) // "2 running, 1 waiting"; empty while nothing is made

public:
    // All three outlive the desk.
    ChatDesk(EngineClient* engine, Store* store, ModelList* models, QObject* parent = nullptr);
    ~ChatDesk() override;

    ChatList* list() { return &m_list; }
    ChatSession* session() { return &m_session; }
    ModelControl* model() { return &m_model; }
    GuessAhead* guesses() { return &m_guesses; }
    QString work() const;

    void setLoadDefaults(const LoadDefaults& defaults);

    // Opens the chat that was open last, or a new one. Loads no model.
    void restore();
    bool eventFilter(QObject* object, QEvent* event) override; // of the application: another language

    // Stores drafts and stops replies; call it before the store goes.
    void close();

    Q_INVOKABLE void newChat();
    Q_INVOKABLE void openChat(qint64 chatId);
    Q_INVOKABLE void renameChat(qint64 chatId, const QString& title); // an empty title changes nothing
    Q_INVOKABLE void deleteChat(qint64 chatId); // tells chatDeleted, which can be undone
    Q_INVOKABLE void undoDelete(qint64 chatId);
    // A new chat with this model ("Chat" in the library).
    Q_INVOKABLE void chatWith(const QString& modelPath);

signals:
    void chatDeleted(qint64 chatId, const QString& title);
    void workChanged();
    void failed(const QString& sentence); // something could not be stored

private:
    void rememberOpenChat(qint64 chatId);
    QString modelForNewChat() const; // the one used last, else the first that can be used

    EngineClient* m_engine;
    Store* m_store;
    ModelList* m_models;
    ModelControl m_model;
    GuessAhead m_guesses;
    ReplyRunner m_runner;
    ChatList m_list;
    ChatSession m_session;
    ReadAhead m_readAhead;
    QString m_lastModel;
    qint64 m_rememberedChat = 0, m_wakeWhenOpened = 0;
};

} // namespace steelyard
