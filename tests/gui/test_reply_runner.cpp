// Replies of several chats at once: who is served first, who waits, and that none disturbs another.
#include "gui/chat/reply_figures_text.h"
#include "tests/gui/chat_fixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace steelyard;

class TestReplyRunner : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;

    RequestId begin(const QString& question) { return m->begin(question); }
    void tellWaiting(uint32_t waiting) {
        Snapshot snapshot;
        snapshot.runningRequests = 1;
        snapshot.waitingRequests = waiting;
        m->script.engine->setSnapshot(snapshot);
    }
    QString statusOfLast() {
        const ThreadModel& thread = m->thread();
        for (int row = thread.rowCount() - 1; row >= 0; --row)
            if (thread.data(thread.index(row), ThreadModel::KindRole) == QStringLiteral("head")) return thread.data(thread.index(row), ThreadModel::StatusRole).toString();
        return {};
    }
    bool isBusyInList(qint64 chat) {
        ChatList& list = *m->desk->list();
        for (int row = 0; row < list.count(); ++row)
            if (list.data(list.index(row), ChatList::ChatIdRole).toLongLong() == chat) return list.data(list.index(row), ChatList::BusyRole).toBool();
        return false;
    }

private slots:
    void init() {
        QLocale::setDefault(QLocale::c());
        m = std::make_unique<ChatFixture>();
        m->start();
        m->script.repliesAtOnce = false;
    }
    void cleanup() { m.reset(); }

    void twoChatsStreamAtOnce() {
        const RequestId first = begin("first");
        const qint64 chatA = m->session().chatId();
        m->script.engine->send({PromptProgress{first, 10, 0, 10}});
        m->script.engine->write(first, "A begins");
        m->desk->newChat();
        const RequestId second = begin("second");
        const qint64 chatB = m->session().chatId();
        QVERIFY(chatA != chatB);
        m->script.engine->send({PromptProgress{second, 10, 0, 10}});
        m->script.engine->write(second, "B begins");
        m->script.engine->write(first, " and goes on");
        QTRY_COMPARE(m->contents(), QStringList({"second", "B begins"}));
        QTRY_VERIFY(isBusyInList(chatA) && isBusyInList(chatB));
        QTRY_COMPARE(m->desk->work(), QStringLiteral("2 running"));
        m->desk->openChat(chatA);
        QTRY_COMPARE(m->contents(), QStringList({"first", "A begins and goes on"}));
        QVERIFY(m->session().busy());
        m->session().stop(); // one ends, the other goes on
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->script.cancels, std::vector<RequestId>{first});
        QVERIFY(!isBusyInList(chatA) && isBusyInList(chatB));
        QCOMPARE(m->desk->work(), QStringLiteral("1 running"));
        m->script.engine->write(second, " and ends");
        m->script.engine->finish(second);
        m->desk->openChat(chatB);
        QTRY_COMPARE(m->contents(), QStringList({"second", "B begins and ends"}));
        QTRY_VERIFY(m->desk->work().isEmpty());
    }

    void theChatOnTheScreenIsServedFirst() {
        begin("first");
        QVERIFY(m->script.requests.back().priority == Priority::Foreground);
        const qint64 chatA = m->session().chatId();
        // Sent, and another chat opened before the request went out.
        m->desk->newChat();
        m->session().setDraft("second");
        m->session().send();
        m->desk->openChat(chatA);
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        QVERIFY(m->script.requests.back().priority == Priority::Background);
    }

    void whoWaitsSaysSo() {
        const RequestId first = begin("first");
        m->script.engine->send({PromptProgress{first, 10, 0, 10}});
        m->script.engine->write(first, "A");
        m->desk->newChat();
        begin("second");
        tellWaiting(1);
        QTRY_COMPARE(statusOfLast(), QStringLiteral("Waiting for its turn"));
        QCOMPARE(m->desk->work(), QStringLiteral("1 running, 1 waiting"));
        m->desk->newChat();
        const RequestId third = begin("third");
        tellWaiting(2);
        QTRY_COMPARE(statusOfLast(), QStringLiteral("Waiting for its turn (1 before it)"));
        QCOMPARE(m->desk->work(), QStringLiteral("1 running, 2 waiting"));
        m->script.engine->send({PromptProgress{third, 10, 0, 5}});
        QTRY_COMPARE(statusOfLast(), QStringLiteral("Reading the prompt: 5 of 10 tokens"));
    }

    void aChatIsDeletedWhileItsReplyRuns() {
        const RequestId first = begin("first");
        const qint64 chatA = m->session().chatId();
        m->script.engine->write(first, "A");
        m->desk->newChat();
        const RequestId second = begin("second");
        QSignalSpy deleted(m->desk.get(), &ChatDesk::chatDeleted);
        m->desk->deleteChat(chatA);
        QTRY_COMPARE(deleted.count(), 1);
        QCOMPARE(m->script.cancels, std::vector<RequestId>{first});
        QTRY_COMPARE(m->desk->work(), QStringLiteral("1 running"));
        m->script.engine->write(second, "B is whole");
        m->script.engine->finish(second);
        QTRY_COMPARE(m->contents(), QStringList({"second", "B is whole"}));
        m->desk->undoDelete(chatA); // what it had said is there
        QTRY_COMPARE(m->contents(), QStringList({"first", "A"}));
    }

    void aChatDeletedRightAfterSendingAnswersNoMore() {
        m->script.repliesAtOnce = true;
        m->ask("one");
        m->script.repliesAtOnce = false;
        const qint64 chat = m->session().chatId();
        m->session().setDraft("two");
        m->session().send();
        QSignalSpy deleted(m->desk.get(), &ChatDesk::chatDeleted);
        m->desk->deleteChat(chat); // before the store has the question
        QTRY_COMPARE(deleted.count(), 1);
        QTRY_VERIFY(m->desk->work().isEmpty());
        for (const RequestId id : m->script.cancels) QCOMPARE(id, m->script.requests.back().id);
        QCOMPARE(m->script.cancels.size(), m->script.requests.size() - 1);
    }

    void nothingIsLostWhenTheProgramEndsWhileTwoRun() {
        const RequestId first = begin("first");
        const qint64 chatA = m->session().chatId();
        m->desk->newChat();
        const RequestId second = begin("second");
        const qint64 chatB = m->session().chatId();
        m->script.engine->write(first, "half of A");
        m->script.engine->write(second, "half of B");
        QTRY_COMPARE(m->contents(), QStringList({"second", "half of B"}));
        m->stop();
        ChatFixture again(m->folder);
        again.desk->restore();
        QTRY_COMPARE(again.session().chatId(), chatB);
        QTRY_COMPARE(again.contents(), QStringList({"second", "half of B"}));
        again.desk->openChat(chatA);
        QTRY_COMPARE(again.contents(), QStringList({"first", "half of A"}));
    }

    // Quicker and not exact: the person's choice is kept with the chat, asked of the engine, and told under the reply.
    void aShiftedReplyIsApproximateAndSaysSo() {
        m->session().setOverflow(static_cast<int>(Overflow::Shift));
        const RequestId id = begin("long");
        QVERIFY(m->script.requests.back().overflow == Overflow::Shift);
        m->script.engine->write(id, "text");
        GenerationFinished finished;
        finished.id = id;
        finished.statistics.promptTokens = 4000;
        finished.statistics.generatedTokens = 500;
        finished.statistics.shiftedTokens = 992;
        finished.statistics.reusedFromDisk = 64;
        finished.statistics.reusedFromMemory = 32;
        finished.statistics.movedTokens = 96;
        finished.statistics.transferTokens = 128;
        finished.statistics.transferBytes = 1 << 20;
        finished.statistics.transferMs = 2.5;
        m->script.engine->send({finished});
        QTRY_VERIFY(!m->session().busy());
        const MoveFigures moves{64, 32, 96, 128, 1 << 20, 2.5};
        QVERIFY(m->thread().last()->message.figures->moves == moves);
        QCOMPARE(m->session().contextUsed(), 3508);
        m->stop();
        ChatFixture again(m->folder);
        again.desk->restore();
        QTRY_COMPARE(again.contents(), QStringList({"long", "text"}));
        QCOMPARE(again.session().overflow(), static_cast<int>(Overflow::Shift));
        const ReplyFigures figures = *again.thread().last()->message.figures;
        QVERIFY(figures.moves == moves);
        QCOMPARE(figures.shiftedTokens, 992);
        QVERIFY(ReplyFiguresText::line(figures).endsWith("approximate"));
    }

    void aFullContextShowsWhatWouldGoAndGoesOnWithoutIt() {
        m->script.repliesAtOnce = true;
        m->ask("one");
        m->ask("two");
        m->askInFullContext("three", "as far as", 2, 700);
        QVERIFY(m->script.requests.back().overflow == Overflow::Stop);
        const QVariantMap going = m->session().wouldGo(m->lastId());
        QCOMPARE(going.value("messages").toInt(), 2);
        QCOMPARE(going.value("tokens").toInt(), 700);
        QCOMPARE(going.value("rows").toList().size(), 2);
        QCOMPARE(going.value("rows").toList()[0].toMap().value("text").toString(), QStringLiteral("one"));

        m->session().dropOldest(m->lastId());
        QTRY_COMPARE(m->script.requests.size(), size_t(4));
        QVERIFY(m->script.requests.back().overflow == Overflow::DropOldest);
        QVERIFY(m->script.requests.back().prompt.continuesReply);
        QCOMPARE(m->session().overflow(), static_cast<int>(Overflow::DropOldest)); // and so from now on
        m->script.engine->write(m->script.requests.back().id, " it goes");
        GenerationFinished finished;
        finished.id = m->script.requests.back().id;
        finished.statistics.promptTokens = 3400;
        finished.statistics.generatedTokens = 2;
        finished.statistics.droppedMessages = 2;
        finished.statistics.droppedTokens = 700;
        m->script.engine->send({finished});
        QTRY_VERIFY(!m->session().busy());
        const MessageRecord reply = m->thread().last()->message;
        QCOMPARE(reply.content, QStringLiteral("as far as it goes"));
        QCOMPARE(reply.figures->droppedMessages, 2);
        QVERIFY(ReplyFiguresText::line(*reply.figures).contains("without the 2 oldest"));
        QCOMPARE(m->session().contextUsed(), 3402);
        QVERIFY(m->session().wouldGo(reply.id).isEmpty());
    }
};

QTEST_MAIN(TestReplyRunner)
#include "test_reply_runner.moc"
