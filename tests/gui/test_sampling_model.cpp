// What a person sets about how tokens are chosen: shown, stored with the chat, checked, and put into requests.
#include "engine/grammar/grammar.h"
#include "gui/chat/token_probabilities.h"
#include "tests/gui/chat_fixture.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace steelyard;

namespace {

GenerateRequest requestOf(const QJsonObject& own) {
    GenerateRequest request;
    applyOwnSampling(own, request);
    return request;
}

} // namespace

class TestSamplingModel : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;

    SamplingModel& model() { return *m->session().sampling(); }
    QVariant shown(const char* key, int role) {
        for (int row = 0; row < model().rowCount(); ++row)
            if (model().data(model().index(row), SamplingModel::KeyRole) == QLatin1String(key)) return model().data(model().index(row), role);
        return {};
    }

private slots:
    void init() {
        m = std::make_unique<ChatFixture>();
        m->script.checkForm = [](const std::string& text, const std::string& schema) {
            const auto given = schema.empty() ? grammar::fromGbnf(text) : grammar::fromJsonSchema(schema);
            return given ? Result<void>() : Result<void>(given.error());
        };
        m->start();
    }
    void cleanup() { m.reset(); }

    // Every number reaches its own place and no other one.
    void everyNumberReachesTheRequest() {
        const SamplingOptions usual;
        for (const auto& row : samplingParameters()) {
            const double value = row.whole ? row.to : row.from + (row.to - row.from) / 4;
            const auto options = requestOf({{QLatin1String(row.key), value}}).sampling;
            QVERIFY2(std::fabs(row.of(options) - value) < 1e-6, row.key);
            for (const auto& other : samplingParameters())
                if (&other != &row) QVERIFY2(other.of(options) == other.of(usual), other.key);
        }
        QCOMPARE(requestOf({{"topK", 1e12}}).sampling.topK, 200); // what is stored may be wrong
        QCOMPARE(requestOf({{"topK", "many"}}).sampling.topK, usual.topK);
    }

    void textsReachTheRequest() {
        const auto options = requestOf({{"seed", "42"}, {"logitBias", "1678=-100, 7 = false,8:1.5"}, {"order", "top_k, temperature"}}).sampling;
        QCOMPARE(options.seed.value_or(0), uint64_t(42));
        QCOMPARE(options.logitBias.size(), size_t(3));
        QVERIFY(options.logitBias[0].token == 1678 && options.logitBias[0].bias == -100);
        QVERIFY(options.logitBias[1].token == 7 && std::isinf(options.logitBias[1].bias));
        QCOMPARE(options.order, std::vector<std::string>({"top_k", "temperature"}));
        const auto wrong = requestOf({{"seed", "often"}, {"logitBias", "x=1"}, {"order", "top_k, top_k"}}).sampling;
        QVERIFY(!wrong.seed && wrong.logitBias.empty() && wrong.order.empty());
    }

    void whatTheModelSuggestsIsShownUntilTheChatChooses() {
        m->script.facts.sampling = SamplingOptions();
        m->script.facts.sampling->topK = 17;
        m->session().setDraft("x");
        QTRY_COMPARE(m->client->modelState(), EngineClient::ModelState::Ready);
        QTRY_COMPARE(shown("topK", SamplingModel::ValueRole).toInt(), 17);
        QVERIFY(!shown("topK", SamplingModel::OwnRole).toBool());
        model().setNumber("topK", 5);
        QCOMPARE(shown("topK", SamplingModel::ValueRole).toInt(), 5);
        QCOMPARE(model().hiddenOwnCount(), 1);
        m->ask("q");
        QCOMPARE(m->script.requests.back().sampling.topK, 5);
        model().reset("topK");
        QCOMPARE(shown("topK", SamplingModel::ValueRole).toInt(), 17);
        m->ask("q");
        QCOMPARE(m->script.requests.back().sampling.topK, 17);
        model().setNumber("minP", 0.3);
        model().setText("seed", "9");
        QCOMPARE(model().ownCount(), 2);
        model().resetAll();
        QCOMPARE(model().ownCount(), 0);
    }

    void unreadableTextsAreSaid() {
        model().setText("order", "top_k, sideways");
        QVERIFY(shown("order", SamplingModel::ProblemRole).toString().contains("top_n_sigma"));
        model().setText("order", "top_k");
        QVERIFY(shown("order", SamplingModel::ProblemRole).toString().isEmpty());
    }

    void formsAreCheckedWhileTheyAreWritten() {
        model().setForm(int(ReplyForm::Grammar));
        QTRY_VERIFY(!model().formProblem().isEmpty()); // nothing is written yet
        model().setFormText("root ::= \"yes\" |\nno");
        QTRY_VERIFY2(model().formProblem().contains("\"no\" is used and not defined"), qPrintable(model().formProblem()));
        model().setFormText("root ::= \"yes\"\n) ");
        QTRY_VERIFY2(model().formProblem().contains("Line 2"), qPrintable(model().formProblem()));
        model().setFormText("root ::= \"yes\" | \"no\"");
        QTRY_VERIFY(model().formProblem().isEmpty());
        m->ask("q");
        QCOMPARE(m->script.requests.back().grammar, std::string("root ::= \"yes\" | \"no\""));
        model().setForm(int(ReplyForm::JsonSchema));
        QTRY_VERIFY2(model().formProblem().contains("no valid JSON"), qPrintable(model().formProblem()));
        model().setForm(int(ReplyForm::Json));
        QTRY_VERIFY(model().formProblem().isEmpty());
        m->ask("q");
        QVERIFY(m->script.requests.back().grammar.empty() && m->script.requests.back().jsonSchema.find("object") != std::string::npos);
    }

    void probabilitiesAreStoredWithTheReply() {
        model().setLogprobs(true);
        m->script.repliesAtOnce = false;
        m->session().setDraft("q");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        QCOMPARE(m->script.requests[0].logprobs, 5);
        const RequestId id = m->script.requests[0].id;
        TextDelta delta{id, "Yes é", {1, 2, 3}};
        for (const auto& [share, text] : {std::pair(.75f, "Yes"), std::pair(.05f, " \xC3"), std::pair(1.0f, "")})
            delta.logprobs.emplace_back().chosen = TokenProbability{1, std::log(share), text};
        delta.logprobs[0].top.push_back(delta.logprobs[0].chosen);
        delta.logprobs[0].top.push_back(TokenProbability{4, std::log(.2f), "No"});
        m->script.engine->send({delta});
        m->script.engine->finish(id);
        QTRY_VERIFY(!m->session().busy());
        QVERIFY(m->thread().last()->message.hasTokens);
        QSignalSpy read(&m->session(), &ChatSession::tokensRead);
        m->session().showTokens(m->lastId());
        QTRY_COMPARE(read.size(), 1);
        const QVariantList rows = read[0][0].toList();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].toMap()["text"].toString(), QStringLiteral("Yes"));
        QCOMPARE(rows[0].toMap()["percent"].toString(), QStringLiteral("75 %"));
        QCOMPARE(rows[0].toMap()["others"].toList().size(), 2);
        QVERIFY(rows[0].toMap()["others"].toList()[0].toMap()["chosen"].toBool());
        QCOMPARE(rows[1].toMap()["text"].toString(), QStringLiteral("‹20 C3›")); // half a character is written by its bytes
        QCOMPARE(rows[1].toMap()["others"].toList().size(), 1);                   // itself, as it is not among the best
        QVERIFY(!rows[2].toMap()["text"].toString().isEmpty());
        // A reply without them says so, and a deleted one takes them along.
        model().setLogprobs(false);
        m->session().again(m->lastId());
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        QCOMPARE(m->script.requests[1].logprobs, -1);
        m->script.engine->finish(m->script.requests[1].id);
        QTRY_VERIFY(!m->session().busy());
        QVERIFY(!m->thread().last()->message.hasTokens);
    }
};

QTEST_MAIN(TestSamplingModel)
#include "test_sampling_model.moc"
