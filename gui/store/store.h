// The program's memory: one database, one writing connection, on a thread of its own.
//
// Work is a function over the repositories; it runs on the store thread as one transaction and returns a Result. Its answer comes
// back on the thread that made the store (the GUI thread), unless the asker is gone by then. Work runs in the order
// in which it was given:
//
//     store->run(this, [chat](Repositories& r) { return r.chats.create(chat); },
//                [this](const Result<qint64>& id) { ... });
//
// Invariant: nothing here waits, except the destructor, which finishes what was given. Where the file cannot be used (read-only,
// damaged, newer, in use elsewhere) the program goes on with a copy or an empty database in memory: state() is NotSaving and
// problem() says why. Knows nothing of QML, the engine or what the tables mean.
#pragma once

#include "gui/store/chat_repository.h"
#include "gui/store/comparison_repository.h"
#include "gui/store/message_repository.h"
#include "gui/store/model_repository.h"
#include "gui/store/search_repository.h"
#include "gui/store/settings_repository.h"
#include "gui/store/vote_repository.h"

#include <QObject>
#include <QPointer>
#include <QThread>

#include <functional>
#include <memory>
#include <type_traits>

namespace steelyard {

struct Repositories {
    explicit Repositories(Database& database)
        : chats(database), messages(database), models(database), settings(database), search(database), comparisons(database), votes(database) {}

    ChatRepository chats;
    MessageRepository messages;
    ModelRepository models;
    SettingsRepository settings;
    SearchRepository search;
    ComparisonRepository comparisons;
    VoteRepository votes;
};

class Store : public QObject {
    Q_OBJECT
    Q_PROPERTY(State state READ state NOTIFY stateChanged)
    Q_PROPERTY(QString problem READ problem NOTIFY stateChanged)

public:
    enum class State { Opening, Saving, NotSaving };
    Q_ENUM(State)

    // Opens `folder`/steelyard.db, making both where they are missing. Returns at once.
    explicit Store(const QString& folder, QObject* parent = nullptr);
    ~Store() override;

    State state() const { return m_state; }
    QString problem() const { return m_problem; } // with NotSaving: a sentence; else empty

    // `work` takes Repositories& and returns Result<T>; `answer` takes that. An error rolls the whole work back.
    template <class Work, class Answer>
    void run(QObject* context, Work work, Answer answer, Durability durability = Durability::Full);
    // Without an answer: an error is told by failed().
    template <class Work>
    void run(Work work, Durability durability = Durability::Full);

signals:
    void stateChanged();
    // Work without an answer could not be done: a sentence, told once; empty when such work is done again.
    void failed(const QString& sentence);

private:
    class Session; // what lives on the store thread

    void post(std::function<void(Session&)> job);
    void answerLater(std::function<void()> answer);
    void reportFailure(const QString& sentence); // store thread; empty = it works again
    void opened(const QString& problem);
    static Result<void> begin(Session& session, Durability durability);
    static Result<void> end(Session& session, bool keep);
    static Repositories& repositories(Session& session);

    template <class Work>
    static std::invoke_result_t<Work&, Repositories&> perform(Session& session, Work& work, Durability durability);

    State m_state = State::Opening;
    QString m_problem;
    QString m_lastFailure;
    QThread m_thread;
    std::unique_ptr<Session> m_session; // touched on the store thread only
    QObject* m_worker = nullptr;        // receives jobs on the store thread
};

template <class Work>
std::invoke_result_t<Work&, Repositories&> Store::perform(Session& session, Work& work, Durability durability) {
    if (auto begun = begin(session, durability); !begun) return begun.error();
    auto result = work(repositories(session));
    if (auto ended = end(session, result.ok()); !ended && result.ok()) return ended.error();
    return result;
}

template <class Work, class Answer>
void Store::run(QObject* context, Work work, Answer answer, Durability durability) {
    using Outcome = std::invoke_result_t<Work&, Repositories&>;
    post([this, asker = QPointer<QObject>(context), work = std::move(work), answer = std::move(answer),
          durability](Session& session) mutable {
        auto outcome = std::make_shared<Outcome>(perform(session, work, durability));
        answerLater([asker, answer = std::move(answer), outcome]() mutable {
            if (asker) answer(*outcome);
        });
    });
}

template <class Work>
void Store::run(Work work, Durability durability) {
    post([this, work = std::move(work), durability](Session& session) mutable {
        const auto outcome = perform(session, work, durability);
        reportFailure(QString::fromStdString(outcome.sentence()));
    });
}

} // namespace steelyard
