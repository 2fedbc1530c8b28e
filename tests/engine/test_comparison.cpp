// Columns side by side: the plan, answers, speeds, and one answer forced through all.
#include "engine/evaluate/distribution.h"
#include "tests/engine/compared_models.h"

using namespace steelyard;

namespace {

Prompt messages(std::vector<ChatMessage> list) { return chatPrompt(std::move(list)); }

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
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

private:
    ComparedModels m_models;
};

void TestComparison::plansSayWhatFits() {
    const auto plan = planComparison({m_models.column(m_models.fine), m_models.column(m_models.coarse)});
    QCOMPARE(plan.order, ComparisonPlan::Order::Together);
    QCOMPARE(plan.columns.size(), size_t(2));
    QCOMPARE(plan.togetherBytes, plan.columns[0].memory.totalBytes + plan.columns[1].memory.totalBytes);
    QVERIFY2(has(plan.sentence, "fit into memory together"), plan.sentence.c_str());
    QCOMPARE(plan.columns[1].facts.quantization, std::string("Q8_0"));
}

void TestComparison::columnsThatCannotBeLoadedSayWhy() {
    const auto plan = planComparison({m_models.column(m_models.place("absent.gguf")), m_models.column(m_models.fine)});
    QVERIFY(has(plan.columns[0].problem, "absent.gguf"));
    QVERIFY(plan.columns[1].problem.empty());
    QCOMPARE(planComparison({m_models.column(m_models.place("absent.gguf"))}).order, ComparisonPlan::Order::Nothing);
    Comparison comparison({m_models.column(m_models.place("absent.gguf"))});
    AnswerRequest request;
    request.prompts = {textPrompt("ab")};
    QVERIFY(!comparison.answer(request, {}, kGoesOn).ok());
}

// A limit of memory that has room for one alone.
void TestComparison::columnsDoNotFitTogether() {
    auto one = m_models.column(m_models.fine), two = m_models.column(m_models.coarse);
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
    auto a = m_models.column("a.gguf"), b = m_models.column("b.gguf"), c = m_models.column("b.gguf", TensorType::Q8_0);
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
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse)});
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
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse), m_models.column(m_models.place("absent.gguf"))});
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
    Comparison comparison({m_models.column(m_models.place("absent.gguf")), m_models.column(m_models.fine)});
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
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse)});
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
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.fine)});
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
    auto filled = m_models.column(m_models.fine);
    filled.fillerTokens = 30;
    Comparison comparison({m_models.column(m_models.fine), filled});
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
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse), m_models.column(m_models.fine)});
    SameTextRequest request;
    request.prompts = {textPrompt("abc")};
    request.answer = "dcabd";
    request.alternatives = 3;
    const auto forced = comparison.sameText(request, {}, kGoesOn);
    QVERIFY2(forced.ok(), forced.sentence().c_str());
    QVERIFY(forced->sameTokens);
    LoadedEngine engine;
    QCOMPARE(engine.load(m_models.coarse, "cpu"), std::string());
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
    const RowDistribution row(std::span<const float>(*rows).subspan(2 * 8, 8));
    QVERIFY(std::abs(row.logProbability(2) - forced->columns[1].tokens[1].logProbability) < 1e-5);
    // With the ids as they were written, and without any answer.
    request.answerIds = {3, 2, 0, 1, 3};
    QCOMPARE(comparison.sameText(request, {}, kGoesOn)->columns[1].tokens.size(), size_t(5));
    request.answerIds.clear();
    request.answer.clear();
    QVERIFY(has(comparison.sameText(request, {}, kGoesOn)->columns[0].problem, "no answer"));
}

void TestComparison::theSameTextInAnotherVocabulary() {
    const auto other = m_models.write("other.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"b", "a", "c", "d", "ab", "<e>", "f", "g"}));
    Comparison comparison({m_models.column(m_models.fine), m_models.column(other)});
    SameTextRequest request;
    request.prompts = {messages({{"user", "cc", {}}})};
    request.answer = "dcabd";
    const auto forced = comparison.sameText(request, {}, kGoesOn);
    QVERIFY2(forced.ok() && forced->columns[1].problem.empty(), forced.sentence().c_str());
    QVERIFY(!forced->columns[1].meanKl && !forced->columns[1].tokens[0].kl);
    QCOMPARE(forced->columns[1].tokens[0].rank, 1u); // all are as probable
}

void TestComparison::speedsAreMeasured() {
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.place("absent.gguf"))});
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

QTEST_GUILESS_MAIN(TestComparison)
#include "test_comparison.moc"
