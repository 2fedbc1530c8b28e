// Perplexity and divergence equal their definitions, computed here the plain way from the logits of whole windows.
#include "engine/evaluate/distribution.h"
#include "engine/evaluate/perplexity.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/tiny_model.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

using namespace steelyard;

namespace {

const std::string kFolder = std::string(STEELYARD_TEST_DATA) + "/architectures/";
const std::atomic<bool> kGoesOn{false};

// Ids below 120, the same each time.
std::vector<int32_t> someIds(size_t count) {
    std::vector<int32_t> ids(count);
    for (size_t i = 0; i < count; ++i) ids[i] = static_cast<int32_t>((i * i * 7 + i * 13 + 5) % 120);
    return ids;
}

std::vector<double> probabilities(const float* logits, size_t count) {
    std::vector<double> values(count);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += values[i] = std::exp(double(logits[i]));
    for (auto& value : values) value /= sum;
    return values;
}

// What the definitions say of these windows.
struct Expected {
    double logSum = 0, klSum = 0;
    uint64_t tokens = 0, sameTop = 0;
    std::vector<double> divergences;
};

Expected expectedOf(LoadedEngine& model, LoadedEngine& reference, const TextWindows& windows) {
    constexpr size_t kVocabulary = 128;
    Expected expected;
    for (const auto& ids : windows.ids) {
        const auto found = model.score(ids), right = reference.score(ids);
        for (size_t row = ids.size() / 2; row + 1 < ids.size(); ++row) {
            const auto q = probabilities(&(*found)[row * kVocabulary], kVocabulary), p = probabilities(&(*right)[row * kVocabulary], kVocabulary);
            expected.logSum += std::log(q[static_cast<size_t>(ids[row + 1])]);
            double divergence = 0;
            for (size_t i = 0; i < kVocabulary; ++i) divergence += p[i] * std::log(p[i] / q[i]);
            expected.divergences.push_back(divergence);
            expected.klSum += divergence;
            if (std::max_element(p.begin(), p.end()) - p.begin() == std::max_element(q.begin(), q.end()) - q.begin()) ++expected.sameTop;
            ++expected.tokens;
        }
    }
    return expected;
}

} // namespace

class TestPerplexity : public QObject {
    Q_OBJECT

private slots:
    void windowsFollowTheRules();
    void windowsBeginWithTheBos();
    void shortTextsAndContextsAreRefused();
    void textsAreReadWithTheVocabulary();
    void otherVocabulariesAreRefused();
    void diffusionModelsAreRefused();
    void distributionsOfARow();
    void perplexityEqualsItsDefinition();
    void divergenceEqualsItsDefinition_data();
    void divergenceEqualsItsDefinition();
    void aModelIsNotFarFromItself();
    void sizesOfVocabulariesMustBeEqual();
    void progressNamesEachWindow();
    void cancellingEndsIt();
    void aRealModelKeepsTheReferenceFigures();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    std::filesystem::path write(const char* name, const TinyModel& model) {
        std::ofstream(place(name), std::ios::binary) << model.bytes();
        return place(name);
    }
    static void load(LoadedEngine& engine, const std::filesystem::path& path) {
        QCOMPARE(engine.load(path, "cpu", TensorType::F32, 512), std::string());
    }
    static Result<PerplexityResult> measure(LoadedEngine& model, LoadedEngine* reference, const TextWindows& windows) {
        const MeasuredModel measured{model.engine, model.model()};
        if (!reference) return measurePerplexity(measured, nullptr, windows, {}, kGoesOn);
        const MeasuredModel other{reference->engine, reference->model()};
        return measurePerplexity(measured, &other, windows, {}, kGoesOn);
    }
    QTemporaryDir m_folder;
};

void TestPerplexity::windowsFollowTheRules() {
    const auto ids = someIds(35);
    const auto windows = windowsOf(ids, 16, std::nullopt);
    QVERIFY(windows.ok());
    QCOMPARE(windows->ids.size(), size_t(2)); // the last three tokens do not count
    QCOMPARE(windows->ids[1], std::vector<int32_t>(ids.begin() + 16, ids.begin() + 32));
    QCOMPARE(windows->firstScored(), 8u);
    QCOMPARE(windows->scoredRows(), 7u);
    QCOMPARE(windowsOf(ids, 17, std::nullopt)->scoredRows(), 8u);
}

