// Guessing ahead: what comes out is what comes without it, by looking up and by a draft model, greedy and sampled; guesses follow
// what pays.
#include "tests/engine/loaded_engine.h"

#include "engine/decode/lookup.h"
#include "engine/sampling/random.h"
#include "engine/scheduler/draft_length.h"

#include <cmath>
#include <map>

using namespace steelyard;

namespace {

std::string tiny(const char* name) { return std::string(STEELYARD_TEST_DATA) + "/architectures/" + name + ".gguf"; }

// A step of n rows takes `first` + n * `each`.
GuessCosts costs(double first, double each, double tokenMs = 0, uint32_t otherRows = 0) {
    GuessCosts result;
    result.stepMs = [=](uint32_t rows) { return first + rows * each; };
    result.tokenMs = tokenMs;
    result.otherRows = otherRows;
    return result;
}

// A prompt in which things come again.
std::vector<int32_t> repeatingIds(size_t count, int32_t vocabulary, uint64_t seed) {
    std::vector<int32_t> ids;
    for (size_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(mixedBits(seed * 1000 + i % 11) % static_cast<uint64_t>(vocabulary)));
    return ids;
}

} // namespace

class TestSpeculation : public QObject {
    Q_OBJECT

private slots:
    void lookupFindsTheMostRecentPlace() {
        Lookup lookup;
        std::vector<int32_t> ids{1, 2, 3, 50, 7, 1, 2, 3, 60, 61, 8, 1, 2, 3};
        QCOMPARE(lookup.guess(ids, 3), (std::vector<int32_t>{60, 61, 8}));
        ids.insert(ids.end(), {60, 99, 100, 101});
        QVERIFY(lookup.guess(ids, 3).empty());
    }

    void aLongerEndCountsMoreThanARecentOne() {
        Lookup lookup;
        const std::vector<int32_t> ids{9, 1, 2, 3, 50, 51, 0, 4, 2, 3, 60, 61, 0, 9, 1, 2, 3};
        QCOMPARE(lookup.guess(ids, 2), (std::vector<int32_t>{50, 51}));
    }

    void aRepetitionGoesOnInItsOwnGuesses() {
        Lookup lookup;
        QCOMPARE(lookup.guess(std::vector<int32_t>{1, 2, 1, 2, 1, 2}, 5), (std::vector<int32_t>{1, 2, 1, 2, 1}));
        QVERIFY(lookup.guess(std::vector<int32_t>{1, 2, 1, 2, 1, 2, 3}, 5).empty());
    }

    void lengthFollowsWhatIsAccepted() {
        DraftLength good, bad;
        for (int i = 0; i < 40; ++i) {
            const uint32_t guesses = good.next(8, costs(10, 0.2));
            good.checked(guesses, guesses);
            bad.checked(bad.next(8, costs(10, 0.2)), 0);
        }
        QCOMPARE(good.next(8, costs(10, 0.2)), 8u);
        QCOMPARE(good.next(3, costs(10, 0.2)), 3u);
        QCOMPARE(good.next(0, costs(10, 0.2)), 0u);
        QVERIFY(bad.next(8, costs(10, 0.2)) <= 2);
        QVERIFY(good.acceptance() > 0.9 && bad.acceptance() < 0.2);
    }

    void guessesThatDoNotPayStop() {
        // Rows cost what steps cost, or the draft costs what the model costs: not even right guesses would pay, so none is tried.
        DraftLength length, slowDraft;
        for (int step = 0; step < 4000; ++step) {
            QCOMPARE(length.next(8, costs(0, 10)), 0u);
            QCOMPARE(slowDraft.next(8, costs(10, 0.1, 10)), 0u);
        }
        // Tried again, but ever more rarely.
        DraftLength wrong;
        uint32_t guessed = 0;
        for (int step = 0; step < 4000; ++step) {
            const uint32_t guesses = wrong.next(8, costs(10, 1));
            guessed += guesses;
            wrong.checked(guesses, 0);
        }
        QVERIFY2(guessed < 80, qPrintable(QString::number(guessed)));
    }

    void aFullStepLeavesLessToGain() {
        DraftLength alone, among;
        const uint32_t guesses = alone.next(8, costs(10, 1)), others = among.next(8, costs(10, 1, 0, 30));
        QVERIFY2(guesses > others, qPrintable(QString("%1 %2").arg(guesses).arg(others)));
    }

