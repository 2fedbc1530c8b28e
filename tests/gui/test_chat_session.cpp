#include "gui/chat/reply_figures_text.h"
#include "tests/gui/chat_fixture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

using namespace steelyard;

class TestChatSession : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;

private slots:
    void init() {
        m = std::make_unique<ChatFixture>();
        m->start();
    }
    void cleanup() { m.reset(); }

    void nothingIsLoadedAtStart() {
        QTest::qWait(200);
        QVERIFY(m->script.loads.empty());
        QCOMPARE(m->session().modelPath(), QStringLiteral("/models/fake.gguf")); // the starter is chosen
    }

    void typingLoadsTheChosenModel() {
        m->session().setDraft("H");
        QTRY_COMPARE(m->client->modelState(), EngineClient::ModelState::Ready);
        QCOMPARE(m->script.loads.size(), size_t(1));
    }

    void aQuestionGetsAReplyWithFigures() {
        m->ask("What is the capital of France?");
        QCOMPARE(m->contents(), QStringList({"What is the capital of France?", "What is the capital of France?"}));
        const MessageRecord reply = m->thread().last()->message;
        QVERIFY(reply.figures && reply.figures->ttftMs == 142 && reply.figures->seed == 7);
        QCOMPARE(reply.stopReason.value_or(-1), 0);
        QCOMPARE(reply.modelName, QStringLiteral("Fake · Q4_1"));
        QVERIFY(m->session().draft().isEmpty());
        QCOMPARE(m->session().title(), QStringLiteral("What is the capital of France?"));
        QTRY_COMPARE(m->desk->list()->count(), 1);
        QCOMPARE(m->session().contextUsed(), 16);
    }

    void aSecondQuestionCarriesTheHistoryAndTheChat() {
        m->ask("one");
        m->ask("two");
        QCOMPARE(m->script.requests.size(), size_t(2));
        QCOMPARE(m->script.requests[1].prompt.messages.size(), size_t(3));
        QCOMPARE(m->script.requests[0].chat, m->script.requests[1].chat);
        QVERIFY(m->script.requests[0].chat != 0);
    }

    void settingsReachTheRequest() {
        m->session().sampling()->setNumber("temperature", 0);
        m->session().sampling()->setNumber("topP", 0.5);
        m->session().setReplyLimit(7);
        m->session().setSystemPrompt("Be brief.");
        m->ask("q");
        const GenerateRequest& request = m->script.requests.back();
        QCOMPARE(request.sampling.temperature, 0.0f);
        QCOMPARE(request.sampling.topP, 0.5f);
        QCOMPARE(request.maxTokens, 7);
        QCOMPARE(request.prompt.messages[0].role, std::string("system"));
    }

    void againAndEditMakeBranches() {
        m->ask("one");
        const qint64 first = m->lastId();
        m->script.reply = [](const GenerateRequest&) { return std::string("another"); };
        m->session().again(first);
        QTRY_COMPARE(m->contents(), QStringList({"one", "another"}));
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->thread().last()->siblings.size(), 2);
        QCOMPARE(m->thread().last()->branch, 1);
        m->session().showBranch(m->lastId(), -1);
        QTRY_COMPARE(m->contents(), QStringList({"one", "one"}));

        m->session().setDraft("kept");
        const qint64 question = m->thread().pathTo(m->lastId()).first().id;
        m->session().beginEdit(question);
        QCOMPARE(m->session().draft(), QStringLiteral("one"));
        m->session().setDraft("changed");
        m->session().send();
        QTRY_COMPARE(m->contents(), QStringList({"changed", "another"}));
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->session().draft(), QStringLiteral("kept"));
        QCOMPARE(m->session().title(), QStringLiteral("one")); // its first question
        m->session().showBranch(m->thread().pathTo(m->lastId()).first().id, -1);
        QTRY_COMPARE(m->contents(), QStringList({"one", "another"})); // the newest below
    }

    void stopEndsTheReplyAndKeepsItsText() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("long");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "half a reply");
        QTRY_COMPARE(m->contents().last(), QStringLiteral("half a reply"));
        m->session().setDraft("typed meanwhile");
        m->session().stop();
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->thread().last()->message.stopReason.value_or(-1), int(StopReason::Cancelled));
        QCOMPARE(m->contents().last(), QStringLiteral("half a reply"));
        QCOMPARE(m->session().draft(), QStringLiteral("typed meanwhile"));
    }

    void stopCountsAlsoBeforeTheQuestionIsStored() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("go");
        m->session().send();
        m->session().stop(); // at once
        QTRY_VERIFY(m->thread().messageCount() == 2 && !m->session().busy());
        QCOMPARE(m->thread().last()->message.stopReason.value_or(-1), int(StopReason::Cancelled));
    }

    void stoppedBeforeTheFirstWordTheChatGoesOn() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("one");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->session().stop();
        QTRY_VERIFY(!m->session().busy());
        m->script.repliesAtOnce = true;
        m->ask("two");
        QCOMPARE(m->script.requests.back().prompt.messages.size(), size_t(1)); // roles alternate
        QCOMPARE(m->script.requests.back().prompt.messages[0].content, std::string("one\n\ntwo"));
    }

    void aStreamIsSavedWhileItRuns() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("q");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "saved as it streams");
        const qint64 chat = m->session().chatId();
        QString stored;
        for (int i = 0; i < 100 && stored.isEmpty(); ++i) {
            QTest::qWait(100);
            m->store->run(this, [chat](Repositories& r) { return r.messages.thread(chat); },
                          [&](const Result<QVector<ThreadMessage>>& thread) { stored = thread->last().message.content; });
            QTest::qWait(20);
        }
        QCOMPARE(stored, QStringLiteral("saved as it streams"));
    }

    void aChatIsThereAfterARestart() {
        m->session().sampling()->setNumber("temperature", 0.25);
        m->ask("remember me");
        m->session().setDraft("unsent");
        const QString folder = m->folder;
        QTemporaryDir keep; // the first fixture's folder goes with it
        m->stop();
        ChatFixture again(folder);
        again.desk->restore();
        QTRY_COMPARE(again.contents(), QStringList({"remember me", "remember me"}));
        QCOMPARE(again.session().draft(), QStringLiteral("unsent"));
        QCOMPARE(again.session().sampling()->data(again.session().sampling()->index(0), SamplingModel::ValueRole).toDouble(), 0.25);
        QTRY_COMPARE(again.desk->list()->count(), 1);
        QTest::qWait(100);
        QVERIFY(again.script.loads.empty()); // not at start
        again.ask("second");
        QCOMPARE(again.script.requests.back().prompt.messages.size(), size_t(3));
    }

    void aReplyRunsOnWhileAnotherChatIsOpen() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("first");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        const qint64 chat = m->session().chatId();
        m->desk->newChat();
        QCOMPARE(m->session().chatId(), 0);
        QVERIFY(!m->session().busy());
        m->script.engine->write(m->script.requests[0].id, "background");
        m->script.engine->finish(m->script.requests[0].id);
        QTest::qWait(50);
        m->desk->openChat(chat);
        QTRY_COMPARE(m->contents(), QStringList({"first", "background"}));
    }

    void deletedChatsCanBeBroughtBack() {
        m->ask("one");
        const qint64 chat = m->session().chatId();
        QSignalSpy deleted(m->desk.get(), &ChatDesk::chatDeleted);
        m->desk->deleteChat(chat);
        QTRY_COMPARE(deleted.count(), 1);
        QTRY_COMPARE(m->desk->list()->count(), 0);
        QCOMPARE(m->session().chatId(), 0);
        QCOMPARE(m->script.forgotten, std::vector<uint64_t>{uint64_t(chat)});
        m->desk->undoDelete(chat);
        QTRY_COMPARE(m->contents(), QStringList({"one", "one"}));
        QTRY_COMPARE(m->desk->list()->count(), 1);
    }

    void renamingKeepsTheTitle() {
        m->ask("one");
        m->desk->renameChat(m->session().chatId(), "  Mine  ");
        QTRY_COMPARE(m->session().title(), QStringLiteral("Mine"));
        m->ask("two");
        QCOMPARE(m->session().title(), QStringLiteral("Mine"));
    }

    void searchFindsTitlesAndTexts() {
        m->ask("about Paris");
        m->desk->newChat();
        m->ask("about Rome");
        m->desk->list()->setFilter("rome");
        QTRY_COMPARE(m->desk->list()->count(), 1);
        m->desk->list()->setFilter("");
        QCOMPARE(m->desk->list()->count(), 2);
    }

    void aFailedLoadEndsTheReplyWithItsSentence() {
        m->script.loadFailure = "The file is cut off. Download it again.";
        m->ask("q");
        QCOMPARE(m->thread().last()->message.stopReason.value_or(-1), int(StopReason::Failed));
        QCOMPARE(m->thread().last()->message.stopSentence, QStringLiteral("The file is cut off. Download it again."));
        QVERIFY(m->script.loads.size() <= 2); // when typed and when sent, not again and again
        m->script.loadFailure.clear();
        m->session().again(m->lastId());
        QTRY_VERIFY(!m->session().busy() && m->contents().last() == QStringLiteral("q"));
    }

    void anotherModelIsLoadedForItsChat() {
        m->ask("one");
        m->session().setModelPath("/models/other.gguf");
        m->ask("two");
        QCOMPARE(m->script.loads.size(), size_t(2));
        QCOMPARE(EngineClient::fromPath(m->script.loads[1].path), QStringLiteral("/models/other.gguf"));
    }

    void aFullContextOffersALongerOne() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("q");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "as far as it");
        m->script.engine->finish(m->script.requests[0].id, StopReason::ContextFull, "4,096 tokens");
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->session().longerContextLength(), 8192);
        m->script.repliesAtOnce = true;
        m->session().useLongerContext(m->lastId());
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->script.loads.back().contextLength, 8192u);
        QVERIFY(m->script.requests.back().prompt.continuesReply);
        QCOMPARE(m->thread().last()->siblings.size(), 1); // the same reply has grown
        QCOMPARE(m->contents(), QStringList({"q", "as far as itas far as it"}));
        QCOMPARE(m->session().longerContextLength(), 0);  // the model has no more
        QSignalSpy wanted(&m->session(), &ChatSession::newChatWanted);
        m->session().newFromHere();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(m->session().chatId(), 0);
        QCOMPARE(m->session().draft(), QStringLiteral("q"));
    }

    void aReplyThatWasCutOffGoesOnInItsPlace() {
        m->script.repliesAtOnce = false;
        m->session().setDraft("q");
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "<think>why</think>one two");
        m->script.engine->finish(m->script.requests[0].id, StopReason::TokenLimit);
        QTRY_VERIFY(!m->session().busy());
        const MessageRecord before = m->thread().last()->message;
        QVERIFY(ReplyFiguresText::canGoOn(before));
        m->session().goOn(before.id);
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        const GenerateRequest request = m->script.requests.back();
        QVERIFY(request.prompt.continuesReply);
        QCOMPARE(request.prompt.messages.back().content, std::string("one two"));
        QCOMPARE(request.prompt.messages.back().reasoning, std::string("why"));
        m->script.engine->write(request.id, " three");
        QTRY_COMPARE(m->contents().last(), QStringLiteral("one two three")); // as it streams
        m->script.engine->finish(request.id);
        QTRY_VERIFY(!m->session().busy());
        const MessageRecord after = m->thread().last()->message;
        QCOMPARE(after.id, before.id);
        QCOMPARE(after.content, QStringLiteral("one two three"));
        QCOMPARE(after.reasoning, QStringLiteral("why"));
        QCOMPARE(after.figures->tokens, before.figures->tokens + 1);
        QCOMPARE(after.stopReason.value_or(-1), int(StopReason::EndToken));
        QVERIFY(!ReplyFiguresText::canGoOn(after));
        m->session().reload(); // and so it is stored
        QTRY_COMPARE(m->contents().last(), QStringLiteral("one two three"));
        QCOMPARE(m->thread().last()->siblings.size(), 1);
    }

    void aBaseModelIsAskedToContinue() {
        m->script.facts.name = "Base";
        m->script.facts.hasChatTemplate = false;
        m->script.facts.contextLength = 4096;
        m->ask("Once upon");
        QVERIFY(m->desk->model()->baseModel());
        QVERIFY(m->script.requests.back().prompt.kind == Prompt::Kind::Text);
    }

    void halvesOfSurrogatesAreNeverStored() {
        const QString half = QString("a") + QChar(0xD83D);
        m->ask(half);
        QCOMPARE(m->contents().first(), QString("a") + QChar(QChar::ReplacementCharacter));
    }

    void droppedTextJoinsTheDraft() {
        QFile file(m->own.filePath("notes.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("line ```` one\n");
        file.close();
        QFile bad(m->own.filePath("bad.bin"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("\xff\xfe\0x", 4);
        bad.close();
        QSignalSpy failed(m->desk.get(), &ChatDesk::failed);
        m->session().setDraft("Sum up:");
        m->session().dropFiles({QUrl::fromLocalFile(file.fileName())});
        QTRY_COMPARE(m->session().draft(), QStringLiteral("Sum up:\nnotes.txt:\n`````\nline ```` one\n`````\n"));
        m->session().dropFiles({QUrl::fromLocalFile(bad.fileName())});
        QTRY_COMPARE(failed.count(), 1);
    }

    void copyGivesTheStoredBytes() {
        const QString text = QStringLiteral("#include <stdio.h> &amp; $8K ```\n\\<a\\>");
        m->ask(text);
        m->session().copyMessage(m->lastId());
        QCOMPARE(QGuiApplication::clipboard()->text(), text);
    }
};

QTEST_MAIN(TestChatSession)
#include "test_chat_session.moc"
