#include "gui/chat/chat_desk.h"

#include "gui/chat/prompt_builder.h"
#include "gui/engine_client/engine_client.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace steelyard {
namespace {

const QString kOpenChat = QStringLiteral("state.openChat"); // remembered between starts
const QString kLastModel = QStringLiteral("state.lastModel");

} // namespace

ChatDesk::ChatDesk(EngineClient* engine, Store* store, ModelList* models, QObject* parent)
    : QObject(parent), m_engine(engine), m_store(store), m_models(models), m_model(engine, models), m_guesses(store, models),
      m_runner(engine, store), m_list(store), m_session(engine, store, models, &m_runner, &m_guesses), m_readAhead(engine, &m_session) {
    connect(&m_session, &ChatSession::stored, &m_list, &ChatList::refresh);
    connect(&m_session, &ChatSession::failed, this, &ChatDesk::failed);
    connect(&m_list, &ChatList::failed, this, &ChatDesk::failed);
    connect(&m_session, &ChatSession::chatChanged, this, [this] {
        m_runner.setShownChat(m_session.chatId());
        m_list.setCurrentId(m_session.chatId());
        rememberOpenChat(m_session.chatId());
    });
    connect(&m_session, &ChatSession::opened, this, [this] {
        if (m_wakeWhenOpened != 0 && std::exchange(m_wakeWhenOpened, 0) == m_session.chatId()) m_session.wakeModel();
    });
    connect(&m_session, &ChatSession::settingsChanged, this, [this] {
        if (m_session.modelPath() == m_lastModel || m_session.modelPath().isEmpty()) return;
        m_lastModel = m_session.modelPath();
        m_store->run([path = m_lastModel](Repositories& r) { return r.settings.set(kLastModel, path); }, Durability::Relaxed);
    });
    connect(engine, &EngineClient::modelLoaded, this, [this] {
        if (m_engine->facts()->predicts) m_guesses.sawPredictor(m_engine->modelPath());
    });
    connect(&m_guesses, &GuessAhead::changed, &m_session, &ChatSession::settingsChanged);
    connect(&m_session, &ChatSession::newChatWanted, this, [this](const ChatRecord& settings, const QString& draft) {
        m_session.openNew(settings, draft);
    });
    connect(&m_runner, &ReplyRunner::changed, this, [this](qint64 replyId) {
        if (const LiveReply* live = m_runner.live(replyId)) m_list.setBusy(live->order.reply.chatId, true);
        emit workChanged();
    });
    connect(&m_runner, &ReplyRunner::ended, this, [this](const MessageRecord& reply) {
        m_list.setBusy(reply.chatId, m_runner.liveOfChat(reply.chatId) != nullptr);
        emit workChanged();
    });
    QCoreApplication::instance()->installEventFilter(this);
    // The list of models fills after the start: a new chat without a model takes the first that comes.
    connect(models, &ModelList::countChanged, this, [this] {
        if (m_session.modelPath().isEmpty()) m_session.adoptModel(modelForNewChat());
    });
}

ChatDesk::~ChatDesk() { close(); }

bool ChatDesk::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance()) {
        m_list.retranslate();
        m_session.retranslate();
        emit m_model.changed();
        emit m_guesses.changed();
        emit workChanged();
    }
    return QObject::eventFilter(object, event);
}

void ChatDesk::setLoadDefaults(const LoadDefaults& defaults) {
    m_guesses.setOn(defaults.guessAhead);
    m_session.setLoadDefaults(defaults);
    m_readAhead.setOn(defaults.readAhead);
}

QString ChatDesk::work() const {
    const int running = m_runner.running(), waiting = m_runner.waiting();
    if (running + waiting == 0) return {};
    if (waiting == 0) return tr("%Ln running", nullptr, running);
    if (running == 0) return tr("%Ln waiting", nullptr, waiting);
    return tr("%1, %2").arg(tr("%Ln running", nullptr, running), tr("%Ln waiting", nullptr, waiting));
}

