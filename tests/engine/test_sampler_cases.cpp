// What went wrong in other engines' samplers: small inputs and their right values, one test each.
#include "engine/sampling/sampler.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace steelyard;

namespace {

constexpr float kBan = -std::numeric_limits<float>::infinity();

std::vector<float> logitsOf(const std::vector<double>& probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
    return logits;
}

// The probabilities of a stage's candidates by id; 0 for those that it dropped.
std::vector<double> after(const SamplingStage& stage, const std::vector<double>& probabilities, const StageContext& context = {}) {
    Candidates candidates(logitsOf(probabilities));
    if (auto done = applyStage(stage, candidates, context); !done) qFatal("%s", done.sentence().c_str());
    std::vector<double> result(probabilities.size());
    const auto left = candidates.probabilities();
    for (size_t i = 0; i < left.size(); ++i) result[static_cast<size_t>(candidates.list[i].id)] = left[i];
    return result;
}

void compare(const std::vector<double>& found, const std::vector<double>& right, double tolerance = 1e-4) {
    QCOMPARE(found.size(), right.size());
    for (size_t i = 0; i < right.size(); ++i) QVERIFY2(std::fabs(found[i] - right[i]) < tolerance, qPrintable(QString("%1: %2").arg(i).arg(found[i])));
}

// No stage but the temperature.
SamplingOptions plain(float temperature) {
    SamplingOptions options;
    options.temperature = temperature;
    options.topK = 0;
    options.topP = 1;
    options.minP = 0;
    return options;
}

std::vector<float> waves(size_t count) {
    std::vector<float> logits(count);
    for (size_t i = 0; i < count; ++i) logits[i] = 3 * std::sin(static_cast<float>(i) * 1.7f);
    return logits;
}

// What a sampler writes after `prompt`, with the same logits at each position.
std::vector<int32_t> written(Sampler& sampler, const std::vector<float>& logits, std::vector<int32_t> history, int count) {
    const size_t prompt = history.size();
    for (int i = 0; i < count; ++i) {
        history.push_back(sampler.choose(logits, history, static_cast<uint32_t>(history.size())));
        sampler.accept(history.back());
    }
    return {history.begin() + static_cast<std::ptrdiff_t>(prompt), history.end()};
}

} // namespace

class TestSamplerCases : public QObject {
    Q_OBJECT

private slots:
    void P01_temperatureZeroIsTheBest() {
        compare(after({"temperature", {0}}, {.1, .2, .3, .4}), {0, 0, 0, 1});
        SamplingOptions options = plain(0);
        options.topP = 0;
        Sampler sampler(options, {1});
        QCOMPARE(sampler.choose(logitsOf({.1, .2, .3, .4}), {}, 0), 3);
        const auto distribution = sampler.distribution(logitsOf({.1, .2, .3, .4}), {}, 0);
        QCOMPARE(distribution.ids, std::vector<int32_t>{3});
    }

    void P03_fixedNumbers() {
        const std::vector<double> p{.1, .2, .3, .4};
        compare(after({"top_k", {3}}, p), {0, .2222, .3333, .4444});
        compare(after({"top_p", {.7}}, p), {0, 0, .4286, .5714});
        compare(after({"top_p", {.8}}, p), {0, .2222, .3333, .4444});
        compare(after({"top_p", {0}}, p), {0, 0, 0, 1});
        for (const double share : {.26, .49}) compare(after({"min_p", {share}}, p), {0, 2. / 9, 3. / 9, 4. / 9});
        compare(after({"min_p", {.51}}, p), {0, 0, 3. / 7, 4. / 7});
        for (const double share : {.76, 1., 1.05}) compare(after({"min_p", {share}}, p), {0, 0, 0, 1});
        compare(after({"top_n_sigma", {1}}, p), {0, 0, .4286, .5714});
        compare(after({"top_n_sigma", {0}}, p), p);
    }

    void P04_typicalAndXtc() {
        compare(after({"typical", {.5}}, {.97, .01, .01, .01}), {1, 0, 0, 0});
        compare(after({"typical", {.5}}, {.4, .2, .2, .2}), {0, 1. / 3, 1. / 3, 1. / 3});
        const std::vector<double> p{.4, .3, .2, .1};
        const StageContext context{{}, 0, nullptr, 42, 0};
        compare(after({"xtc", {.99, .09}}, p, context), {0, 0, 0, 1});
        compare(after({"xtc", {.99, .19}}, p, context), {0, 0, 2. / 3, 1. / 3});
        compare(after({"xtc", {.99, .29}}, p, context), {0, .5, 1. / 3, 1. / 6});
        compare(after({"xtc", {.99, .39}}, p, context), p);
    }