void TestPerplexity::windowsBeginWithTheBos() {
    const auto ids = someIds(8);
    const auto windows = windowsOf(ids, 4, 99);
    QVERIFY(windows.ok());
    for (size_t window = 0; window < 2; ++window) {
        QCOMPARE(windows->ids[window][0], 99);
        QCOMPARE(windows->ids[window][1], ids[window * 4 + 1]);
    }
}

void TestPerplexity::shortTextsAndContextsAreRefused() {
    QVERIFY(windowsOf(someIds(31), 16, std::nullopt).sentence().find("at least 32") != std::string::npos);
    QVERIFY(windowsOf(someIds(32), 16, std::nullopt).ok());
    QVERIFY(!windowsOf(someIds(32), 3, std::nullopt).ok());
    QVERIFY(!windowsOf({}, 512, std::nullopt).ok());
}

void TestPerplexity::textsAreReadWithTheVocabulary() {
    const auto model = write("plain.gguf", TinyModel());
    const auto windows = readWindows("abcdabcdabcdabcd\n", 4, model, model);
    QVERIFY2(windows.ok(), windows.sentence().c_str());
    QCOMPARE(windows->ids.size(), size_t(3)); // "ab" is one token
    QCOMPARE(windows->ids[0], (std::vector<int32_t>{4, 2, 3, 4}));
    const auto withBos = write("bos.gguf", TinyModel().key("tokenizer.ggml.bos_token_id", uint32_t(6)).key("tokenizer.ggml.add_bos_token", true));
    const auto begun = readWindows("abcdabcdabcdabcd", 4, withBos, std::nullopt);
    QVERIFY2(begun.ok(), begun.sentence().c_str());
    QCOMPARE(begun->ids[0], (std::vector<int32_t>{6, 4, 2, 3}));
    QCOMPARE(begun->ids[1], (std::vector<int32_t>{6, 2, 3, 4})); // in place of the text's own token
}

