// The sampler chain against the reference cases, and what seeds promise.
#include "engine/sampling/sampler.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

using namespace steelyard;
using Json = nlohmann::json;

namespace {

SamplingStage stageOf(const Json& entry) {
    SamplingStage stage{entry[0].get<std::string>(), {}};
    if (entry[1].is_array())
        for (const auto& value : entry[1]) stage.values.push_back(value.get<double>());
    else stage.values.push_back(entry[1].get<double>());
    return stage;
}

Candidates fromProbabilities(const std::vector<double>& probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
    return Candidates(logits);
}

std::vector<double> sortedProbabilities(Candidates& candidates) {
    candidates.sorted = 0;
    candidates.sortFront(candidates.list.size());
    return candidates.probabilities();
}

void compare(std::vector<double> found, std::vector<double> right) {
    QCOMPARE(found.size(), right.size());
    for (size_t i = 0; i < right.size(); ++i) QVERIFY2(std::fabs(found[i] - right[i]) < 1e-4, qPrintable(QString::number(found[i])));
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private slots:
    void matchesTheReferenceChains_data() {
        QTest::addColumn<int>("index");
        std::ifstream file(std::string(STEELYARD_TEST_DATA) + "/sampling.json");
        m_cases = Json::parse(file);
        for (size_t index = 0; index < m_cases["cases"].size(); ++index)
            QTest::addRow("%d %s", static_cast<int>(index), m_cases["cases"][index]["chain"].dump().c_str()) << static_cast<int>(index);
    }

    // A cut inside a group of equal logits may keep any of the group, so the ids of equals may differ; their probabilities may not.
    void matchesTheReferenceChains() {
        QFETCH(int, index);
        const auto& entry = m_cases["cases"][static_cast<size_t>(index)];
        const auto logits = m_cases["logits"][entry["logits"].get<std::string>()].get<std::vector<float>>();
        const auto history = m_cases["history"].get<std::vector<int32_t>>();
        Candidates candidates(logits);
        for (const auto& stage : entry["chain"]) QVERIFY(applyStage(stageOf(stage), candidates, StageContext{history}).ok());
        const auto probabilities = candidates.probabilities();
        std::vector<double> found(probabilities), right;
        for (const auto& candidate : entry["candidates"]) right.push_back(candidate[1].get<double>());
        QCOMPARE(found.size(), right.size());
        std::map<int, double> byId;
        for (size_t i = 0; i < probabilities.size(); ++i) byId[candidates.list[i].id] = probabilities[i];
        for (const auto& candidate : entry["candidates"]) {
            const auto same = byId.find(candidate[0].get<int>());
            const double p = candidate[1].get<double>();
            const auto equals = std::count_if(right.begin(), right.end(), [&](double other) { return std::fabs(other - p) < 1e-6; });
            const float logit = logits[candidate[0].get<size_t>()];
            const bool twin = std::any_of(byId.begin(), byId.end(), [&](const auto& other) { return logits[static_cast<size_t>(other.first)] == logit; });
            QVERIFY2(same != byId.end() || equals > 1 || twin, "a candidate is missing that stands in no group of equals");
        }
        std::sort(found.begin(), found.end());
        std::sort(right.begin(), right.end());
        compare(found, right);
    }

    void temperatureZeroTakesTheBest() {
        auto candidates = fromProbabilities({.1, .2, .3, .4});
        QVERIFY(applyStage({"temperature", {0}}, candidates, {}).ok());
        QCOMPARE(candidates.list.size(), size_t(1));
        QCOMPARE(candidates.list[0].id, 3);
    }

    void cutsAsPublished_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::addColumn<QList<double>>("right");
        const QList<double> three{4.0 / 9, 3.0 / 9, 2.0 / 9};
        QTest::newRow("top_k 3") << "top_k" << 3.0 << three;
        QTest::newRow("top_p .7") << "top_p" << 0.7 << QList<double>{4.0 / 7, 3.0 / 7};
        QTest::newRow("top_p .8") << "top_p" << 0.8 << three;
        QTest::newRow("top_p 0") << "top_p" << 0.0 << QList<double>{1};
        QTest::newRow("min_p .26") << "min_p" << 0.26 << three;
        QTest::newRow("min_p .49") << "min_p" << 0.49 << three;
        QTest::newRow("min_p .51") << "min_p" << 0.51 << QList<double>{4.0 / 7, 3.0 / 7};
        QTest::newRow("min_p .76") << "min_p" << 0.76 << QList<double>{1};
        QTest::newRow("min_p 1") << "min_p" << 1.0 << QList<double>{1};
        QTest::newRow("min_p 1.05") << "min_p" << 1.05 << QList<double>{1};
    }

