// What a chat asks of the engine does what it says: a full context and reading ahead, with the real engine and a tiny model.
#include "gui/chat/read_ahead.h"
#include "gui/chat/reply_figures_text.h"
#include "tests/engine/letters_model.h"
#include "tests/engine/tiny_weights.h"
#include "tests/gui/chat_fixture.h"

#include <QFile>
#include <QSignalSpy>

using namespace steelyard;

namespace {

constexpr uint32_t kContext = 400; // tokens; a letter is one
constexpr int kHangMs = 60000;
constexpr int kReplyTokens = 60;

} // namespace

class TestChatServing : public QObject {
    Q_OBJECT

    QTemporaryDir m_models, m_chats;
    QString m_path;
    std::unique_ptr<ChatFixture> m;

    void start(const QString& folder = {}, bool readsAhead = false) {
        m = std::make_unique<ChatFixture>(folder, realEngine({}));
        ModelEntry entry;
        entry.path = m_path;
        entry.name = QStringLiteral("Letters");
        entry.architecture = QStringLiteral("llama");
        entry.trainedContext = kContext;
        m->models.put(entry);
        LoadDefaults defaults;
        defaults.device = QStringLiteral("cpu");
        defaults.readAhead = readsAhead;
        m->desk->setLoadDefaults(defaults);
        m->start();
    }
    void newChat() {
        m->session().setModelPath(m_path);
        QTRY_COMPARE_WITH_TIMEOUT(m->client->modelState(), EngineClient::ModelState::Ready, kHangMs);
        m->session().setSystemPrompt(QStringLiteral("be kind"));
        m->session().sampling()->setNumber("temperature", 0);
        m->session().sampling()->setText("logitBias", QStringLiteral("%1=false").arg(kLettersEnd)); // it never ends by itself
        m->session().setReplyLimit(kReplyTokens);
    }
    static QString question(char letter) { return QString(40, QLatin1Char(letter)); }
    ReplyFigures figures() {
        const ThreadMessage* last = m->thread().last();
        return last && last->message.figures ? *last->message.figures : ReplyFigures();
    }
    StopReason stopReason() { return static_cast<StopReason>(m->thread().last()->message.stopReason.value_or(static_cast<int>(StopReason::Failed))); }
    // Asks until the context is full or turns were left out.
    void askUntil(const std::function<bool()>& done) {
        for (char letter = 'a'; letter < 'l' && !done(); ++letter) m->ask(question(letter));
        QVERIFY(done());
    }

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        m_path = m_models.filePath(QStringLiteral("letters.gguf"));
        const std::string bytes = withWeights(letters(kContext, kPlain));
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size()));
    }
    void cleanup() { m.reset(); }

    void aFullContextStopsAndGoesOnWithoutTheOldestTurns() {
        start();
        newChat();
        askUntil([&] { return m->thread().last() && stopReason() == StopReason::ContextFull; });
        const qint64 full = m->lastId();
        const QString before = m->thread().last()->message.content;
        const QVariantMap going = m->session().wouldGo(full);
        QVERIFY(going.value("messages").toInt() > 0);
        QCOMPARE(going.value("rows").toList()[0].toMap().value("text").toString(), question('a'));
        m->session().dropOldest(full);
        QTRY_VERIFY_WITH_TIMEOUT(!m->session().busy(), kHangMs);
        QCOMPARE(m->lastId(), full);
        QCOMPARE(stopReason(), StopReason::TokenLimit);
        QVERIFY(m->thread().last()->message.content.size() > before.size() && m->thread().last()->message.content.startsWith(before));
        QCOMPARE(figures().droppedMessages, going.value("messages").toInt());
        QVERIFY(ReplyFiguresText::line(figures()).contains(QStringLiteral("without the")));
        QVERIFY(m->contents().contains(question('a'))); // it stays in the chat
        m->ask(question('y')); // and from now on without asking
        QCOMPARE(stopReason(), StopReason::TokenLimit);
        QVERIFY(figures().droppedMessages > 0);
        QVERIFY(m->session().contextUsed() <= static_cast<int>(kContext));
    }

    void aShiftedReplyGoesOnAndSaysThatItIsApproximate() {
        start();
        newChat();
        m->session().setOverflow(static_cast<int>(Overflow::Shift));
        m->session().setReplyLimit(500);
        m->ask(question('a'));
        QCOMPARE(stopReason(), StopReason::TokenLimit);
        QCOMPARE(figures().tokens, 500);
        QVERIFY(figures().shiftedTokens > 0);
        QCOMPARE(figures().droppedMessages, 0);
        QVERIFY(ReplyFiguresText::line(figures()).endsWith(QStringLiteral("approximate")));
        QVERIFY(m->session().contextUsed() <= static_cast<int>(kContext));
    }

    // After a restart the cache is empty. Opening the chat reads it, a pause reads the draft, and Send finds nearly all there.
    void whatWasReadAheadIsReusedBySend() {
        start(m_chats.path());
        newChat();
        m->ask(question('a'));
        const qint64 chat = m->session().chatId();
        m->stop();

        start(m_chats.path(), true);
        QTRY_COMPARE(m->session().chatId(), chat);
        QTRY_COMPARE(m->contents().size(), 2);
        int inCache = 0; // tokens: the engine tells the end of reading ahead as of a reply
        connect(m->client.get(), &EngineClient::generationFinished, this, [&](const GenerationFinished& finished) {
            if (finished.reason == StopReason::TokenLimit) inCache = static_cast<int>(finished.statistics.promptTokens);
        });
        m->session().wakeModel();
        QTRY_VERIFY_WITH_TIMEOUT(inCache > 0, kHangMs);
        const int history = inCache;
        m->session().setDraft(QStringLiteral("what is a steel")); // a pause in a word, which may become another
        QTRY_COMPARE_WITH_TIMEOUT(inCache, history + static_cast<int>(qstrlen("what is a")), kHangMs);
        const int ahead = inCache;
        m->session().setDraft(QStringLiteral("what is a steelyard"));
        m->session().send();
        QTRY_VERIFY_WITH_TIMEOUT(!m->session().busy() && m->contents().size() == 4, kHangMs);
        const ReplyFigures reply = figures();
        QCOMPARE(reply.reusedTokens, ahead);
        QVERIFY(reply.promptTokens > ahead);
        const QString text = m->contents().last();
        m->stop();

        start(m_chats.path()); // without reading ahead: the same text, all of it read
        QTRY_COMPARE(m->session().chatId(), chat);
        QTRY_COMPARE(m->contents().size(), 4);
        m->session().again(m->lastId());
        QTRY_VERIFY_WITH_TIMEOUT(!m->session().busy() && m->thread().last()->message.stopReason.has_value() && m->thread().last()->branch == 1, kHangMs);
        QCOMPARE(figures().reusedTokens, 0);
        QCOMPARE(m->contents().last(), text);
    }
};

QTEST_MAIN(TestChatServing)
#include "test_chat_serving.moc"