void TestPerplexity::otherVocabulariesAreRefused() {
    const auto model = write("plain.gguf", TinyModel());
    const auto other = write("other.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"b", "a", "c", "d", "ab", "<e>", "f", "g"}));
    const auto windows = readWindows("acbdacbdacbdacbd", 4, model, other);
    QVERIFY2(windows.sentence().find("vocabular") != std::string::npos, windows.sentence().c_str());
    QVERIFY(readWindows("abcdabcdabcdabcd", 4, model, place("absent.gguf")).sentence().find("reference") != std::string::npos);
}

void TestPerplexity::diffusionModelsAreRefused() {
    QVERIFY(readWindows("a", 4, kFolder + "llada-dense.gguf", std::nullopt).sentence().find("diffusion") != std::string::npos);
}

void TestPerplexity::distributionsOfARow() {
    const std::vector<float> even(4, 2.0f), other = {0.0f, 1.0f, 3.0f, -50.0f};
    const RowDistribution p(even), q(other);
    QCOMPARE(q.top(), size_t(2));
    QVERIFY(std::abs(p.logProbability(1) + std::log(4.0)) < 1e-12);
    double sum = 0;
    for (int32_t i = 0; i < 4; ++i) sum += std::exp(q.logProbability(i));
    QVERIFY(std::abs(sum - 1) < 1e-6);
    double divergence = 0;
    for (int32_t i = 0; i < 4; ++i) divergence += 0.25 * (std::log(0.25) - q.logProbability(i));
    QVERIFY(std::abs(p.divergenceTo(q) - divergence) < 1e-6);
    QCOMPARE(q.divergenceTo(q), 0.0);
    // What has no probability adds nothing.
    const std::vector<float> without = {0.0f, 1.0f, -std::numeric_limits<float>::infinity()};
    QCOMPARE(RowDistribution(without).divergenceTo(RowDistribution(without)), 0.0);
}

void TestPerplexity::perplexityEqualsItsDefinition() {
    LoadedEngine model;
    load(model, kFolder + "llama-dense.gguf");
    const auto windows = windowsOf(someIds(100), 24, std::nullopt);
    const auto result = measure(model, nullptr, *windows);
    QVERIFY2(result.ok(), result.sentence().c_str());
    const Expected expected = expectedOf(model, model, *windows);
    QCOMPARE(result->tokens, expected.tokens);
    QCOMPARE(result->tokens, uint64_t(4 * 11));
    QVERIFY(std::abs(std::log(result->perplexity) + expected.logSum / double(expected.tokens)) < 1e-5);
    QVERIFY(!result->divergence);
}

void TestPerplexity::divergenceEqualsItsDefinition_data() {
    QTest::addColumn<int>("context");
    QTest::newRow("a few rows") << 24;
    QTest::newRow("more rows than wait at once") << 200;
}

void TestPerplexity::divergenceEqualsItsDefinition() {
    QFETCH(int, context);
    const auto coarse = place("coarse.gguf");
    QVERIFY(Engine::quantize({kFolder + "llama-dense.gguf", coarse, "Q8_0", 1}, {}, kGoesOn).ok());
    LoadedEngine model, reference;
    load(model, coarse);
    load(reference, kFolder + "llama-dense.gguf");
    const auto windows = windowsOf(someIds(600), static_cast<uint32_t>(context), std::nullopt);
    const auto result = measure(model, &reference, *windows);
    QVERIFY2(result.ok() && result->divergence, result.sentence().c_str());
    Expected expected = expectedOf(model, reference, *windows);
    const double mean = expected.klSum / double(expected.tokens);
    QVERIFY(mean > 0);
    QVERIFY2(std::abs(result->divergence->meanKl - mean) < 1e-6 + 1e-3 * mean, qPrintable(QString::number(result->divergence->meanKl)));
    QCOMPARE(result->divergence->sameTop, double(expected.sameTop) / double(expected.tokens));
    std::sort(expected.divergences.begin(), expected.divergences.end());
    QVERIFY(result->divergence->klP99 <= expected.divergences.back() + 1e-6);
    QVERIFY(result->divergence->klP99 >= expected.divergences[expected.divergences.size() * 98 / 100] - 1e-6);
    QVERIFY(std::abs(std::log(result->perplexity) + expected.logSum / double(expected.tokens)) < 1e-5);
    QCOMPARE(result->divergence->referencePerplexity, measure(reference, nullptr, *windows)->perplexity);
    QCOMPARE(result->perplexity, measure(model, nullptr, *windows)->perplexity);
}

void TestPerplexity::aModelIsNotFarFromItself() {
    LoadedEngine model, same;
    load(model, kFolder + "gemma3-dense.gguf");
    load(same, kFolder + "gemma3-dense.gguf");
    const auto result = measure(model, &same, *windowsOf(someIds(64), 32, std::nullopt));
    QVERIFY2(result.ok(), result.sentence().c_str());
    QCOMPARE(result->divergence->meanKl, 0.0);
    QCOMPARE(result->divergence->klP99, 0.0);
    QCOMPARE(result->divergence->sameTop, 1.0);
    QCOMPARE(result->divergence->referencePerplexity, result->perplexity);
}

void TestPerplexity::sizesOfVocabulariesMustBeEqual() {
    LoadedEngine model, small;
    load(model, kFolder + "llama-dense.gguf");
    QCOMPARE(small.load(write("small.gguf", TinyModel()), "cpu", TensorType::F32, 16), std::string());
    const auto windows = windowsOf(std::vector<int32_t>(16, 1), 8, std::nullopt);
    QVERIFY(measure(model, &small, *windows).sentence().find("different sizes") != std::string::npos);
    // A reference that fails: its id is none of the small vocabulary.
    const auto beyond = windowsOf(std::vector<int32_t>(16, 100), 8, std::nullopt);
    QVERIFY(measure(model, &small, *beyond).sentence().find("outside the vocabulary") != std::string::npos);
}

void TestPerplexity::progressNamesEachWindow() {
    LoadedEngine model;
    load(model, kFolder + "llama-dense.gguf");
    std::vector<size_t> seen;
    double last = 0;
    const auto result = measurePerplexity({model.engine, model.model()}, nullptr, *windowsOf(someIds(64), 16, std::nullopt),
                                          [&](const PerplexityProgress& progress) {
                                              QCOMPARE(progress.allWindows, size_t(4));
                                              seen.push_back(progress.windows);
                                              last = progress.perplexity;
                                          },
                                          kGoesOn);
    QCOMPARE(seen, (std::vector<size_t>{1, 2, 3, 4}));
    QCOMPARE(last, result->perplexity);
}

void TestPerplexity::cancellingEndsIt() {
    LoadedEngine model, reference;
    load(model, kFolder + "llama-dense.gguf");
    load(reference, kFolder + "llama-dense.gguf");
    std::atomic<bool> cancelled = false;
    int windows = 0;
    const MeasuredModel other{reference.engine, reference.model()};
    for (const MeasuredModel* second : {static_cast<const MeasuredModel*>(nullptr), &other}) {
        cancelled = false;
        windows = 0;
        const auto result = measurePerplexity({model.engine, model.model()}, second, *windowsOf(someIds(64), 16, std::nullopt),
                                              [&](const PerplexityProgress&) { cancelled = ++windows == 2; }, cancelled);
        QVERIFY(result.sentence().find("cancelled") != std::string::npos);
        QCOMPARE(windows, 2);
    }
    // The engine is as before.
    QVERIFY(model.score({1, 2, 3}).ok());
}

// Q8_0 of SmolLM2, made here from the file expanded to F32: no worse than the reference figures of models/quantization-smollm2.json.
void TestPerplexity::aRealModelKeepsTheReferenceFigures() {
    const std::filesystem::path model = modelFolder() + "/" + kSmolLm2;
    if (modelFolder().empty() || !std::filesystem::exists(model)) QSKIP("the model cache has no SmolLM2");
    constexpr double kFileBytes = 144'811'072;
    constexpr double kReferencePerplexity = 18.0679, kPerplexity = 18.033239, kMeanKl = 0.00417, kSameTop = 0.95686;
    const auto expanded = place("expanded.gguf"), coarse = place("coarse-real.gguf");
    QVERIFY(Engine::quantize({model, expanded, "F32", 0}, {}, kGoesOn).ok());
    const auto made = Engine::quantize({expanded, coarse, "Q8_0", 0}, {}, kGoesOn);
    QVERIFY2(made.ok(), made.sentence().c_str());
    QVERIFY2(std::abs(double(made->outputBytes) / kFileBytes - 1) < 1e-5, qPrintable(QString::number(made->outputBytes))); // but for what says how it was made
    std::ifstream file(std::string(STEELYARD_TEST_DATA) + "/models/text.txt", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto windows = readWindows(text, 512, coarse, expanded);
    QVERIFY2(windows.ok(), windows.sentence().c_str());
    QCOMPARE(windows->ids.size(), size_t(6));
    LoadedEngine measured, reference;
    QCOMPARE(measured.load(coarse, "cpu", TensorType::F16, 512), std::string());
    QCOMPARE(reference.load(expanded, "cpu", TensorType::F16, 512), std::string());
    const auto result = measure(measured, &reference, *windows);
    QVERIFY2(result.ok(), result.sentence().c_str());
    QCOMPARE(result->tokens, uint64_t(6 * 255));
    QVERIFY(std::abs(result->divergence->referencePerplexity / kReferencePerplexity - 1) < 0.01);
    QVERIFY(std::abs(result->perplexity / kPerplexity - 1) < 0.03);
    QVERIFY2(result->divergence->meanKl <= 1.1 * kMeanKl, qPrintable(QString::number(result->divergence->meanKl)));
    QVERIFY(result->divergence->sameTop >= kSameTop);
}

QTEST_GUILESS_MAIN(TestPerplexity)
#include "test_perplexity.moc"
