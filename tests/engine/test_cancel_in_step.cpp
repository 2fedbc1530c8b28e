// A request that is cancelled while a step of its prompt runs: the step ends between two layers, and what is kept is as if it had never begun.
#include "engine/cache/cache_disk.h"
#include "engine/decode/batch.h"
#include "engine/loaded_model.h"
#include "tests/engine/loaded_engine.h"

#include <QTest>

using namespace steelyard;

namespace {

// A model with a batch around it, without a thread: a step is run where the test says so.
struct Stepped {
    CacheDisk disk{{}};
    std::unique_ptr<LoadedModel> model;
    Batch batch;
    std::vector<Event> events;

    Stepped(const std::string& path, const std::string& device) {
        LoadRequest request;
        request.path = path;
        request.device = device;
        request.contextLength = 512;
        const std::atomic<bool> cancelled = false;
        auto loaded = loadModel(request, {}, {}, cancelled);
        if (!loaded) throw std::runtime_error(loaded.sentence());
        model = std::move(*loaded);
        model->warm = std::make_unique<WarmChats>(model->transformer->cache(), *model->prefixes, disk, WarmChats::Options{model->cacheKey, 0, {}});
    }

    void add(RequestId id, uint64_t chat, std::vector<int32_t> ids) {
        GenerateRequest request;
        request.id = id;
        request.chat = chat;
        request.maxTokens = 6;
        request.sampling.temperature = 0;
        ReplyResources resources{*model->transformer, model->tokenizer, *model->prefixes, *model->warm, [this](Event event) { events.push_back(std::move(event)); },
                                 std::nullopt, std::nullopt, {}, {}, std::nullopt, {}};
        batch.add(std::make_unique<Reply>(std::move(resources), std::move(request), ReplyPrompt{std::move(ids)}, ReplyTimes{Clock::now(), Clock::now()}));
    }

    // Runs until nothing is left; the ids that a reply gave.
    std::vector<int32_t> finish(RequestId id) {
        while (!batch.empty()) batch.advance(*model->transformer);
        std::vector<int32_t> ids;
        for (const auto& event : events)
            if (const auto* delta = std::get_if<TextDelta>(&event); delta && delta->id == id) ids.insert(ids.end(), delta->ids.begin(), delta->ids.end());
        return ids;
    }

    const GenerationFinished* endOf(RequestId id) const {
        for (const auto& event : events)
            if (const auto* end = std::get_if<GenerationFinished>(&event); end && end->id == id) return end;
        return nullptr;
    }
};

std::vector<int32_t> tokens(int32_t count, int32_t step) {
    std::vector<int32_t> ids;
    for (int32_t i = 0; i < count; ++i) ids.push_back((i * step + 11) % 120 + 1);
    return ids;
}

std::string tiny(const QString& name) { return std::string(STEELYARD_TEST_DATA) + "/architectures/" + name.toStdString() + ".gguf"; }

} // namespace

class TestCancelInStep : public QObject {
    Q_OBJECT

    void addDevicesAndModels() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("model");
        for (const char* device : {"cpu", "vulkan", "emulated"})
            for (const char* model : {"llama-dense", "gemma3-dense", "qwen35-dense"})
                QTest::newRow(qPrintable(QString("%1 on %2").arg(model, device))) << QString(device) << QString(model);
    }

private slots:
    void aCancelledStepEndsBetweenLayersAndLeavesTheCacheAsItWas_data() { addDevicesAndModels(); }
    void aCancelledStepEndsBetweenLayersAndLeavesTheCacheAsItWas() {
        QFETCH(QString, device);
        QFETCH(QString, model);
        if (deviceMissing(device.toStdString())) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        Stepped fresh(tiny(model), device.toStdString()), stopped(tiny(model), device.toStdString());
        auto first = tokens(70, 37), second = first;
        for (const int32_t id : tokens(90, 41)) second.push_back(id);
        for (auto* one : {&fresh, &stopped}) { // the prefix that is shared
            one->add(1, 5, first);
            QCOMPARE(one->finish(1).size(), size_t(6));
        }

        stopped.batch = Batch(); // that knows no times yet, so that the step is long on any machine
        int asked = 0;
        stopped.batch.setCancelled([&](RequestId id) { return id == 2 && ++asked > 1; });
        stopped.add(2, 5, second);
        stopped.batch.advance(*stopped.model->transformer);
        QVERIFY(asked > 1);
        QVERIFY(stopped.model->transformer->stopped());
        QVERIFY(stopped.batch.empty());
        QVERIFY(stopped.endOf(2));
        QCOMPARE(stopped.endOf(2)->reason, StopReason::Cancelled);
        QVERIFY(stopped.finish(2).empty());

        stopped.batch.setCancelled({});
        for (auto* one : {&fresh, &stopped}) one->add(3, 5, second);
        QCOMPARE(stopped.finish(3), fresh.finish(3));
        QVERIFY(stopped.endOf(3)->statistics.reusedTokens > 0); // what was read before the step is still there
    }

    void aStepGoesOnForThoseWhoWantIt() {
        Stepped alone(tiny("llama-dense"), "cpu"), both(tiny("llama-dense"), "cpu");
        alone.add(1, 0, tokens(60, 37));
        const auto right = alone.finish(1);
        both.batch.setCancelled([](RequestId id) { return id == 2; });
        both.add(1, 0, tokens(60, 37));
        both.add(2, 0, tokens(60, 41));
        while (!both.endOf(1)) both.batch.advance(*both.model->transformer);
        QCOMPARE(both.finish(1), right);
    }

    void noPageStaysTaken() {
        Stepped model(tiny("llama-dense"), "cpu");
        model.batch.setCancelled([](RequestId) { return true; });
        for (RequestId id = 1; id <= 100; ++id) { // far more pages than there are
            model.add(id, 0, tokens(200, 37));
            model.batch.advance(*model.model->transformer);
            QVERIFY(model.batch.empty());
            QCOMPARE(model.endOf(id)->reason, StopReason::Cancelled);
        }
        model.batch.setCancelled({});
        model.add(200, 0, tokens(200, 37));
        QCOMPARE(model.finish(200).size(), size_t(6));
    }

    // The engine's own way: whenever the word comes, the next turn is answered as if nothing had been.
    void aCancelFromOutsideReachesTheStep() {
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny("llama-dense"), "cpu", TensorType::F16, 2048), std::string());
        auto fresh = engine.request(idsPrompt(tokens(220, 37)), 4);
        const auto right = engine.generate(fresh).ids;
        for (uint64_t chat = 1; chat <= 5; ++chat) {
            auto request = engine.request(idsPrompt(tokens(220, 37)), 4), again = engine.request(idsPrompt(tokens(220, 37)), 4);
            request.chat = again.chat = chat;
            engine.engine.submit(request);
            QVERIFY(engine.engine.cancel(request.id));
            QCOMPARE(engine.wait(request.id).end.reason, StopReason::Cancelled);
            QCOMPARE(engine.generate(again).ids, right);
        }
    }
};

QTEST_GUILESS_MAIN(TestCancelInStep)
#include "test_cancel_in_step.moc"
