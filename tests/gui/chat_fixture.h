// A chat desk over a fake engine, or a real one, and a real store in a folder of its own, for tests of the chat.
#pragma once

#include "gui/chat/chat_desk.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"
#include "tests/gui/fake_engine.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace steelyard {

struct ChatFixture {
    // `engine` instead of the fake one.
    explicit ChatFixture(const QString& dataFolder = {}, const EngineFactory& engine = {}) : folder(dataFolder.isEmpty() ? own.path() : dataFolder) {
        ModelEntry entry;
        entry.path = QStringLiteral("/models/fake.gguf");
        entry.name = QStringLiteral("Fake");
        entry.fileName = QStringLiteral("fake.gguf");
        entry.architecture = QStringLiteral("llama");
        entry.quantization = QStringLiteral("Q4_1");
        entry.sizeBytes = 92'000'000;
        entry.trainedContext = 8192;
        entry.starter = true;
        entry.own = true;
        models.put(entry);
        entry.path = QStringLiteral("/models/other.gguf");
        entry.name = QStringLiteral("Other");
        entry.fileName = QStringLiteral("other.gguf");
        entry.quantization = QStringLiteral("Q8_0");
        entry.starter = false;
        models.put(entry);
        store = std::make_unique<Store>(folder);
        client = std::make_unique<EngineClient>(engine ? engine : FakeEngine::factory(script));
        desk = std::make_unique<ChatDesk>(client.get(), store.get(), &models);
    }
    ~ChatFixture() { stop(); }

    // Ends the program, as closing the window does.
    void stop() {
        desk.reset();
        client.reset();
        store.reset();
    }
    // Opens what was open before, as the start of the program does.
    void start() {
        desk->restore();
        QTRY_COMPARE(store->state(), Store::State::Saving);
    }
    ChatSession& session() { return *desk->session(); }
    ThreadModel& thread() { return *desk->session()->thread(); }

    // Types and sends, and waits until the reply has ended.
    void ask(const QString& question) {
        session().setDraft(question);
        session().send();
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 20000);
    }
    // Types and sends, and waits until the engine has the request; 0 when it does not come.
    RequestId begin(const QString& question) {
        const size_t before = script.requests.size();
        session().setDraft(question);
        session().send();
        if (!QTest::qWaitFor([&] { return script.requests.size() == before + 1; }, 20000)) return 0;
        return script.requests.back().id;
    }
    // A question whose reply, `text`, finds the context full: so many messages and tokens could be left out.
    void askInFullContext(const QString& question, const std::string& text, uint32_t messages, uint32_t tokens) {
        script.repliesAtOnce = false;
        GenerationFinished finished;
        finished.id = begin(question);
        QVERIFY(finished.id != 0);
        script.engine->write(finished.id, text);
        finished.reason = StopReason::ContextFull;
        finished.statistics.generatedTokens = 6;
        finished.statistics.promptTokens = script.facts.contextLength - finished.statistics.generatedTokens;
        finished.statistics.wouldDropMessages = messages;
        finished.statistics.wouldDropTokens = tokens;
        script.engine->send({finished});
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 20000);
    }
    QStringList contents() {
        QStringList all;
        if (const ThreadMessage* last = thread().last())
            for (const MessageRecord& message : thread().pathTo(last->message.id)) all += message.content;
        return all;
    }
    qint64 lastId() { return thread().last() ? thread().last()->message.id : 0; }

    QTemporaryDir own;
    QString folder;
    FakeEngine::Script script;
    ModelList models;
    std::unique_ptr<Store> store;
    std::unique_ptr<EngineClient> client;
    std::unique_ptr<ChatDesk> desk;
};

} // namespace steelyard
