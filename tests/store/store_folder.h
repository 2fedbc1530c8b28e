// What the store's tests share: a store on a folder of its own, and waiting for its answers.
//
// Knows nothing of what is stored.
#pragma once

#include "gui/store/store.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>
#include <utility>

namespace steelyard::storetest {

constexpr int kPatienceMs = 60'000; // a hang, never a measurement

// Runs `work` and waits for its outcome.
template <class Work>
auto now(Store& store, Work work, Durability durability = Durability::Full) {
    using Outcome = std::invoke_result_t<Work&, Repositories&>;
    std::optional<Outcome> outcome;
    QObject context;
    store.run(&context, std::move(work), [&outcome](const Outcome& o) { outcome = o; }, durability);
    if (!QTest::qWaitFor([&outcome] { return outcome.has_value(); }, kPatienceMs)) qFatal("the store does not answer");
    return *outcome;
}

inline bool isOpened(Store& store) {
    return QTest::qWaitFor([&store] { return store.state() != Store::State::Opening; }, kPatienceMs);
}

// The value of a Result that must be one.
template <class T>
T valueOf(Result<T> result) {
    if (!result) qFatal("%s", result.sentence().c_str());
    return std::move(result).value();
}


inline MessageRecord question(qint64 chatId, const QString& content, qint64 parentId = 0) {
    MessageRecord message;
    message.chatId = chatId;
    message.parentId = parentId;
    message.content = content;
    return message;
}

inline MessageRecord reply(qint64 chatId, const QString& content, qint64 parentId) {
    MessageRecord message = question(chatId, content, parentId);
    message.role = MessageRole::Assistant;
    message.modelName = QStringLiteral("SmolLM2 135M");
    return message;
}

} // namespace steelyard::storetest
