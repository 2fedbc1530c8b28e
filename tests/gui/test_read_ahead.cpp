// While the person pauses, the chat and the draft are read into the cache: unseen, once, and called off by every change.
#include "tests/gui/chat_fixture.h"

#include <QTest>

using namespace steelyard;

namespace {

constexpr int kPausesMs = kPauseMs + 300; // in which a pause would have been noticed

} // namespace

class TestReadAhead : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;

    std::vector<GenerateRequest>& ahead() { return m->script.readAheads; }
    bool isCancelled(RequestId id) const {
        const auto& cancels = m->script.cancels;
        return std::find(cancels.begin(), cancels.end(), id) != cancels.end();
    }

private slots:
    void init() {
        m = std::make_unique<ChatFixture>();
        m->start();
        m->session().setSystemPrompt("Be brief.");
        m->ask("one");
    }
    void cleanup() { m.reset(); }

    void aPauseReadsChatAndDraftAheadOnce() {
        m->session().setDraft("and then");
        QTRY_COMPARE(ahead().size(), size_t(1));
        const GenerateRequest& request = ahead()[0];
        QCOMPARE(request.maxTokens, 0);
        QCOMPARE(int(request.priority), int(Priority::ReadAhead));
        QVERIFY(request.prompt.stillWriting);
        QCOMPARE(request.chat, uint64_t(m->session().chatId()));
        QCOMPARE(request.prompt.messages.size(), size_t(4)); // system, question, reply, draft
        QCOMPARE(request.prompt.messages.back().role, std::string("user"));
        QCOMPARE(request.prompt.messages.back().content, std::string("and then"));
        QVERIFY(!m->session().busy());
        QVERIFY(m->desk->work().isEmpty()); // nobody sees it
        m->session().sampling()->setNumber("temperature", 1); // reads nothing anew
        QTest::qWait(kPausesMs);
        QCOMPARE(ahead().size(), size_t(1));
        QVERIFY(m->script.cancels.empty());
    }

    void moreTextAndSendCallItOff() {
        m->session().setDraft("and");
        QTRY_COMPARE(ahead().size(), size_t(1));
        m->session().setDraft("and then");
        QTRY_VERIFY(isCancelled(ahead()[0].id));
        QTRY_COMPARE(ahead().size(), size_t(2));
        m->session().send();
        QVERIFY(isCancelled(ahead()[1].id));
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        QVERIFY(m->script.requests.back().priority == Priority::Foreground);
    }

    void anOpenedChatIsReadAhead() {
        const qint64 chat = m->session().chatId();
        m->desk->newChat();
        m->desk->openChat(chat);
        QTRY_COMPARE(ahead().size(), size_t(1));
        QCOMPARE(ahead()[0].prompt.messages.size(), size_t(4));
        QCOMPARE(ahead()[0].prompt.messages.back().content, std::string());
    }

    void anEditedMessageIsReadBehindWhatStandsBeforeIt() {
        m->ask("two");
        const QVector<MessageRecord> path = m->thread().pathTo(m->lastId());
        m->session().beginEdit(path[2].id);
        m->session().setDraft("two, but better");
        QTRY_VERIFY(!ahead().empty() && ahead().back().prompt.messages.back().content == "two, but better");
        QCOMPARE(ahead().back().prompt.messages.size(), size_t(4));
    }

    void nothingIsReadWithoutAModelOrWhenItIsOff() {
        m->desk->model()->unload();
        m->desk->newChat(); // typing would load the model
        QTest::qWait(kPausesMs);
        QVERIFY(ahead().empty());
        LoadDefaults defaults;
        defaults.readAhead = false;
        m->desk->setLoadDefaults(defaults);
        m->session().setDraft("a new chat");
        QTRY_COMPARE(m->client->modelState(), EngineClient::ModelState::Ready);
        QTest::qWait(kPausesMs);
        QVERIFY(ahead().empty());
    }
};

QTEST_MAIN(TestReadAhead)
#include "test_read_ahead.moc"
