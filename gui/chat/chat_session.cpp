#include "gui/chat/chat_session.h"

#include "gui/chat/chat_list.h"
#include "gui/chat/dropped_text.h"
#include "gui/chat/prompt_builder.h"
#include "gui/chat/reply_sheet.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>

#include <utility>

namespace steelyard {
namespace {

constexpr int kDraftMs = 600, kSettingsMs = 400;

// The stored chat's id, after storing the chat if it is not there yet.
Result<qint64> ensureChat(Repositories& r, qint64& storedId, const ChatRecord& chat) {
    if (storedId != 0) return storedId;
    auto created = r.chats.create(chat);
    if (created) storedId = *created;
    return created;
}

} // namespace

struct ChatSession::Asked {
    ChatRecord chat;
    QVector<ThreadMessage> thread;
};

ChatSession::ChatSession(EngineClient* engine, Store* store, ModelList* models, ReplyRunner* runner, GuessAhead* guesses,
                         QObject* parent)
    : QObject(parent), m_engine(engine), m_store(store), m_models(models), m_runner(runner), m_guesses(guesses), m_sampling(engine),
      m_storedId(std::make_shared<qint64>(0)) {
    m_draftTimer.setSingleShot(true);
    m_draftTimer.setInterval(kDraftMs);
    connect(&m_draftTimer, &QTimer::timeout, this, &ChatSession::storeDraft);
    m_settingsTimer.setSingleShot(true);
    m_settingsTimer.setInterval(kSettingsMs);
    connect(&m_settingsTimer, &QTimer::timeout, this, &ChatSession::storeSettings);
    connect(runner, &ReplyRunner::changed, this, [this](qint64 replyId) {
        const LiveReply* live = m_runner->live(replyId);
        if (!live || live->order.reply.chatId != m_chat.id) return;
        m_thread.setLive(*live);
        emit contextChanged();
    });
    connect(runner, &ReplyRunner::ended, this, [this](const MessageRecord& reply) {
        if (reply.chatId != m_chat.id) return;
        m_thread.setEnded(reply);
        emit busyChanged();
        emit contextChanged();
    });
    connect(runner, &ReplyRunner::failed, this, &ChatSession::failed);
    connect(engine, &EngineClient::modelStateChanged, this, &ChatSession::contextChanged);
    connect(engine, &EngineClient::modelStateChanged, this, &ChatSession::settingsChanged); // what suits the model
    connect(this, &ChatSession::settingsChanged, &m_sampling, [this] { m_sampling.show(m_chat.sampling, modelSampling()); });
    connect(&m_sampling, &SamplingModel::chosen, this, &ChatSession::setSampling);
}

ChatSession::~ChatSession() { close(); }

QString ChatSession::title() const { return ChatList::shownTitle(m_chat.title); }

bool ChatSession::busy() const { return m_asking || (m_chat.id != 0 && m_runner->liveOfChat(m_chat.id)); }

// --- Opening

void ChatSession::close() {
    if (m_editing != 0) cancelEdit();
    if (m_draftTimer.isActive()) storeDraft();
    if (m_settingsTimer.isActive()) storeSettings();
}

void ChatSession::open(qint64 chatId) {
    close();
    ++m_generation;
    m_storedId = std::make_shared<qint64>(chatId);
    m_chat = {};
    m_chat.id = chatId;
    m_asking = false;
    reload();
}

void ChatSession::reload() {
    if (m_chat.id == 0) return;
    m_store->run(
        this,
        [id = m_chat.id](Repositories& r) -> Result<Asked> {
            auto chat = r.chats.get(id);
            if (!chat) return chat.error();
            auto thread = r.messages.thread(id);
            if (!thread) return thread.error();
            return Asked{*chat, *thread};
        },
        [this, generation = m_generation](const Result<Asked>& found) {
            if (generation != m_generation) return;
            if (!found) {
                emit failed(QString::fromStdString(found.sentence()));
                return;
            }
            const QString typed = m_chat.draft;
            m_chat = found->chat;
            if (!typed.isEmpty()) m_chat.draft = typed; // typed while the store was read
            if (m_chat.modelPath.isEmpty()) m_chat.modelPath = m_models->firstUsable();
            takeOver(m_chat, found->thread);
            emit opened();
            emit draftReplaced();
            emit draftChanged();
            emit settingsChanged();
        });
}

void ChatSession::reloadTitle() {
    m_store->run(
        this, [id = m_chat.id](Repositories& r) { return r.chats.get(id); },
        [this](const Result<ChatRecord>& chat) {
            if (!chat || chat->id != m_chat.id) return;
            m_chat.title = chat->title;
            m_chat.titleIsOwn = chat->titleIsOwn;
            emit chatChanged();
        });
}

void ChatSession::retranslate() {
    m_thread.retranslate();
    m_sampling.retranslate();
    emit chatChanged();
}

void ChatSession::openNew(const QString& modelPath, const QString& draft) {
    ChatRecord settings;
    settings.modelPath = modelPath;
    openNew(settings, draft);
}

void ChatSession::openNew(const ChatRecord& settings, const QString& draft) {
    close();
    ++m_generation;
    m_storedId = std::make_shared<qint64>(0);
    m_chat = {};
    m_chat.systemPrompt = settings.systemPrompt;
    m_chat.sampling = settings.sampling;
    m_chat.modelPath = settings.modelPath;
    m_asking = false;
    takeOver(m_chat, {});
    emit opened();
    replaceDraft(draft);
    emit settingsChanged();
}

void ChatSession::takeOver(const ChatRecord& chat, const QVector<ThreadMessage>& thread) {
    m_chat.id = chat.id;
    m_chat.title = chat.title;
    m_chat.titleIsOwn = chat.titleIsOwn;
    m_thread.setThread(thread);
    showLive();
    emit chatChanged();
    emit busyChanged();
    emit contextChanged();
}

void ChatSession::showLive() {
    if (const LiveReply* live = m_chat.id != 0 ? m_runner->liveOfChat(m_chat.id) : nullptr) m_thread.setLive(*live);
}

// --- Asking

void ChatSession::send() {
    const QString question = wholeCharacters(m_chat.draft);
    if (question.trimmed().isEmpty() || busy()) return;
    qint64 parent = m_thread.last() ? m_thread.last()->message.id : 0;
    if (m_editing != 0) {
        const ThreadMessage* edited = m_thread.find(m_editing);
        if (!edited) return cancelEdit();
        parent = edited->message.parentId;
        m_editing = 0;
        emit editingChanged();
        replaceDraft(m_draftBeforeEdit);
    } else {
        replaceDraft({});
    }
    ask(parent, question);
}

void ChatSession::again(qint64 replyId) {
    const ThreadMessage* reply = m_thread.find(replyId);
    if (!reply || m_asking) return;
    stop();
    ask(reply->message.parentId, {});
}

void ChatSession::goOn(qint64 replyId) {
    const ThreadMessage* reply = m_thread.find(replyId);
    if (!reply || busy()) return;
    ReplyOrder order = newOrder();
    order.goesOn = true;
    order.reply = reply->message;
    order.path = m_thread.pathTo(reply->message.parentId);
    m_runner->order(std::move(order));
    emit busyChanged();
}

void ChatSession::ask(qint64 parentId, const QString& question) {
    ReplyOrder order = newOrder();
    ChatRecord chat = m_chat;
    MessageRecord reply;
    reply.role = MessageRole::Assistant;
    reply.modelPath = m_chat.modelPath;
    reply.modelName = m_models->title(m_chat.modelPath);
    m_asking = true;
    m_stopAsked = false;
    emit busyChanged();
    m_store->run(
        this,
        [stored = m_storedId, chat, reply, parentId, question](Repositories& r) mutable -> Result<Asked> {
            const qint64 before = *stored;
            const auto undo = [&stored, before](const Error& error) {
                *stored = before; // the transaction is rolled back
                return error;
            };
            auto id = ensureChat(r, *stored, chat);
            if (!id) return undo(id.error());
            reply.chatId = *id;
            reply.parentId = parentId;
            if (!question.isEmpty()) {
                MessageRecord user;
                user.chatId = *id;
                user.parentId = parentId;
                user.content = question;
                auto added = r.messages.add(user);
                if (!added) return undo(added.error());
                reply.parentId = *added;
                if (parentId == 0 && !chat.titleIsOwn && chat.title.isEmpty())
                    if (auto named = r.chats.rename(*id, titleFrom(question), false); !named) return undo(named.error());
            }
            if (auto added = r.messages.add(reply); !added) return undo(added.error());
            if (auto cleared = r.chats.setDraft(*id, chat.draft); !cleared) return undo(cleared.error());
            auto now = r.chats.get(*id);
            if (!now) return undo(now.error());
            auto thread = r.messages.thread(*id);
            if (!thread) return undo(thread.error());
            return Asked{*now, *thread};
        },
        [this, order, question, generation = m_generation](const Result<Asked>& asked) mutable {
            const bool shown = generation == m_generation;
            if (shown) m_asking = false;
            if (!asked) {
                if (shown && m_chat.draft.isEmpty()) replaceDraft(question);
                emit busyChanged();
                emit failed(QString::fromStdString(asked.sentence()));
                return;
            }
            if (shown) takeOver(asked->chat, asked->thread);
            order.reply = asked->thread.last().message;
            for (const ThreadMessage& message : asked->thread) order.path.append(message.message);
            order.path.removeLast();
            const qint64 reply = order.reply.id;
            m_runner->order(std::move(order));
            if (shown && std::exchange(m_stopAsked, false)) m_runner->stop(reply);
            emit busyChanged();
            emit stored();
        });
}

void ChatSession::stop() {
    m_stopAsked = m_asking;
    if (const LiveReply* live = m_chat.id != 0 ? m_runner->liveOfChat(m_chat.id) : nullptr) m_runner->stop(live->order.reply.id);
}

void ChatSession::beginEdit(qint64 messageId) {
    const ThreadMessage* message = m_thread.find(messageId);
    if (!message || message->message.role != MessageRole::User) return;
    if (m_editing == 0) m_draftBeforeEdit = m_chat.draft;
    m_editing = messageId;
    emit editingChanged();
    m_chat.draft = message->message.content;
    emit draftReplaced();
    emit draftChanged();
    emit contextChanged();
}

void ChatSession::cancelEdit() {
    if (m_editing == 0) return;
    m_editing = 0;
    emit editingChanged();
    replaceDraft(std::exchange(m_draftBeforeEdit, QString()));
}

void ChatSession::showBranch(qint64 messageId, int step) {
    const ThreadMessage* message = m_thread.find(messageId);
    const int wanted = message ? message->branch + step : -1;
    if (wanted < 0 || wanted >= message->siblings.size() || m_asking) return;
    m_store->run(
        this,
        [chat = m_chat.id, sibling = message->siblings[wanted]](Repositories& r) -> Result<QVector<ThreadMessage>> {
            if (auto selected = r.messages.selectBranch(sibling); !selected) return selected.error();
            return r.messages.thread(chat);
        },
        [this, generation = m_generation](const Result<QVector<ThreadMessage>>& thread) {
            if (generation != m_generation) return;
            if (!thread) {
                emit failed(QString::fromStdString(thread.sentence()));
                return;
            }
            takeOver(m_chat, *thread);
        });
}

void ChatSession::copy(const QString& text) const { QGuiApplication::clipboard()->setText(text); }

void ChatSession::copyMessage(qint64 messageId) const { copy(m_thread.storedText(messageId)); }

QVariantMap ChatSession::timing(qint64 replyId) const {
    const ThreadMessage* reply = m_thread.find(replyId);
    if (!reply || !reply->message.figures) return {};
    return ReplySheet(*reply->message.figures, m_defaults.slowStreamMs).map();
}

// --- The draft

QVector<MessageRecord> ChatSession::pathOfDraft() const {
    if (const ThreadMessage* edited = m_editing != 0 ? m_thread.find(m_editing) : nullptr) return m_thread.pathTo(edited->message.parentId);
    return m_thread.last() ? m_thread.pathTo(m_thread.last()->message.id) : QVector<MessageRecord>();
}

void ChatSession::setDraft(const QString& draft) {
    if (draft == m_chat.draft) return;
    m_chat.draft = draft;
    if (m_editing == 0) m_draftTimer.start();
    emit draftChanged();
    emit contextChanged();
    if (!draft.isEmpty()) wakeModel();
}

void ChatSession::replaceDraft(const QString& draft) {
    m_chat.draft = draft;
    if (draft.isEmpty())
        m_draftTimer.stop(); // whoever empties it stores that
    else
        m_draftTimer.start();
    emit draftReplaced();
    emit draftChanged();
    emit contextChanged();
}

void ChatSession::storeDraft() {
    m_draftTimer.stop();
    if (m_chat.id == 0 && m_chat.draft.trimmed().isEmpty()) return;
    ChatRecord chat = m_chat;
    chat.draft = wholeCharacters(chat.draft);
    m_store->run(
        this,
        [stored = m_storedId, chat](Repositories& r) -> Result<qint64> {
            auto id = ensureChat(r, *stored, chat);
            if (!id) return id.error();
            if (auto saved = r.chats.setDraft(*id, chat.draft); !saved) return saved.error();
            return *id;
        },
        [this, generation = m_generation](const Result<qint64>& id) {
            if (!id) {
                emit failed(QString::fromStdString(id.sentence()));
                return;
            }
            if (generation == m_generation && m_chat.id == 0) {
                m_chat.id = *id;
                emit chatChanged();
            }
            emit stored();
        },
        Durability::Relaxed);
}

void ChatSession::dropFiles(const QList<QUrl>& files) {
    for (const QUrl& file : files) {
        QThreadPool::globalInstance()->start([session = QPointer<ChatSession>(this), path = file.toLocalFile()] {
            const DroppedText dropped = DroppedText::read(path);
            QMetaObject::invokeMethod(qApp, [session, dropped] {
                if (!session) return;
                if (!dropped.problem.isEmpty()) {
                    emit session->failed(dropped.problem);
                    return;
                }
                const QString& draft = session->m_chat.draft;
                const QString gap = draft.isEmpty() || draft.endsWith(u'\n') ? QString() : QStringLiteral("\n");
                session->replaceDraft(draft + gap + dropped.text);
                session->wakeModel();
            });
        });
    }
}

} // namespace steelyard