    void xtcHappensAsOftenAsItsProbability() {
        int happened = 0;
        for (uint64_t position = 0; position < 2000; ++position) happened += after({"xtc", {.25, .1}}, {.6, .4}, {{}, 0, nullptr, 3, position})[0] == 0;
        QVERIFY2(happened > 420 && happened < 580, qPrintable(QString::number(happened))); // 500 +- 4 standard deviations; the seed is fixed
    }

    void P06_dry() {
        const std::vector<double> four(4, .25), five(5, .2);
        const auto dry = [](double multiplier, double allowed) { return SamplingStage{"dry", {multiplier, 1.1, allowed, -1}}; };
        const auto given = [](const std::vector<int32_t>& history, const DryBreakers* breakers = nullptr) { return StageContext{history, 0, breakers}; };
        const std::vector<int32_t> none{0, 1}, repeated{0, 1, 2, 0, 1}, broken{0, 1, 3, 4, 0, 1}, longer{0, 1, 2, 3, 4, 0, 1};
        compare(after(dry(1, 2), four, given(none)), four);
        compare(after(dry(1, 2), four, given(repeated)), {.296923, .296923, .109232, .296923}, 1e-5);
        const DryBreakers three({"d"}, [](int32_t id) { return std::string(1, static_cast<char>('a' + id)); });
        compare(after(dry(1, 2), five, given(broken, &three)), five);
        compare(after(dry(2, 2), five, given(repeated)), {.241818, .241818, .032727, .241818, .241818}, 1e-5);
        compare(after(dry(1, 4), five, given(longer)), five);
    }

    void dryGrowsWithTheRepetitionAndStaysFinite() {
        std::vector<int32_t> history(3000, 1);
        Candidates candidates(std::vector<float>{0, 0, 0});
        QVERIFY(applyStage({"dry", {5, 4, 2, -1}}, candidates, StageContext{history}).ok());
        QVERIFY(std::isfinite(candidates.list[1].logit));
        QVERIFY(candidates.list[1].logit < -1e20f);
    }

    void breakersAreFoundAcrossTokens() {
        const std::vector<std::string> texts{"ab", "c\n", "\nd", "x"};
        const DryBreakers breakers({"\n\n", "bc"}, [&](int32_t id) { return texts[static_cast<size_t>(id)]; });
        const std::vector<int32_t> twoLines{3, 1, 2, 3, 3}, letters{3, 0, 1, 3}, none{0, 3, 2, 3};
        QCOMPARE(breakers.tokensAfterLast(twoLines), size_t(2));
        QCOMPARE(breakers.tokensAfterLast(letters), size_t(1));
        QCOMPARE(breakers.tokensAfterLast(none), size_t(4));
        QVERIFY(!breakers.isBreaker(1));
    }

    void P07_windowMinusOneIsEverything() {
        std::vector<int32_t> history(100, 7);
        history[0] = 3; // beyond a window of 64
        std::vector<float> logits(10, 1.0f);
        const auto logitOf3 = [&](double window) {
            Candidates candidates(logits);
            if (!applyStage({"penalties", {window, 1.5, 0, 0}}, candidates, StageContext{history}).ok()) return 0.0f;
            return candidates.list[3].logit;
        };
        QVERIFY(logitOf3(-1) < 1.0f);
        QCOMPARE(logitOf3(64), 1.0f);
        QCOMPARE(logitOf3(0), 1.0f);
    }

    void P09_newestTokensCount() {
        const std::vector<int32_t> history{0, 0, 0, 1};
        const auto p = after({"penalties", {1, 2, 0, 0}}, {.25, .25, .25, .25}, StageContext{history});
        QCOMPARE(p[0], p[2]);
        QVERIFY(p[1] < p[0]);
    }

    // Presence and frequency count the reply alone, as the field's servers do; repeat counts the prompt too.
    void P10_promptTokens() {
        const std::vector<int32_t> history{3, 3, 2}; // two of the prompt, one of the reply
        const auto at = [&](SamplingStage stage) { return after(stage, {.1, .2, .3, .4}, {history, 2}); };
        auto p = at({"penalties", {-1, 1, .5, 1}});
        QVERIFY(std::fabs(p[3] / p[0] - 4) < 1e-3);                           // of the prompt: as it was
        QVERIFY(std::fabs(p[2] / p[0] - 3 * std::exp(-1.5)) < 1e-3);          // once in the reply
        p = at({"penalties", {-1, 2, 0, 0}});
        QVERIFY(p[3] / p[0] < 3.9);
        SamplingOptions options = plain(0);
        options.presencePenalty = 5;
        Sampler sampler(options, {1, 2});
        QCOMPARE(sampler.choose(logitsOf({.1, .2, .3, .4}), std::vector<int32_t>{3, 3}, 2), 3);
        QCOMPARE(sampler.choose(logitsOf({.1, .2, .3, .4}), std::vector<int32_t>{3, 3, 3}, 3), 2);
    }

