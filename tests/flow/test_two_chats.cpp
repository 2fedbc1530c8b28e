// Two chats answer at once: the real window, store and engine, a small model. The steps build on each other.
#include "tests/flow/story.h"

#include <QRegularExpression>

using namespace steelyard;

class TestTwoChats : public Story {
    Q_OBJECT

    qint64 m_chatA = 0, m_chatB = 0;
    bool m_failed = false;

    // A text that the model goes on with until it is stopped.
    void askForMuch(const QString& subject) {
        session().sampling()->setNumber("temperature", 0);
        ask(QStringLiteral("Write a very long story about %1.").arg(subject));
    }
    void waitForText(int length) {
        if (QTest::currentTestFailed()) return;
        QTRY_VERIFY2_WITH_TIMEOUT(lastMessage().role == MessageRole::Assistant && lastMessage().content.size() > length, "no text came", kLongMs);
    }
    void open(qint64 chat) {
        desk().openChat(chat);
        QTRY_VERIFY_WITH_TIMEOUT(session().chatId() == chat && lastMessage().chatId == chat, 30000);
    }
    bool answers(qint64 chat) {
        ChatList& list = *desk().list();
        for (int row = 0; row < list.count(); ++row)
            if (list.data(list.index(row), ChatList::ChatIdRole).toLongLong() == chat) return list.data(list.index(row), ChatList::BusyRole).toBool();
        return false;
    }

public:
    TestTwoChats() : Story("two_chats") {}

private slots:
    void initTestCase() {
        if (!hasModel()) QSKIP("SmolLM2 is not in STEELYARD_MODEL_CACHE");
        takeModel();
        startProgram();
        QTRY_VERIFY_WITH_TIMEOUT(session().modelPath().endsWith(kModelFile), 30000);
    }
    void init() {
        if (m_failed) QSKIP("a step before this one failed");
    }
    void cleanup() { m_failed = m_failed || QTest::currentTestFailed(); }
    void cleanupTestCase() { m_program.reset(); }

    void bothStreamAtOnce() {
        askForMuch("a lighthouse");
        waitForText(40);
        m_chatA = session().chatId();
        desk().newChat();
        askForMuch("a ship");
        waitForText(40);
        m_chatB = session().chatId();
        QVERIFY(m_chatA != m_chatB);
        QVERIFY(answers(m_chatA) && answers(m_chatB));
        QTRY_COMPARE(m_program->engine()->snapshot()->runningRequests, 2u); // as the gauges hear of it
        QTRY_VERIFY(item("workStatus"));
        QVERIFY(item("workStatus")->property("text").toString().contains(u'2'));
        picture("both_light");
    }

    void theOtherChatGrewMeanwhile() {
        open(m_chatA);
        QVERIFY(session().busy());
        const MessageRecord before = lastMessage();
        QVERIFY(before.content.size() > 40); // at once, from the reply that runs
        waitForText(int(before.content.size()) + 40);
        QCOMPARE(lastMessage().id, before.id);
        QVERIFY(lastMessage().content.startsWith(before.content));
    }

    void stoppingOneLeavesTheOther() {
        QTest::keyClick(m_program->window(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 30000);
        QCOMPARE(lastMessage().stopReason.value_or(-1), int(StopReason::Cancelled));
        QVERIFY(answers(m_chatB) && !answers(m_chatA));
        open(m_chatB);
        const qsizetype length = lastMessage().content.size();
        QVERIFY(session().busy());
        waitForText(int(length) + 40);
    }

    void aChatIsDeletedWhileItsReplyRuns() {
        open(m_chatA);
        ask("Thank you. And now about a whale, just as long.");
        waitForText(20);
        desk().deleteChat(m_chatA);
        QTRY_COMPARE_WITH_TIMEOUT(session().chatId(), m_chatB, 30000); // the next one is shown
        QVERIFY(session().busy());
        const qsizetype length = lastMessage().content.size();
        waitForText(int(length) + 20);
        QTRY_COMPARE_WITH_TIMEOUT(m_program->engine()->snapshot()->runningRequests, 1u, 30000);
    }

    void darkRussianAndLargeLooksRight() {
        m_program->settings()->set("theme", "dark");
        picture("both_dark");
        desk().session()->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 30000);
        m_program->settings()->set("language", "ru");
        m_program->settings()->set("textScale", 125);
        QTRY_VERIFY(item("whyButton"));
        QTest::qWait(100); // where it stands is settled
        click("whyButton");
        QTRY_VERIFY(item("timingVerdict"));
        QVERIFY(item("timingVerdict")->property("text").toString().contains(QRegularExpression(QStringLiteral("[а-я]"))));
        picture("sheet_russian_dark");
        QTest::keyClick(m_program->window(), Qt::Key_Escape);
        m_program->settings()->set("theme", "light");
        picture("russian_light");
        m_program->settings()->set("language", "en");
        m_program->settings()->set("textScale", 100);
        askForMuch("a mountain");
    }

    void nothingIsLostWhenTheProgramEndsWhileTwoRun() {
        waitForText(40);
        const QString shownB = lastMessage().content;
        desk().newChat();
        askForMuch("a garden");
        waitForText(40);
        const qint64 chatC = session().chatId();
        QVERIFY(answers(m_chatB) && answers(chatC));
        const QString shownC = lastMessage().content;
        m_program.reset();
        startProgram();
        QTRY_COMPARE_WITH_TIMEOUT(session().chatId(), chatC, 30000);
        QTRY_VERIFY(lastMessage().content.startsWith(shownC));
        open(m_chatB);
        QVERIFY(lastMessage().content.startsWith(shownB));
        QVERIFY(!session().busy());
    }
};

int main(int argc, char** argv) { return tell<TestTwoChats>(argc, argv); }

#include "test_two_chats.moc"