void ChatDesk::restore() {
    m_session.openNew(modelForNewChat());
    m_list.refresh();
    m_store->run(
        this, [](Repositories& r) { return r.settings.all(); },
        [this](const Result<QHash<QString, QJsonValue>>& settings) {
            if (!settings) return;
            m_lastModel = settings->value(kLastModel).toString();
            m_guesses.restore(settings->value(GuessAhead::storedKey()).toObject());
            const qint64 chat = settings->value(kOpenChat).toInteger();
            // Something may have been typed already: that chat stays.
            if (m_session.chatId() != 0 || !m_session.draft().isEmpty()) return;
            if (chat != 0)
                m_session.open(chat);
            else
                m_session.adoptModel(modelForNewChat());
        });
}

void ChatDesk::close() {
    m_readAhead.callOff();
    m_session.close();
    m_runner.stopAll();
}

QString ChatDesk::modelForNewChat() const {
    if (m_models->contains(m_lastModel)) return m_lastModel;
    return m_models->firstUsable();
}

void ChatDesk::newChat() {
    const bool unused = m_session.chatId() == 0 && m_session.draft().isEmpty();
    if (unused) {
        emit m_session.opened(); // nothing to do but to show it
        return;
    }
    m_session.openNew(m_models->contains(m_session.modelPath()) ? m_session.modelPath() : modelForNewChat());
}

void ChatDesk::chatWith(const QString& modelPath) {
    const bool unused = m_session.chatId() == 0 && m_session.draft().isEmpty();
    if (!unused) m_session.openNew(modelPath);
    m_session.setModelPath(modelPath); // the person's choice: loads it
    emit m_session.opened();
}

void ChatDesk::openChat(qint64 chatId) {
    if (chatId == m_session.chatId() || chatId == 0) return;
    m_session.open(chatId);
    m_wakeWhenOpened = chatId;
}

void ChatDesk::renameChat(qint64 chatId, const QString& title) {
    if (chatId == 0) return;
    m_list.rename(chatId, title);
    if (chatId == m_session.chatId()) m_session.reloadTitle();
}

void ChatDesk::deleteChat(qint64 chatId) {
    if (chatId == 0) return;
    const auto stopReply = [this, chatId] {
        if (const LiveReply* live = m_runner.liveOfChat(chatId)) m_runner.stop(live->order.reply.id);
    };
    stopReply();
    const QString title = ChatList::shownTitle(m_list.titleOf(chatId));
    const qint64 next = chatId == m_session.chatId() ? m_list.neighbourOf(chatId) : 0;
    m_store->run(
        this, [chatId](Repositories& r) { return r.chats.remove(chatId); },
        [this, chatId, title, next, stopReply](const Result<void>& removed) {
            stopReply(); // one that was asked for just before is ordered by now
            if (!removed) {
                emit failed(QString::fromStdString(removed.sentence()));
                return;
            }
            m_engine->forgetChat(static_cast<quint64>(chatId));
            if (chatId == m_session.chatId()) {
                if (next != 0)
                    m_session.open(next);
                else
                    m_session.openNew(modelForNewChat());
            }
            m_list.refresh();
            emit chatDeleted(chatId, title);
        });
}

void ChatDesk::undoDelete(qint64 chatId) {
    m_store->run(
        this, [chatId](Repositories& r) { return r.chats.restore(chatId); },
        [this, chatId](const Result<void>& restored) {
            if (!restored) {
                emit failed(QString::fromStdString(restored.sentence()));
                return;
            }
            m_list.refresh();
            m_session.open(chatId);
        });
}

void ChatDesk::rememberOpenChat(qint64 chatId) {
    if (chatId == m_rememberedChat) return;
    m_rememberedChat = chatId;
    m_store->run([chatId](Repositories& r) { return r.settings.set(kOpenChat, chatId); }, Durability::Relaxed);
}

} // namespace steelyard
