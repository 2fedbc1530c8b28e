// The two real models against the reference: teacher-forced arg-max, log-probabilities, greedy text.
#include "tests/engine/loaded_engine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace steelyard;
using Json = nlohmann::json;

namespace {

constexpr double kGap = 0.35; // quantized activations: positions whose best is not clear do not count

double logSumExp(const float* row, size_t columns) {
    const float largest = *std::max_element(row, row + columns);
    double sum = 0;
    for (size_t i = 0; i < columns; ++i) sum += std::exp(double(row[i]) - largest);
    return largest + std::log(sum);
}

struct Tally {
    int counted = 0, equal = 0;
    double difference = 0; // of log-probabilities, summed
    int differences = 0;
};

std::string fileFor(const QString& model) { return modelFolder() + "/" + (model == "smollm2-135m" ? kSmolLm2 : kGemma3); }

Json casesOf(const QString& model) {
    std::ifstream file(std::string(STEELYARD_TEST_DATA) + "/models/" + model.toStdString() + ".json");
    return Json::parse(file)["cases"];
}

bool isLong(const Json& entry) { return entry["prompt_ids"].size() > 200; }

// Feeds prompt and reference; counts where our arg-max is the reference's at clear positions.
Result<Tally> teacherForced(LoadedEngine& engine, const Json& entry, size_t tokens) {
    auto ids = entry["prompt_ids"].get<std::vector<int32_t>>();
    const size_t prompt = ids.size();
    const auto greedy = entry["greedy_ids"].get<std::vector<int32_t>>();
    tokens = std::min(tokens, greedy.size());
    ids.insert(ids.end(), greedy.begin(), greedy.begin() + static_cast<std::ptrdiff_t>(tokens) - 1);
    const auto logits = engine.score(ids, static_cast<uint32_t>(prompt - 1));
    if (!logits) return logits.error();
    const size_t columns = logits->size() / tokens;
    Tally tally;
    for (size_t i = 0; i < tokens; ++i) {
        const float* row = logits->data() + i * columns;
        if (i == 0) {
            const double total = logSumExp(row, columns);
            for (const auto& candidate : entry["next_top20"]) {
                tally.difference += std::fabs(row[candidate[0].get<size_t>()] - total - candidate[1].get<double>());
                ++tally.differences;
            }
        }
        if (entry["greedy_gap"][i].get<double>() < kGap) continue;
        ++tally.counted;
        tally.equal += std::max_element(row, row + columns) - row == greedy[i];
    }
    return tally;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private slots:
    void teacherForcedArgMaxIsTheReference_data() { models(); }

    void teacherForcedArgMaxIsTheReference() {
        QFETCH(QString, model);
        LoadedEngine engine;
        if (!loadOrSkip(engine, model, "cpu", 2048)) return;
        Tally all;
        for (const auto& entry : casesOf(model)) {
            const auto tally = teacherForced(engine, entry, 64);
            QVERIFY2(tally.ok(), tally.sentence().c_str());
            all.counted += tally->counted;
            all.equal += tally->equal;
            all.difference += tally->difference;
            all.differences += tally->differences;
        }
        QCOMPARE(all.counted, model == "smollm2-135m" ? 274 : 267);
        qInfo("%d of %d clear positions, mean difference of the top 20 log-probabilities %.4f", all.equal, all.counted, all.difference / all.differences);
        QVERIFY2(all.equal >= all.counted - 1, qPrintable(QString::number(all.equal)));
        QVERIFY2(all.difference / all.differences <= 0.115, qPrintable(QString::number(all.difference / all.differences)));
    }

    void promptLogProbabilitiesOfTheLongCase_data() { models(); }

    void promptLogProbabilitiesOfTheLongCase() {
        QFETCH(QString, model);
        LoadedEngine engine;
        if (!loadOrSkip(engine, model, "cpu", 2048)) return;
        for (const auto& entry : casesOf(model)) {
            if (!isLong(entry)) continue;
            const auto ids = entry["prompt_ids"].get<std::vector<int32_t>>();
            double difference = 0;
            ScoreRequest request;
            request.model = engine.model();
            request.ids = ids;
            const auto done = engine.engine.score(request, [&](uint32_t row, std::span<const float> logits) {
                if (row + 1 >= ids.size()) return;
                const double ours = logits[static_cast<size_t>(ids[row + 1])] - logSumExp(logits.data(), logits.size());
                difference += std::fabs(ours - entry["prompt_logprobs"][row].get<double>());
            });
            QVERIFY2(done.ok(), done.sentence().c_str());
            const double mean = difference / static_cast<double>(ids.size() - 1);
            qInfo("mean difference %.4f", mean);
            QVERIFY2(mean <= 0.08, qPrintable(QString::number(mean)));
        }
    }

    void greedyTextIsTheReferenceUntilTheFirstUnclearToken_data() { models(); }

    void greedyTextIsTheReferenceUntilTheFirstUnclearToken() {
        QFETCH(QString, model);
        LoadedEngine engine;
        if (!loadOrSkip(engine, model, "cpu", 2048)) return;
        for (const auto& entry : casesOf(model)) {
            const auto greedy = entry["greedy_ids"].get<std::vector<int32_t>>();
            const auto answer = engine.generate(engine.request(idsPrompt(entry["prompt_ids"].get<std::vector<int32_t>>()), static_cast<int32_t>(greedy.size())));
            for (size_t i = 0; i < greedy.size() && entry["greedy_gap"][i].get<double>() >= kGap; ++i) {
                QVERIFY(i < answer.ids.size());
                QCOMPARE(answer.ids[i], greedy[i]);
            }
        }
    }

    void vulkanAgreesOnTheShortCases_data() { models(); }

    void vulkanAgreesOnTheShortCases() {
        QFETCH(QString, model);
        LoadedEngine engine;
        if (!loadOrSkip(engine, model, "vulkan", 512)) return;
        Tally all;
        for (const auto& entry : casesOf(model)) {
            if (isLong(entry)) continue;
            const auto tally = teacherForced(engine, entry, 24);
            QVERIFY2(tally.ok(), tally.sentence().c_str());
            all.counted += tally->counted;
            all.equal += tally->equal;
        }
        qInfo("%d of %d clear positions", all.equal, all.counted);
        QVERIFY(all.counted > 40);
        QCOMPARE(all.equal, all.counted);
    }

private:
    static void models() {
        QTest::addColumn<QString>("model");
        QTest::newRow("SmolLM2 135M") << "smollm2-135m";
        QTest::newRow("Gemma 3 270M") << "gemma3-270m";
    }

    // False where the test ends here, skipped or failed.
    static bool loadOrSkip(LoadedEngine& engine, const QString& model, const std::string& device, uint32_t context) {
        const std::string path = fileFor(model);
        bool ready = false;
        [&] {
            if (!std::filesystem::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
            if (deviceMissing(device)) {
                if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
                QSKIP("the device is not there");
            }
            const std::string problem = engine.load(path, device, TensorType::F16, context);
            QVERIFY2(problem.empty(), problem.c_str());
            ready = true;
        }();
        return ready;
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