    void P12_seedsRepeat() {
        SamplingOptions options;
        options.temperature = .7f;
        Sampler a(options, {42}), b(options, {42}), other(options, {43});
        const auto text = written(a, waves(500), {1}, 60);
        QCOMPARE(written(b, waves(500), {1}, 60), text);
        QVERIFY(written(other, waves(500), {1}, 60) != text);
        QCOMPARE(a.seed(), uint64_t(42));
    }

    void P13_bannedTokensNeverCome() {
        for (const float bias : {-100.0f, kBan}) {
            for (const float temperature : {0.0f, 1.0f, 5.0f}) {
                SamplingOptions options = plain(temperature);
                options.logitBias = {{2, bias}};
                Sampler sampler(options, {7});
                const auto text = written(sampler, {1, 2, 9, 3}, {}, 300);
                QVERIFY(std::find(text.begin(), text.end(), 2) == text.end());
            }
        }
        SamplingOptions wanted = plain(0);
        wanted.logitBias = {{0, 20}};
        Sampler sampler(wanted, {7});
        QCOMPARE(sampler.choose(std::vector<float>{1, 2, 9, 3}, {}, 0), 0);
    }

    void bansOfAllTokensLeaveNone() {
        SamplingOptions options = plain(1);
        options.logitBias = {{0, kBan}, {1, kBan}};
        Sampler sampler(options, {7});
        QCOMPARE(sampler.choose(std::vector<float>{1, 2}, {}, 0), -1);
        QVERIFY(sampler.distribution(std::vector<float>{1, 2}, {}, 0).ids.empty());
    }

    void P15_absurdValuesAreNamed_data() {
        QTest::addColumn<int>("row");
        for (int row = 0; row < static_cast<int>(absurd().size()); ++row) QTest::addRow("%s", absurd()[static_cast<size_t>(row)].second.c_str()) << row;
    }

    void P15_absurdValuesAreNamed() {
        QFETCH(int, row);
        const auto [options, name] = absurd()[static_cast<size_t>(row)];
        const auto sentence = checkOptions(options, 1000).sentence();
        QVERIFY2(sentence.find(name) != std::string::npos, sentence.c_str());
        QVERIFY(checkOptions({}, 1000).ok());
    }

    void theOrderDecides() {
        // top_k of two first: top_p sees .6 and .4; after it: .5 alone reaches the half.
        SamplingOptions options = plain(1);
        options.topK = 2;
        options.topP = .55f;
        const auto logits = logitsOf({.06, .3, .2, .44});
        options.order = {"top_k", "top_p"};
        Sampler first(options, {1});
        QCOMPARE(first.distribution(logits, {}, 0).ids.size(), size_t(1));
        options.order = {"top_p", "top_k"};
        Sampler second(options, {1});
        QCOMPARE(second.distribution(logits, {}, 0).ids.size(), size_t(2));
        options.order = {"top_k"};
        QCOMPARE(chainOf(options).size(), size_t(1)); // what is not named is off
    }

    void minKeepHolds() {
        const std::vector<double> p{.1, .2, .3, .4};
        compare(after({"top_p", {.1, 2}}, p), {0, 0, 3. / 7, 4. / 7});
        compare(after({"min_p", {.9, 3}}, p), {0, .2222, .3333, .4444});
        compare(after({"xtc", {1, .1, 4}}, p), p);
    }

    // The state belongs to the reply: the same seed and tokens give the same, and the surprise comes near what was asked for.
    void mirostatFollowsItsSurprise() {
        std::vector<float> logits(2000);
        for (size_t i = 0; i < logits.size(); ++i) logits[i] = -std::log(static_cast<float>(i) + 1.0f);
        SamplingOptions options = plain(1);
        options.mirostatTau = 3;
        Sampler a(options, {9}), b(options, {9});
        QCOMPARE(written(a, logits, {}, 50), written(b, logits, {}, 50));
        double surprise = 0;
        constexpr int kCount = 1500;
        for (uint32_t position = 0; position < kCount; ++position) {
            const auto distribution = a.distribution(logits, {}, position);
            const int32_t token = a.choose(logits, {}, position);
            const auto place = std::find(distribution.ids.begin(), distribution.ids.end(), token) - distribution.ids.begin();
            surprise -= std::log2(distribution.probabilities[static_cast<size_t>(place)]);
            a.accept(token);
        }
        QVERIFY2(std::fabs(surprise / kCount - 3) < 0.1, qPrintable(QString::number(surprise / kCount)));
    }