    void cutsAsPublished() {
        QFETCH(QString, name);
        QFETCH(double, value);
        QFETCH(QList<double>, right);
        auto candidates = fromProbabilities({.1, .2, .3, .4});
        QVERIFY(applyStage({name.toStdString(), {value}}, candidates, {}).ok());
        compare(sortedProbabilities(candidates), {right.begin(), right.end()});
    }

    void penaltiesLookAtTheNewestTokens() {
        const std::vector<int32_t> history{0, 0, 0, 1};
        auto candidates = fromProbabilities({.25, .25, .25, .25});
        QVERIFY(applyStage({"penalties", {1, 2, 0, 0}}, candidates, StageContext{history}).ok());
        const auto logit = [&](int32_t id) { return candidates.list[static_cast<size_t>(id)].logit; };
        QCOMPARE(logit(0), logit(2));
        QVERIFY(logit(1) < logit(0));
    }

    void unknownStagesAndWrongCountsAreSentences() {
        auto candidates = fromProbabilities({.5, .5});
        QVERIFY(applyStage({"no_such", {}}, candidates, {}).sentence().find("no_such") != std::string::npos);
        QVERIFY(!applyStage({"top_k", {}}, candidates, {}).ok());
        QVERIFY(!applyStage({"top_k", {NAN}}, candidates, {}).ok());
    }

    void theSameSeedAndPositionGiveTheSameToken() {
        std::vector<float> logits(1000);
        for (size_t i = 0; i < logits.size(); ++i) logits[i] = std::sin(static_cast<float>(i));
        SamplingOptions options;
        options.topK = 0;
        Sampler a(options, {42}), b(options, {42}), other(options, {43});
        int different = 0;
        for (uint32_t position = 0; position < 50; ++position) {
            QCOMPARE(a.choose(logits, {}, position), b.choose(logits, {}, position));
            different += a.choose(logits, {}, position) != other.choose(logits, {}, position);
        }
        QVERIFY(different > 25);
    }

    void drawsFollowTheProbabilities() {
        const std::vector<float> logits{std::log(.1f), std::log(.2f), std::log(.3f), std::log(.4f)};
        SamplingOptions options;
        options.temperature = 1;
        options.topK = 0;
        options.topP = 1;
        options.minP = 0;
        Sampler sampler(options, {7});
        std::vector<double> counts(4);
        constexpr int kDraws = 20000;
        for (uint32_t position = 0; position < kDraws; ++position) ++counts[static_cast<size_t>(sampler.choose(logits, {}, position))];
        double chiSquared = 0;
        for (int i = 0; i < 4; ++i) {
            const double expected = kDraws * (i + 1) / 10.0;
            chiSquared += (counts[static_cast<size_t>(i)] - expected) * (counts[static_cast<size_t>(i)] - expected) / expected;
        }
        QVERIFY2(chiSquared < 16.27, qPrintable(QString::number(chiSquared))); // 0.1 % for three degrees of freedom; the seed is fixed
    }

    void optionsOutOfRangeAreNamed() {
        SamplingOptions options;
        options.topK = -5;
        QVERIFY(checkOptions(options).sentence().find("Top-k") != std::string::npos);
        options = {};
        options.minP = 2;
        QVERIFY(checkOptions(options).sentence().find("Min-p") != std::string::npos);
        options = {};
        options.temperature = NAN;
        QVERIFY(!checkOptions(options).ok());
    }

private:
    Json m_cases;
};

QTEST_APPLESS_MAIN(TestSampler)
#include "test_sampler.moc"