    void tokensAreThoseWithoutGuesses_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("device");
        QTest::addColumn<float>("temperature");
        const QString chosen = qEnvironmentVariable("STEELYARD_TEST_DEVICES");
        for (const char* device : {"cpu", "vulkan", "emulated"})
            for (const char* model : {"llama-dense", "gemma3-dense", "deepseek2-heads"})
                for (const float temperature : {0.0f, 0.7f})
                    if ((chosen.isEmpty() || chosen.contains(device)) && (temperature == 0 || QByteArray(device) == "cpu"))
                        QTest::addRow("%s on %s at %.1f", model, device, double(temperature)) << model << device << temperature;
    }

    void tokensAreThoseWithoutGuesses() {
        QFETCH(QString, model);
        QFETCH(QString, device);
        QFETCH(float, temperature);
        if (deviceMissing(device.toStdString())) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        const std::string path = tiny(model.toUtf8());
        LoadedEngine engine;
        LoadRequest load;
        load.path = load.draft = path; // its own draft: both have the same vocabulary
        load.device = device.toStdString();
        load.contextLength = 320;
        QCOMPARE(engine.load(load), std::string());
        QVERIFY(!engine.facts.draftName.empty() || engine.facts.name.empty());
        const auto run = [&](SpeculationOptions speculation, uint64_t chat) {
            auto request = engine.request(idsPrompt(repeatingIds(60, 120, 7)), device == "cpu" ? 60 : 24);
            request.sampling.temperature = temperature;
            request.sampling.seed = 5;
            request.speculation = speculation;
            request.chat = chat;
            return engine.generate(request);
        };
        const auto plain = run({false, false, 8, true}, 0), looked = run({true, false, 8, false}, 1), drafted = run({false, true, 8, false}, 2), both = run({true, true, 5, false}, 0);
        const auto adapted = run({true, true, 8, true}, 0);
        QCOMPARE(looked.ids, plain.ids);
        QCOMPARE(drafted.ids, plain.ids);
        QCOMPARE(both.ids, plain.ids);
        QCOMPARE(adapted.ids, plain.ids);
        // A model agrees with itself, also about what the same random numbers choose.
        QVERIFY(drafted.end.statistics.speculation.guessed >= 16);
        QCOMPARE(drafted.end.statistics.speculation.accepted, drafted.end.statistics.speculation.guessed);
        QCOMPARE(plain.end.statistics.speculation.guessed, 0u);
        QCOMPARE(looked.text, plain.text);
        // What guesses left in the cache does not mislead the next turn.
        auto same = engine.request(idsPrompt(plain.ids), 12);
        same.prompt.ids = repeatingIds(60, 120, 7);
        same.prompt.ids.insert(same.prompt.ids.end(), plain.ids.begin(), plain.ids.end());
        same.chat = 1;
        auto fresh = same;
        fresh.chat = 0;
        fresh.id += 1000;
        const auto warm = engine.generate(same), cold = engine.generate(fresh);
        QVERIFY(warm.end.statistics.reusedTokens > 60);
        QCOMPARE(warm.ids, cold.ids);
    }

    void sampledTokensHaveTheModelsDistribution() {
        // The third token of many seeds, guessed ahead by looking up, against its exact distribution: chi-squared.
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny("llama-dense"), "cpu", TensorType::F16, 128), std::string());
        const auto softmax = [&](const std::vector<int32_t>& ids) {
            auto logits = engine.score(ids, static_cast<uint32_t>(ids.size()) - 1);
            std::vector<double> p(logits->size());
            double sum = 0, largest = *std::max_element(logits->begin(), logits->end());
            for (size_t i = 0; i < p.size(); ++i) sum += p[i] = std::exp(((*logits)[i] - largest) / 0.5);
            for (auto& value : p) value /= sum;
            return p;
        };
        // A text that came before, and its beginning once more, so chosen that the model is likely to go on with it.
        const auto promptOf = [](int32_t one, int32_t two) { return std::vector<int32_t>{5, 6, 7, one, two, 30, 31, 5, 6, 7}; };
        int32_t one = 0;
        for (int32_t id = 40; id < 120; ++id)
            if (softmax(promptOf(id, 20))[static_cast<size_t>(id)] > softmax(promptOf(one, 20))[static_cast<size_t>(one)]) one = id;
        const auto prompt = promptOf(one, 20);
        const auto first = softmax(prompt);
        auto guessed = prompt;
        guessed.push_back(one);
        const auto second = softmax(guessed);
        std::map<int32_t, int> firsts, seconds;
        int followed = 0;
        uint32_t guesses = 0;
        constexpr int kSeeds = 3000;
        for (int seed = 0; seed < kSeeds; ++seed) {
            auto request = engine.request(idsPrompt(prompt), 3);
            request.sampling.temperature = 0.5f;
            request.sampling.topK = 0;
            request.sampling.topP = 1;
            request.sampling.minP = 0;
            request.sampling.seed = static_cast<uint64_t>(seed);
            request.speculation = {true, false, 4, false};
            const auto answer = engine.generate(request);
            guesses += answer.end.statistics.speculation.guessed;
            if (answer.ids.size() < 2) continue;
            ++firsts[answer.ids[0]];
            if (answer.ids[0] != one) continue;
            ++followed;
            ++seconds[answer.ids[1]];
        }
        const auto chiSquared = [](const std::map<int32_t, int>& counts, const std::vector<double>& p, int total, int* classes) {
            double sum = 0, restExpected = 0, restSeen = 0;
            for (size_t id = 0; id < p.size(); ++id) {
                const auto seen = counts.find(static_cast<int32_t>(id));
                const double expected = p[id] * total, count = seen == counts.end() ? 0 : seen->second;
                if (expected < 5) {
                    restExpected += expected;
                    restSeen += count;
                    continue;
                }
                sum += (count - expected) * (count - expected) / expected;
                ++*classes;
            }
            if (restExpected > 0) sum += (restSeen - restExpected) * (restSeen - restExpected) / restExpected;
            return sum;
        };
        // Four standard deviations above the mean of the distribution: a wrong one is far beyond.
        int classes = 0;
        const double firstSum = chiSquared(firsts, first, kSeeds, &classes);
        QVERIFY2(firstSum < classes + 4 * std::sqrt(2.0 * classes), qPrintable(QString("%1 with %2 classes").arg(firstSum).arg(classes)));
        QVERIFY(classes > 3);
        QVERIFY2(guesses > 100, qPrintable(QString::number(guesses)));
        QVERIFY2(followed > 50, qPrintable(QString::number(followed)));
        classes = 0;
        const double secondSum = chiSquared(seconds, second, followed, &classes);
        QVERIFY2(secondSum < classes + 1 + 4 * std::sqrt(2.0 * (classes + 1)), qPrintable(QString("%1 with %2 classes of %3").arg(secondSum).arg(classes).arg(followed)));
    }

    void aDraftOfAnotherVocabularyIsNotUsed() {
        LoadedEngine engine;
        LoadRequest load;
        load.path = tiny("llama-dense");
        load.draft = tiny("mamba2-dense");
        load.device = "cpu";
        load.contextLength = 128;
        QCOMPARE(engine.load(load), std::string());
        QVERIFY(engine.facts.draftName.empty());
        QVERIFY(std::any_of(engine.facts.notices.begin(), engine.facts.notices.end(),
                            [](const std::string& notice) { return notice.find("draft model is not used") != std::string::npos; }));
        load.draft = "/nowhere/at/all.gguf";
        QCOMPARE(engine.load(load), std::string());
        QVERIFY(engine.facts.draftName.empty());
    }

    void recurrentModelsSayWhyTheyDoNotGuess() {
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny("mamba2-dense"), "cpu", TensorType::F16, 128), std::string());
        auto request = engine.request(idsPrompt(repeatingIds(40, 100, 3)), 8);
        request.speculation.lookup = true;
        const auto answer = engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::TokenLimit);
        QCOMPARE(answer.end.statistics.speculation.guessed, 0u);
        QVERIFY(!answer.end.statistics.speculation.whyNot.empty());
    }

    void tokenLimitAndContextEndHoldWithGuesses() {
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny("llama-dense"), "cpu", TensorType::F16, 64), std::string());
        for (int32_t most = 1; most <= 7; ++most) {
            auto request = engine.request(idsPrompt({5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8}), most);
            request.speculation.lookup = true;
            const auto answer = engine.generate(request);
            QCOMPARE(answer.end.statistics.generatedTokens, static_cast<uint32_t>(answer.ids.size()));
            QVERIFY(answer.ids.size() <= size_t(most));
        }
        auto request = engine.request(idsPrompt(repeatingIds(50, 100, 1)), -1);
        request.speculation.lookup = true;
        auto plain = engine.request(idsPrompt(repeatingIds(50, 100, 1)), -1);
        const auto guessed = engine.generate(request), without = engine.generate(plain);
        QCOMPARE(guessed.ids, without.ids);
        QCOMPARE(guessed.end.reason, without.end.reason);
    }

    void severalRepliesGuessInOneStep() {
        LoadedEngine engine;
        QCOMPARE(engine.load(tiny("llama-dense"), "cpu", TensorType::F16, 400), std::string());
        std::vector<GenerateRequest> requests;
        std::vector<LoadedEngine::Answer> alone;
        for (uint64_t seed = 0; seed < 4; ++seed) {
            auto request = engine.request(idsPrompt(repeatingIds(40 + seed * 3, 100, seed)), 30);
            alone.push_back(engine.generate(request));
            request.id += 100;
            request.speculation.lookup = true;
            requests.push_back(request);
        }
        for (const auto& request : requests) engine.engine.submit(request);
        std::map<RequestId, std::vector<int32_t>> ids;
        for (size_t ended = 0; ended < requests.size();)
            for (auto& event : engine.engine.waitForEvents(1000)) {
                if (auto* delta = std::get_if<TextDelta>(&event)) ids[delta->id].insert(ids[delta->id].end(), delta->ids.begin(), delta->ids.end());
                if (std::get_if<GenerationFinished>(&event)) ++ended;
            }
        for (size_t i = 0; i < requests.size(); ++i) QCOMPARE(ids[requests[i].id], alone[i].ids);
    }
};

QTEST_GUILESS_MAIN(TestSpeculation)
#include "test_speculation.moc"