    void asking_changesNothing() {
        SamplingOptions options = plain(1);
        options.mirostatTau = 2;
        Sampler asked(options, {5}), quiet(options, {5});
        const auto logits = waves(100);
        for (uint32_t position = 0; position < 5; ++position) (void)asked.distribution(logits, {}, position);
        QCOMPARE(written(asked, logits, {}, 30), written(quiet, logits, {}, 30));
    }

    // Draws follow the distribution that is told.
    void distributionIsWhatIsDrawn() {
        SamplingOptions options = plain(1.3f);
        options.topK = 6;
        options.minP = .02f;
        Sampler sampler(options, {11});
        const auto logits = waves(50);
        const auto distribution = sampler.distribution(logits, {}, 0);
        std::vector<double> counts(50);
        constexpr int kDraws = 20000;
        for (uint32_t position = 0; position < kDraws; ++position) ++counts[static_cast<size_t>(sampler.choose(logits, {}, position))];
        double chiSquared = 0;
        for (size_t i = 0; i < distribution.ids.size(); ++i) {
            const double expected = kDraws * distribution.probabilities[i], found = counts[static_cast<size_t>(distribution.ids[i])];
            chiSquared += (found - expected) * (found - expected) / expected;
        }
        QVERIFY2(chiSquared < 20.52, qPrintable(QString::number(chiSquared))); // 0.1 % for five degrees of freedom; the seed is fixed
    }

    // Selecting a part gives what sorting everything would give.
    void partsAreSortedRight() {
        std::vector<float> logits(20000);
        for (size_t i = 0; i < logits.size(); ++i) logits[i] = std::round(50 * std::sin(static_cast<float>(i * i % 7919)));
        Candidates whole(logits);
        std::sort(whole.list.begin(), whole.list.end(), [](const auto& a, const auto& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; });
        for (const size_t count : {size_t(1), size_t(40), size_t(150), size_t(5000), size_t(20000)}) {
            Candidates part(logits);
            part.sortFront(count);
            for (size_t i = 0; i < count; ++i) QCOMPARE(part.list[i].id, whole.list[i].id);
        }
    }

private:
    static std::vector<std::pair<SamplingOptions, std::string>> absurd() {
        std::vector<std::pair<SamplingOptions, std::string>> rows;
        const auto add = [&](const char* name, auto change) {
            SamplingOptions options;
            change(options);
            rows.emplace_back(options, name);
        };
        add("DRY allowed length", [](auto& o) { o.dryAllowedLength = -1; });
        add("DRY multiplier", [](auto& o) { o.dryMultiplier = -1; });
        add("DRY base", [](auto& o) { o.dryBase = 0; });
        add("DRY window", [](auto& o) { o.dryLastN = -2; });
        add("DRY breaker", [](auto& o) { o.dryBreakers = {std::string(5000, 'x')}; });
        add("Top-k", [](auto& o) { o.topK = -5; });
        add("Top-p", [](auto& o) { o.topP = NAN; });
        add("repetition penalty", [](auto& o) { o.repeatPenalty = 0; });
        add("frequency penalty", [](auto& o) { o.frequencyPenalty = INFINITY; });
        add("presence penalty", [](auto& o) { o.presencePenalty = -1e9f; });
        add("Min-p", [](auto& o) { o.minP = 2; });
        add("Typical-p", [](auto& o) { o.typicalP = -.1f; });
        add("Top-n-sigma", [](auto& o) { o.topNSigma = -1; });
        add("XTC probability", [](auto& o) { o.xtcProbability = 1.5f; });
        add("XTC threshold", [](auto& o) { o.xtcThreshold = NAN; });
        add("temperature", [](auto& o) { o.temperature = -1; });
        add("dynamic temperature", [](auto& o) { o.temperatureExponent = 0; });
        add("tau", [](auto& o) { o.mirostatTau = -3; });
        add("eta", [](auto& o) { o.mirostatEta = 7; });
        add("kept at least", [](auto& o) { o.minKeep = 0; });
        add("window", [](auto& o) { o.repeatLastN = -2; });
        add("token 1000", [](auto& o) { o.logitBias = {{1000, 1}}; });
        add("token 5", [](auto& o) { o.logitBias = {{5, NAN}}; });
        add("order of samplers", [](auto& o) { o.order = {"no_such"}; });
        add("twice", [](auto& o) { o.order = {"top_k", "top_k"}; });
        return rows;
    }
};

QTEST_APPLESS_MAIN(TestSamplerCases)
#include "test_sampler_cases.moc"
