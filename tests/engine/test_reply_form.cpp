// Replies of real models with grammars, biases and log-probabilities: what the request asked for is what comes.
#include "tests/engine/loaded_engine.h"
#include "tests/engine/schema_validator.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace steelyard;
using Json = nlohmann::json;

namespace {

const char* const kPerson = R"schema({"type": "object", "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 20}, "age": {"type": "integer", "minimum": 0, "maximum": 130},
 "tags": {"type": "array", "items": {"enum": ["kind", "tall", "old"]}, "maxItems": 3}}, "required": ["name", "age"]})schema";

} // namespace

class TestReplyForm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!QFile::exists(QString::fromStdString(modelFolder() + "/" + kSmolLm2))) QSKIP("the model is not here");
        QCOMPARE(m_engine.load(modelFolder() + "/" + kSmolLm2, "cpu", TensorType::F16, 1024), std::string());
    }

    void repliesFollowASchema() {
        const SchemaValidator validator(Json::parse(kPerson));
        for (const float temperature : {0.0f, 1.0f, 2.5f})
            for (uint64_t seed = 1; seed <= (temperature == 0 ? 1u : 3u); ++seed) {
                auto request = m_engine.request(chatPrompt({{"user", "Describe a person as JSON.", {}}}), 150);
                request.sampling.temperature = temperature;
                request.sampling.seed = seed;
                request.jsonSchema = kPerson;
                const auto answer = m_engine.generate(std::move(request));
                QCOMPARE(answer.end.reason, StopReason::EndToken);
                const Json value = Json::parse(answer.text, nullptr, false);
                QVERIFY2(!value.is_discarded() && validator.fits(value), answer.text.c_str());
            }
    }

    void repliesFollowAGrammarWithAllSamplers() {
        auto request = m_engine.request(chatPrompt({{"user", "Is fire hot? Answer with yes or no.", {}}}), 20);
        request.sampling = {};
        request.sampling.seed = 3;
        request.sampling.dryMultiplier = 0.8f;
        request.sampling.xtcProbability = 0.5f;
        request.sampling.mirostatTau = 4;
        request.grammar = "root ::= \"yes\" | \"no\"";
        const auto answer = m_engine.generate(std::move(request));
        QVERIFY2(answer.text == "yes" || answer.text == "no", answer.text.c_str());
    }

    void guessingAheadKeepsTheGrammar() {
        auto request = m_engine.request(textPrompt("a, b, a, b, a, b, a, b,"), 60);
        request.grammar = "root ::= (\" a,\" \" b,\"){10} \" c\"";
        request.speculation.lookup = true;
        const auto answer = m_engine.generate(std::move(request));
        QVERIFY2(answer.text.size() == 62 && answer.text.substr(60) == " c", answer.text.c_str());
    }

    void faultyGrammarsFailWithTheirLine() {
        auto request = m_engine.request(textPrompt("x"), 5);
        request.grammar = "root ::= \"a\"\nb ::= [";
        auto answer = m_engine.generate(request);
        QCOMPARE(answer.end.reason, StopReason::Failed);
        QVERIFY2(answer.end.sentence.find("Line 2") != std::string::npos, answer.end.sentence.c_str());
        request = m_engine.request(textPrompt("x"), 5);
        request.grammar = "root ::= \"a\"";
        request.jsonSchema = "{}";
        QVERIFY(m_engine.generate(request).end.sentence.find("not both") != std::string::npos);
    }

    void aReplyThatGoesOnMustFollowTheGrammar() {
        auto prompt = chatPrompt({{"user", "Count.", {}}, {"assistant", "1, 2,", {}}});
        prompt.continuesReply = true;
        auto request = m_engine.request(prompt, 20);
        request.grammar = "root ::= \"1, 2, 3, 4\"";
        QCOMPARE(m_engine.generate(request).text, std::string(" 3, 4"));
        request = m_engine.request(prompt, 20);
        request.grammar = "root ::= \"one\"";
        QVERIFY(m_engine.generate(request).end.sentence.find("so far") != std::string::npos);
    }

    void P13_bannedTokensNeverCome() {
        auto request = m_engine.request(textPrompt("Once upon a"), 1);
        const auto free = m_engine.generate(request);
        for (const float bias : {-100.0f, -std::numeric_limits<float>::infinity()}) {
            request = m_engine.request(textPrompt("Once upon a"), 30);
            request.sampling.logitBias = {{free.ids[0], bias}};
            const auto banned = m_engine.generate(request);
            QVERIFY(std::find(banned.ids.begin(), banned.ids.end(), free.ids[0]) == banned.ids.end());
            QCOMPARE(banned.end.statistics.generatedTokens, 30u);
        }
    }

    void P15_absurdNumbersAreNamed() {
        auto request = m_engine.request(textPrompt("x"), 5);
        request.logprobs = 1000000000;
        QVERIFY(m_engine.generate(request).end.sentence.find("logprobs") != std::string::npos);
        request = m_engine.request(textPrompt("x"), 5);
        request.sampling.logitBias = {{1000000, 1.0f}};
        QVERIFY(m_engine.generate(request).end.sentence.find("1000000") != std::string::npos);
    }

    void P07_theWindowOfMinusOneBreaksTheLoop() {
        const auto written = [&](float penalty, int32_t window) {
            auto request = m_engine.request(textPrompt("The ingredients are: flour, sugar, flour, sugar, flour, sugar, flour,"), 24);
            request.sampling.repeatPenalty = penalty;
            request.sampling.repeatLastN = window;
            return m_engine.generate(request).text;
        };
        const auto loop = written(1.0f, 64);
        QCOMPARE(written(1.5f, 0), loop);
        QVERIFY(written(1.5f, -1) != loop);
        QCOMPARE(written(1.5f, -1), written(1.5f, 64)); // all of it is shorter than 64 tokens
    }

    void P12_seedsRepeat() {
        const auto written = [&](float tau, std::optional<uint64_t> seed) {
            auto request = m_engine.request(textPrompt("The weather today is"), 24);
            request.sampling = {};
            request.sampling.temperature = 0.7f;
            request.sampling.mirostatTau = tau;
            request.sampling.seed = seed;
            return m_engine.generate(request);
        };
        for (const float tau : {0.0f, 5.0f}) {
            const auto first = written(tau, std::nullopt);
            QCOMPARE(written(tau, first.end.statistics.seed).text, first.text);
        }
        QCOMPARE(written(0, 42).text, written(0, 42).text);
    }

    // From the model's own distribution: the chain changes nothing of them.
    void logprobsAreTheModels() {
        auto ids = m_engine.engine.tokenize(modelFolder() + "/" + kSmolLm2, "The capital of France is", false, false);
        QVERIFY(ids.ok());
        auto request = m_engine.request(idsPrompt(*ids), 6);
        request.sampling.temperature = 1.5f;
        request.sampling.seed = 5;
        request.sampling.topK = 3;
        request.logprobs = 4;
        const auto answer = m_engine.generate(request);
        QCOMPARE(answer.logprobs.size(), answer.ids.size());
        const size_t prompt = ids->size();
        ids->insert(ids->end(), answer.ids.begin(), answer.ids.end());
        const auto logits = m_engine.score(*ids, static_cast<uint32_t>(prompt - 1));
        QVERIFY2(logits.ok(), logits.sentence().c_str());
        const size_t columns = logits->size() / (answer.ids.size() + 1);
        for (size_t i = 0; i < answer.ids.size(); ++i) {
            const float* row = logits->data() + i * columns;
            double sum = 0;
            for (size_t column = 0; column < columns; ++column) sum += std::exp(double(row[column]));
            const auto& token = answer.logprobs[i];
            QCOMPARE(token.chosen.id, answer.ids[i]);
            QVERIFY(std::fabs(token.chosen.logprob - (row[token.chosen.id] - std::log(sum))) < 2e-2); // chunks may round apart
            QCOMPARE(token.top.size(), size_t(4));
            for (size_t k = 1; k < token.top.size(); ++k) QVERIFY(token.top[k - 1].logprob >= token.top[k].logprob);
            QVERIFY(token.chosen.logprob <= token.top[0].logprob);
        }
        request = m_engine.request(textPrompt("The capital"), 3);
        QVERIFY(m_engine.generate(request).logprobs.empty());
    }

private:
    LoadedEngine m_engine;
};

QTEST_GUILESS_MAIN(TestReplyForm)
#include "test_reply_form.moc"
