// Columns side by side: the plan, answers, one answer forced through all, and quality against stored distributions.
#include "engine/evaluate/comparison.h"
#include "engine/evaluate/distribution.h"
#include "engine/evaluate/perplexity.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/tiny_model.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>

using namespace steelyard;

namespace {

const std::string kFolder = std::string(STEELYARD_TEST_DATA) + "/architectures/";
const std::atomic<bool> kGoesOn{false};

// A text of the tiny vocabulary's letters, the same each time.
std::string someText(size_t letters) {
    std::string text;
    for (size_t i = 0; i < letters; ++i) text += static_cast<char>('a' + (i * i * 3 + i * 5 + i / 7) % 4);
    return text;
}

Prompt messages(std::vector<ChatMessage> list) { return chatPrompt(std::move(list)); }

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void plansSayWhatFits();
    void columnsThatCannotBeLoadedSayWhy();
    void columnsDoNotFitTogether();
    void namesComeFromWhatDiffers();
    void columnsAnswer();
    void columnsAnswerAtOnce();
    void aFailedColumnLeavesTheOthers();
    void answersCanBeCancelled();
    void histories();
    void fillerComesBeforeThePrompt();
    void theSameTextThroughAll();
    void theSameTextInAnotherVocabulary();
    void speedsAreMeasured();
    void qualityEqualsTheExactOne();
    void nothingIsMeasuredTwice();
    void anotherReference();
    void cancelledMeasurementsGoOn();
    void damagedFilesAreMadeAnew();
    void limitsOfBytesAreKept();
    void badTextsAndColumns();
    void nothingIsLeftBehind();

private:
    std::filesystem::path place(const std::string& name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    std::filesystem::path write(const std::string& name, const TinyModel& model) {
        std::ofstream(place(name), std::ios::binary) << model.bytes();
        return place(name);
    }
    // A model whose weights are no zeros, with the tiny vocabulary.
    static TinyModel lively() {
        TinyModel model;
        const auto wave = [](uint64_t count, float step) {
            std::vector<float> values(count);
            for (uint64_t i = 0; i < count; ++i) values[i] = 0.4f * std::sin(float(i) * step + float(i % 13));
            std::vector<uint8_t> bytes(count * sizeof(float));
            std::memcpy(bytes.data(), values.data(), bytes.size());
            return bytes;
        };
        const auto put = [&](const std::string& name, uint64_t columns, uint64_t rows, float step) { model.tensor(name, {columns, rows}, TensorType::F32, wave(columns * rows, step)); };
        put("token_embd.weight", 32, 8, 0.37f);
        put("output.weight", 32, 8, 0.91f);
        model.filled("output_norm.weight", {32}, 1.0f);
        for (const std::string block : {"blk.0.", "blk.1."}) {
            model.filled(block + "attn_norm.weight", {32}, 1.0f).filled(block + "ffn_norm.weight", {32}, 1.0f);
            put(block + "attn_q.weight", 32, 32, 0.11f);
            put(block + "attn_k.weight", 32, 16, 0.23f);
            put(block + "attn_v.weight", 32, 16, 0.31f);
            put(block + "attn_output.weight", 32, 32, 0.43f);
            put(block + "ffn_gate.weight", 32, 64, 0.53f);
            put(block + "ffn_up.weight", 32, 64, 0.61f);
            put(block + "ffn_down.weight", 64, 32, 0.71f);
        }
        return model;
    }
    ComparisonColumn column(const std::filesystem::path& path, TensorType kvType = TensorType::F16) const {
        ComparisonColumn column;
        column.load.path = path;
        column.load.device = "cpu";
        column.load.contextLength = 64;
        column.load.kvTypeK = column.load.kvTypeV = kvType;
        return column;
    }
    MeasureRequest measureRequest(const std::string& folder) const {
        MeasureRequest request;
        request.text = someText(200);
        request.context = 16;
        if (!folder.empty()) request.folder = place(folder);
        return request;
    }
    QTemporaryDir m_folder;
    std::filesystem::path m_fine, m_coarse;
};

void TestComparison::initTestCase() {
    m_fine = write("fine.gguf", lively());
    m_coarse = place("coarse.gguf");
    QVERIFY(Engine::quantize({m_fine, m_coarse, "Q8_0", 1}, {}, kGoesOn).ok());
}

void TestComparison::plansSayWhatFits() {
    const auto plan = planComparison({column(m_fine), column(m_coarse)});
    QCOMPARE(plan.order, ComparisonPlan::Order::Together);
    QCOMPARE(plan.columns.size(), size_t(2));
    QCOMPARE(plan.togetherBytes, plan.columns[0].memory.totalBytes + plan.columns[1].memory.totalBytes);
    QVERIFY2(has(plan.sentence, "fit into memory together"), plan.sentence.c_str());
    QCOMPARE(plan.columns[1].facts.quantization, std::string("Q8_0"));
}

void TestComparison::columnsThatCannotBeLoadedSayWhy() {
    const auto plan = planComparison({column(place("absent.gguf")), column(m_fine)});
    QVERIFY(has(plan.columns[0].problem, "absent.gguf"));
    QVERIFY(plan.columns[1].problem.empty());
    QCOMPARE(planComparison({column(place("absent.gguf"))}).order, ComparisonPlan::Order::Nothing);
    Comparison comparison({column(place("absent.gguf"))});
    AnswerRequest request;
    request.prompts = {textPrompt("ab")};
    QVERIFY(!comparison.answer(request, {}, kGoesOn).ok());
}

// A limit of memory that has room for one alone.
void TestComparison::columnsDoNotFitTogether() {
    auto one = column(m_fine), two = column(m_coarse);
    const auto plan = planComparison({one, two});
    for (auto* each : {&one, &two}) each->load.memoryLimitBytes = plan.largestBytes + (64ull << 20);
    Comparison comparison({one, two});
    QCOMPARE(comparison.plan().order, ComparisonPlan::Order::OneAfterTheOther);
    QVERIFY2(has(comparison.plan().sentence, "one after the other"), comparison.plan().sentence.c_str());
    AnswerRequest request;
    request.prompts = {textPrompt("abcd")};
    request.maxTokens = 4;
    request.atOnce = true;
    const auto answers = comparison.answer(request, {}, kGoesOn);
    QVERIFY2(answers.ok(), answers.sentence().c_str());
    for (const auto& answer : *answers) QVERIFY2(answer.problem.empty() && !answer.ids.empty() && !answer.besideOthers, answer.problem.c_str());
}

void TestComparison::namesComeFromWhatDiffers() {
    ModelFacts q8, q4;
    q8.architecture = q4.architecture = "llama";
    q8.name = q4.name = "Tiny";
    q8.quantization = "Q8_0";
    q4.quantization = "Q4_K_M";
    auto a = column("a.gguf"), b = column("b.gguf"), c = column("b.gguf", TensorType::Q8_0);
    c.load.kvTypeV = TensorType::Q4_0;
    auto named = nameColumns({a, b, c}, {q8, q4, q4});
    QCOMPARE(named[0].name, std::string("Q8_0, KV f16"));
    QCOMPARE(named[2].name, std::string("Q4_K_M, KV q8_0, q4_0"));
    // The same file with another context, with filler, and with guesses.
    auto longer = a, filled = a, guessing = a;
    longer.load.contextLength = 8192;
    filled.fillerTokens = 6000;
    guessing.speculation.lookup = true;
    named = nameColumns({a, longer}, {q8, q8});
    QCOMPARE(named[1].name, std::string("8192 tokens"));
    QCOMPARE(nameColumns({a, filled}, {q8, q8})[1].name, std::string("6000 tokens before"));
    named = nameColumns({a, guessing}, {q8, q8});
    QCOMPARE(named[0].name, std::string("no guesses"));
    QCOMPARE(named[1].name, std::string("guesses: lookup, at most 8"));
    // Nothing differs but the file; nothing at all.
    QCOMPARE(nameColumns({a, b}, {q8, q8})[1].name, std::string("b.gguf"));
    QCOMPARE(nameColumns({a, a}, {q8, q8})[1].name, std::string("a (2)"));
    a.name = "mine";
    QCOMPARE(nameColumns({a, b}, {q8, q4})[0].name, std::string("mine"));
    const auto traits = differingTraits({a, c}, {q8, q4});
    QCOMPARE(traits[0].size(), size_t(2));
    QCOMPARE(traits[1][1].value, std::string("q8_0, q4_0"));
}

void TestComparison::columnsAnswer() {
    Comparison comparison({column(m_fine), column(m_coarse)});
    AnswerRequest request;
    request.prompts = {textPrompt("abcdab")};
    request.maxTokens = 6;
    std::vector<std::string> streamed(2);
    std::vector<size_t> ended;
    ComparisonCallbacks callbacks;
    callbacks.textArrived = [&](size_t column, const TextDelta& delta) { streamed[column] += delta.text; };
    callbacks.answered = [&](size_t column, const ColumnAnswer&) { ended.push_back(column); };
    const auto answers = comparison.answer(request, callbacks, kGoesOn);
    QVERIFY2(answers.ok(), answers.sentence().c_str());
    QCOMPARE(ended, (std::vector<size_t>{0, 1}));
    for (size_t i = 0; i < 2; ++i) {
        const auto& answer = (*answers)[i];
        QVERIFY2(answer.problem.empty(), answer.problem.c_str());
        QCOMPARE(answer.text, streamed[i]);
        QVERIFY(answer.memory.weightsBytes > 0 && answer.statistics.promptTokens > 0 && answer.facts.bitsPerWeight > 0);
        QCOMPARE(answer.statistics.seed, answers->front().statistics.seed);
    }
    // The same seed again: the same answers.
    request.sampling.seed = answers->front().statistics.seed;
    const auto again = comparison.answer(request, {}, kGoesOn);
    for (size_t i = 0; i < 2; ++i) QCOMPARE((*again)[i].ids, (*answers)[i].ids);
    // Some of them only.
    request.columns = {1};
    QVERIFY(comparison.answer(request, {}, kGoesOn)->front().ids.empty());
}

void TestComparison::columnsAnswerAtOnce() {
    Comparison comparison({column(m_fine), column(m_coarse), column(place("absent.gguf"))});
    AnswerRequest request;
    request.prompts = {textPrompt("abcdab")};
    request.maxTokens = 6;
    request.sampling.seed = 7;
    const auto alone = comparison.answer(request, {}, kGoesOn);
    request.atOnce = true;
    size_t ended = 0;
    ComparisonCallbacks callbacks;
    callbacks.answered = [&](size_t, const ColumnAnswer&) { ++ended; };
    const auto together = comparison.answer(request, callbacks, kGoesOn);
    QVERIFY2(together.ok(), together.sentence().c_str());
    QCOMPARE(ended, size_t(3));
    for (size_t i = 0; i < 2; ++i) {
        QVERIFY((*together)[i].besideOthers && !(*alone)[i].besideOthers);
        QCOMPARE((*together)[i].ids, (*alone)[i].ids);
    }
}

void TestComparison::aFailedColumnLeavesTheOthers() {
    Comparison comparison({column(place("absent.gguf")), column(m_fine)});
    AnswerRequest request;
    request.prompts = {textPrompt("ab")};
    request.maxTokens = 2;
    const auto answers = comparison.answer(request, {}, kGoesOn);
    QVERIFY(answers.ok());
    QVERIFY(has((*answers)[0].problem, "absent.gguf"));
    QVERIFY(!(*answers)[1].ids.empty());
    SameTextRequest same;
    same.prompts = request.prompts;
    same.answer = "cdab";
    same.reference = 1;
    const auto forced = comparison.sameText(same, {}, kGoesOn);
    QVERIFY2(forced.ok(), forced.sentence().c_str());
    QVERIFY(!forced->columns[0].problem.empty() && !forced->columns[1].tokens.empty());
}

void TestComparison::answersCanBeCancelled() {
    Comparison comparison({column(m_fine), column(m_coarse)});
    std::atomic<bool> cancelled = false;
    ComparisonCallbacks callbacks;
    callbacks.textArrived = [&](size_t, const TextDelta&) { cancelled = true; };
    AnswerRequest request;
    request.prompts = {textPrompt("ab")};
    request.maxTokens = 50;
    const auto answers = comparison.answer(request, callbacks, cancelled);
    QVERIFY(has(answers.sentence(), "cancelled"));
    cancelled = false;
    request.maxTokens = 2;
    QVERIFY(comparison.answer(request, {}, cancelled).ok()); // all is as before
}

void TestComparison::histories() {
    Comparison comparison({column(m_fine), column(m_fine)});
    AnswerRequest request;
    request.maxTokens = 2;
    request.prompts = {messages({{"user", "ab", {}}, {"assistant", "cd", {}}, {"user", "a", {}}}), messages({{"user", "a", {}}})};
    const auto answers = comparison.answer(request, {}, kGoesOn);
    QVERIFY2(answers.ok() && (*answers)[0].problem.empty(), (*answers)[0].problem.c_str());
    QVERIFY((*answers)[0].statistics.promptTokens > (*answers)[1].statistics.promptTokens);
    request.prompts.clear();
    QVERIFY(has(comparison.answer(request, {}, kGoesOn)->front().problem, "no prompt"));
}

void TestComparison::fillerComesBeforeThePrompt() {
    auto filled = column(m_fine);
    filled.fillerTokens = 30;
    Comparison comparison({column(m_fine), filled});
    AnswerRequest request;
    request.maxTokens = 2;
    for (const auto& prompt : {textPrompt("abab"), messages({{"user", "abab", {}}})}) {
        request.prompts = {prompt};
        const auto answers = comparison.answer(request, {}, kGoesOn);
        QVERIFY2((*answers)[1].problem.empty(), (*answers)[1].problem.c_str());
        QVERIFY((*answers)[1].statistics.promptTokens >= (*answers)[0].statistics.promptTokens + 10);
    }
    request.prompts = {idsPrompt({0, 1})};
    QVERIFY(has((*comparison.answer(request, {}, kGoesOn))[1].problem, "token ids"));
}

void TestComparison::theSameTextThroughAll() {
    Comparison comparison({column(m_fine), column(m_coarse), column(m_fine)});
    SameTextRequest request;
    request.prompts = {textPrompt("abc")};
    request.answer = "dcabd";
    request.alternatives = 3;
    const auto forced = comparison.sameText(request, {}, kGoesOn);
    QVERIFY2(forced.ok(), forced.sentence().c_str());
    QVERIFY(forced->sameTokens);
    LoadedEngine engine;
    QCOMPARE(engine.load(m_coarse, "cpu"), std::string());
    for (const auto& each : forced->columns) {
        QVERIFY2(each.problem.empty(), each.problem.c_str());
        QCOMPARE(each.tokens.size(), size_t(4)); // "ab" is one
        std::string text;
        for (const auto& token : each.tokens) {
            text += token.text;
            QCOMPARE(token.alternatives.size(), size_t(3));
            QVERIFY(token.kl && token.alternatives[0].logprob >= token.alternatives[1].logprob && token.alternatives[0].logprob >= token.logProbability);
            QCOMPARE(token.rank == 1, token.alternatives[0].id == token.id);
        }
        QCOMPARE(text, request.answer);
        QVERIFY(each.meanKl && each.perplexity > 1);
    }
    QCOMPARE(*forced->columns[0].meanKl, 0.0);
    QVERIFY(*forced->columns[1].meanKl > 0);
    QVERIFY(*forced->columns[2].meanKl < 1e-6); // the same model
    // Against the plain definitions.
    const std::vector<int32_t> ids = {4, 2, 3, 2, 4, 3};
    const auto rows = engine.score(ids);
    const Distribution row(std::span<const float>(*rows).subspan(2 * 8, 8));
    QVERIFY(std::abs(row.logProbability(2) - forced->columns[1].tokens[1].logProbability) < 1e-5);
    // With the ids as they were written, and without any answer.
    request.answerIds = {3, 2, 0, 1, 3};
    QCOMPARE(comparison.sameText(request, {}, kGoesOn)->columns[1].tokens.size(), size_t(5));
    request.answerIds.clear();
    request.answer.clear();
    QVERIFY(has(comparison.sameText(request, {}, kGoesOn)->columns[0].problem, "no answer"));
}

void TestComparison::theSameTextInAnotherVocabulary() {
    const auto other = write("other.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"b", "a", "c", "d", "ab", "<e>", "f", "g"}));
    Comparison comparison({column(m_fine), column(other)});
    SameTextRequest request;
    request.prompts = {messages({{"user", "cc", {}}})};
    request.answer = "dcabd";
    const auto forced = comparison.sameText(request, {}, kGoesOn);
    QVERIFY2(forced.ok() && forced->columns[1].problem.empty(), forced.sentence().c_str());
    QVERIFY(!forced->columns[1].meanKl && !forced->columns[1].tokens[0].kl);
    QCOMPARE(forced->columns[1].tokens[0].rank, 1u); // all are as probable
}

void TestComparison::speedsAreMeasured() {
    Comparison comparison({column(m_fine), column(place("absent.gguf"))});
    SpeedRequest request;
    request.promptTokens = 16;
    request.generatedTokens = 4;
    request.repetitions = 2;
    const auto speeds = comparison.measureSpeed(request, {}, kGoesOn);
    QVERIFY2(speeds.ok(), speeds.sentence().c_str());
    QVERIFY((*speeds)[0].prefillTokensPerSecond > 0 && (*speeds)[0].decodeTokensPerSecond > 0 && (*speeds)[0].memory.weightsBytes > 0);
    QVERIFY(!(*speeds)[1].problem.empty());
    const std::atomic<bool> cancelled = true;
    QVERIFY(!comparison.measureSpeed(request, {}, cancelled).ok());
}

void TestComparison::qualityEqualsTheExactOne() {
    Comparison comparison({column(m_fine), column(m_coarse)});
    const auto request = measureRequest("");
    std::vector<MeasureProgress> told;
    const auto found = comparison.measure(request, [&](const MeasureProgress& progress) { told.push_back(progress); }, kGoesOn);
    QVERIFY2(found.ok(), found.sentence().c_str());
    LoadedEngine model, reference;
    QCOMPARE(model.load(m_coarse, "cpu", TensorType::F16, 64), std::string());
    QCOMPARE(reference.load(m_fine, "cpu", TensorType::F16, 64), std::string());
    const auto windows = readWindows(request.text, 16, m_fine, std::nullopt);
    const MeasuredModel other{reference.engine, reference.model()};
    const auto exact = measurePerplexity({model.engine, model.model()}, &other, *windows, {}, kGoesOn);
    QVERIFY2(exact.ok(), exact.sentence().c_str());
    const Quality& quality = *found->columns[1].quality;
    QCOMPARE(quality.tokens, exact->tokens);
    QVERIFY(std::abs(quality.perplexity / exact->perplexity - 1) < 1e-5);
    QVERIFY(std::abs(quality.meanKl / exact->divergence->meanKl - 1) < 0.01);
    QVERIFY(std::abs(quality.klP99 / exact->divergence->klP99 - 1) < 0.01);
    QVERIFY(quality.medianKl > 0 && quality.medianKl <= quality.klP99 && quality.klP99 <= quality.maxKl);
    QVERIFY(std::abs(quality.sameTop - exact->divergence->sameTop) < 1e-9);
    QVERIFY(quality.klError > 0 && quality.klError < quality.meanKl && quality.perplexityError > 0);
    QVERIFY(std::abs(quality.perplexityRatio - exact->perplexity / exact->divergence->referencePerplexity) < 1e-5);
    QVERIFY(std::abs(std::log(quality.perplexityRatio) + quality.meanChange) < 1e-9);
    const Quality& own = *found->columns[0].quality;
    QVERIFY(own.isReference && own.meanKl == 0 && own.sameTop == 1);
    QVERIFY(std::abs(own.perplexity / exact->divergence->referencePerplexity - 1) < 1e-5);
    QVERIFY(found->keptMass > 0.99 && found->referenceBytes > 0 && found->referenceColumn == size_t(0));
    QCOMPARE(told.back().fraction, 1.0);
    QVERIFY(told.back().secondsLeft && *told.back().secondsLeft == 0);
    // The cache's type is a column too.
    Comparison caches({column(m_fine), column(m_fine, TensorType::Q4_0)});
    const auto lossy = caches.measure(request, {}, kGoesOn);
    QVERIFY2(lossy.ok() && lossy->columns[1].quality, lossy.sentence().c_str());
    QVERIFY(lossy->columns[1].quality->meanKl > 0);
}

void TestComparison::nothingIsMeasuredTwice() {
    const auto request = measureRequest("kept");
    const std::vector<ComparisonColumn> columns = {column(m_fine), column(m_coarse)};
    const auto before = planMeasurement(columns, request);
    QVERIFY2(before.ok(), before.sentence().c_str());
    QCOMPARE(before->referenceWindowsDone, size_t(0));
    const auto first = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY2(first.ok() && !first->referenceWasKept, first.sentence().c_str());
    QVERIFY(first->referenceBytes <= before->mostBytes);
    QVERIFY(keptMeasurementsBytes(request.folder) >= first->referenceBytes);
    const auto after = planMeasurement(columns, request);
    QCOMPARE(after->referenceWindowsDone, after->windows);
    QCOMPARE(after->columnWindowsDone[1], after->windows);
    size_t told = 0;
    const auto second = Comparison(columns).measure(request, [&](const MeasureProgress&) { ++told; }, kGoesOn);
    QVERIFY(second.ok() && second->referenceWasKept);
    QCOMPARE(told, size_t(0));
    QCOMPARE(second->columns[1].quality->meanKl, first->columns[1].quality->meanKl);
    // Another text is another measurement; what is kept can be removed.
    auto other = request;
    other.text = someText(150);
    QCOMPARE(planMeasurement(columns, other)->referenceWindowsDone, size_t(0));
    removeKeptMeasurements(request.folder);
    QCOMPARE(keptMeasurementsBytes(request.folder), uint64_t(0));
}

void TestComparison::anotherReference() {
    auto request = measureRequest("beside");
    request.otherReference = column(m_fine);
    request.otherReference->name = "original";
    const auto found = Comparison({column(m_coarse)}).measure(request, {}, kGoesOn);
    QVERIFY2(found.ok() && found->columns[0].quality, found.sentence().c_str());
    QVERIFY(!found->referenceColumn && found->referenceName == "original" && !found->columns[0].quality->isReference);
    QVERIFY(found->columns[0].quality->meanKl > 0 && found->reference.quality->perplexity > 0);
    // Where it is a column after all, it is found there.
    request.otherReference = column(m_coarse);
    QCOMPARE(*Comparison({column(m_fine), column(m_coarse)}).measure(request, {}, kGoesOn)->referenceColumn, size_t(1));
}

void TestComparison::cancelledMeasurementsGoOn() {
    const auto request = measureRequest("resumed");
    const std::vector<ComparisonColumn> columns = {column(m_fine), column(m_coarse)};
    const auto whole = Comparison(columns).measure(measureRequest(""), {}, kGoesOn);
    for (const auto stage : {MeasureProgress::Stage::Reference, MeasureProgress::Stage::Column}) {
        std::atomic<bool> cancelled = false;
        const auto found = Comparison(columns).measure(request, [&](const MeasureProgress& p) { cancelled = p.stage == stage && p.windows == 3; }, cancelled);
        QVERIFY(has(found.sentence(), "cancelled"));
        const auto plan = planMeasurement(columns, request);
        QCOMPARE(stage == MeasureProgress::Stage::Reference ? plan->referenceWindowsDone : plan->columnWindowsDone[1], size_t(3));
    }
    size_t windows = 0;
    const auto found = Comparison(columns).measure(request, [&](const MeasureProgress& p) { windows += p.stage != MeasureProgress::Stage::Loading ? 1 : 0; }, kGoesOn);
    QVERIFY2(found.ok(), found.sentence().c_str());
    QCOMPARE(windows, found->windows - 3);
    QCOMPARE(found->columns[1].quality->meanKl, whole->columns[1].quality->meanKl);
    QCOMPARE(found->columns[1].quality->perplexity, whole->columns[1].quality->perplexity);
}

void TestComparison::damagedFilesAreMadeAnew() {
    const auto request = measureRequest("damaged");
    const std::vector<ComparisonColumn> columns = {column(m_fine), column(m_coarse)};
    const auto right = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY(right.ok());
    for (const auto& entry : std::filesystem::directory_iterator(request.folder)) {
        for (const int how : {0, 1, 2}) { // the middle, the head, the end
            std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
            const auto size = static_cast<std::streamoff>(std::filesystem::file_size(entry.path()));
            file.seekg(how == 1 ? 20 : size / 2);
            const int byte = file.get();
            file.seekp(how == 1 ? 20 : size / 2);
            file.put(static_cast<char>(byte ^ 0x55));
            file.close();
            if (how == 2) std::filesystem::resize_file(entry.path(), static_cast<uint64_t>(size) - 5);
            const auto again = Comparison(columns).measure(request, {}, kGoesOn);
            QVERIFY2(again.ok(), again.sentence().c_str());
            QCOMPARE(again->columns[1].quality->meanKl, right->columns[1].quality->meanKl);
            QCOMPARE(static_cast<std::streamoff>(std::filesystem::file_size(entry.path())), size);
        }
    }
}

void TestComparison::limitsOfBytesAreKept() {
    auto request = measureRequest("bounded");
    request.mostBytes = 100;
    const std::vector<ComparisonColumn> columns = {column(m_fine), column(m_coarse)};
    const auto refused = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY2(has(refused.sentence(), "limit"), refused.sentence().c_str());
    request.mostBytes = 1'000'000;
    QVERIFY(Comparison(columns).measure(request, {}, kGoesOn).ok());
    const uint64_t one = keptMeasurementsBytes(request.folder);
    // With room for one alone, the older one leaves.
    request.mostBytes = one + one / 2;
    request.text = someText(190);
    const auto plan = planMeasurement(columns, request);
    QVERIFY2(plan.ok(), plan.sentence().c_str());
    QVERIFY(plan->mostBytes <= request.mostBytes);
    const auto found = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY(found.ok() && found->referenceBytes <= plan->mostBytes);
    QVERIFY(keptMeasurementsBytes(request.folder) <= request.mostBytes);
}

void TestComparison::badTextsAndColumns() {
    const auto sentenceOf = [&](std::vector<ComparisonColumn> columns, const std::function<void(MeasureRequest&)>& change) {
        auto request = measureRequest("bad");
        change(request);
        const auto found = Comparison(columns).measure(request, {}, kGoesOn);
        if (!found) return found.sentence();
        std::string problems;
        for (const auto& each : found->columns) problems += each.problem;
        return problems;
    };
    const auto other = write("other2.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"b", "a", "c", "d", "ab", "<e>", "f", "g"}));
    const auto larger = write("larger.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "ab", "<e>", "f", "g", "h"}));
    const auto broken = write("broken.gguf", TinyModel().filled("output.weight", {32, 8}, std::numeric_limits<float>::quiet_NaN()).filled("token_embd.weight", {32, 8}, 1.0f));
    QVERIFY(has(sentenceOf({column(m_fine)}, [](MeasureRequest& r) { r.text = "a"; }), "at least 32"));
    QVERIFY(has(sentenceOf({column(m_fine)}, [](MeasureRequest& r) { r.text = someText(30); }), "at least 32"));
    QVERIFY(has(sentenceOf({column(m_fine)}, [](MeasureRequest& r) { r.context = 80; r.text = someText(400); }), "trained for"));
    QVERIFY(has(sentenceOf({column(m_fine), column(other)}, [](MeasureRequest&) {}), "token 0 is \"b\""));
    QVERIFY(!sentenceOf({column(m_fine), column(larger)}, [](MeasureRequest&) {}).empty());
    QVERIFY(has(sentenceOf({column(m_fine), column(place("absent.gguf"))}, [](MeasureRequest&) {}), "absent.gguf"));
    QVERIFY(has(sentenceOf({column(place("absent.gguf")), column(m_fine)}, [](MeasureRequest&) {}), "absent.gguf"));
    QVERIFY(has(sentenceOf({column(broken), column(m_fine)}, [](MeasureRequest&) {}), "no numbers"));
    QVERIFY(has(sentenceOf({column(m_fine), column(broken)}, [](MeasureRequest&) {}), "no numbers"));
    auto shorter = column(m_fine);
    shorter.load.contextLength = 8;
    QVERIFY(has(sentenceOf({column(m_coarse), shorter}, [](MeasureRequest&) {}), "shorter than the windows"));
}

void TestComparison::nothingIsLeftBehind() {
    const auto broken = write("broken2.gguf", TinyModel().filled("output.weight", {32, 8}, std::numeric_limits<float>::quiet_NaN()).filled("token_embd.weight", {32, 8}, 1.0f));
    const auto request = measureRequest("clean");
    QVERIFY(!Comparison({column(broken), column(m_fine)}).measure(request, {}, kGoesOn).ok());
    QCOMPARE(keptMeasurementsBytes(request.folder), uint64_t(0));
    // A folder that cannot be made.
    auto impossible = request;
    impossible.folder = m_fine / "folder";
    QVERIFY(has(Comparison({column(m_fine)}).measure(impossible, {}, kGoesOn).sentence(), "cannot be written"));
}

QTEST_GUILESS_MAIN(TestComparison)
#include "test_comparison.moc"
