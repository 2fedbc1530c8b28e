// Guessing ahead is chosen for each model, remembered, and reaches loads and requests.
#include "tests/gui/chat_fixture.h"

#include <QFileInfo>
#include <QTest>

using namespace steelyard;

namespace {

const QString kModel = QStringLiteral("/models/fake.gguf"), kDraft = QStringLiteral("/models/small.gguf");

} // namespace

class TestGuessAhead : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;

    void put(const QString& path, const QString& architecture, qint64 sizeBytes) {
        ModelEntry entry;
        entry.path = path;
        entry.name = QFileInfo(path).baseName();
        entry.architecture = architecture;
        entry.sizeBytes = sizeBytes;
        m->models.put(entry);
    }
    QStringList values() {
        QStringList values;
        for (const QVariant& choice : m->desk->guesses()->choices(kModel)) values += choice.toMap().value("value").toString();
        return values;
    }

private slots:
    void init() {
        m = std::make_unique<ChatFixture>();
        m->start();
    }
    void cleanup() { m.reset(); }

    void repliesLookUpUnlessItIsOff() {
        m->ask("one");
        QVERIFY(m->script.requests.back().speculation.lookup);
        QVERIFY(!m->script.requests.back().speculation.draft);
        QVERIFY(m->thread().last()->message.figures->guesses.asked);
        LoadDefaults defaults;
        defaults.guessAhead = false;
        m->desk->setLoadDefaults(defaults);
        m->ask("two");
        QVERIFY(!m->script.requests.back().speculation.lookup);
        QVERIFY(!m->thread().last()->message.figures->guesses.asked);
        m->desk->guesses()->choose(kModel, "lookup"); // the model's own choice counts more
        m->ask("three");
        QVERIFY(m->script.requests.back().speculation.lookup);
    }

    void smallerModelsCanGuess() {
        QCOMPARE(values(), QStringList({"off", "lookup", ""})); // the other model is as large
        QVERIFY(!m->desk->guesses()->choices(kModel)[2].toMap().value("enabled").toBool());
        put("/models/half.gguf", "gemma3", 20'000'000);
        put(kDraft, "llama", 40'000'000);
        put("/models/nearly.gguf", "llama", 80'000'000);
        QCOMPARE(values(), QStringList({"off", "lookup", kDraft, "/models/half.gguf"})); // its own family first
        QVERIFY(!m->desk->guesses()->choices(kModel)[3].toMap().value("note").toString().isEmpty());
    }

    void aDraftModelIsLoadedWithItsModel() {
        put(kDraft, "llama", 40'000'000);
        m->script.facts.name = "Fake";
        m->script.facts.hasChatTemplate = true;
        m->script.facts.contextLength = 4096;
        m->ask("one");
        QVERIFY(m->script.loads.back().draft.empty());
        m->desk->guesses()->choose(kModel, kDraft);
        m->script.facts.draftName = "Small";
        m->ask("two");
        QCOMPARE(m->script.loads.size(), size_t(2)); // loaded anew, with it
        QCOMPARE(EngineClient::fromPath(m->script.loads.back().draft), kDraft);
        QVERIFY(m->script.requests.back().speculation.draft);
        QVERIFY(m->script.requests.back().speculation.lookup);
        QVERIFY(m->desk->model()->facts().contains("Small"));
        m->ask("three");
        QCOMPARE(m->script.loads.size(), size_t(2));
    }

    void aFileWithAPredictorOffersIt() {
        m->script.facts.name = "Fake";
        m->script.facts.hasChatTemplate = true;
        m->script.facts.contextLength = 4096;
        m->script.facts.predicts = true;
        QVERIFY(!values().contains("predictor")); // not known before a load
        m->ask("one");
        QVERIFY(values().contains("predictor"));
        QVERIFY(!m->script.loads.back().predictor);
        m->desk->guesses()->choose(kModel, "predictor");
        m->script.facts.predictorLoaded = true;
        m->ask("two");
        QCOMPARE(m->script.loads.size(), size_t(2));
        QVERIFY(m->script.loads.back().predictor && m->script.loads.back().draft.empty());
        QVERIFY(m->script.requests.back().speculation.draft);
        QVERIFY(!m->desk->guesses()->explanation(kModel).isEmpty());
    }

    void theChoiceIsRememberedAndAModelThatIsGoneIsNot() {
        put(kDraft, "llama", 40'000'000);
        m->desk->guesses()->choose(kModel, kDraft);
        m->desk->guesses()->choose("/models/other.gguf", "off");
        m->stop();
        ChatFixture again(m->folder);
        again.desk->restore();
        QTRY_COMPARE(again.desk->guesses()->choice("/models/other.gguf"), QStringLiteral("off"));
        QCOMPARE(again.desk->guesses()->choice(kModel), QStringLiteral("lookup")); // the smaller model is not in the list
        QVERIFY(again.desk->guesses()->draft(kModel).isEmpty());
    }

    void guessesAreStoredWithTheReply() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("q");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        GenerationFinished finished;
        finished.id = m->script.requests[0].id;
        finished.statistics.generatedTokens = 40;
        finished.statistics.reuseMs = 1.5;
        finished.statistics.speculation = {10, 40, 30, 40, 30, 0.25, ""};
        m->script.engine->send({finished});
        QTRY_VERIFY(!m->session().busy());
        const GuessFigures expected{true, 10, 40, 30, 40, 30, 0.25, {}};
        QVERIFY(m->thread().last()->message.figures->guesses == expected);
        const qint64 chat = m->session().chatId();
        m->stop();
        ChatFixture again(m->folder);
        again.desk->restore();
        QTRY_COMPARE(again.session().chatId(), chat);
        QTRY_VERIFY(again.thread().last() && again.thread().last()->message.figures);
        QVERIFY(again.thread().last()->message.figures->guesses == expected);
        QCOMPARE(again.thread().last()->message.figures->reuseMs, 1.5);
    }
};

QTEST_MAIN(TestGuessAhead)
#include "test_guess_ahead.moc"
