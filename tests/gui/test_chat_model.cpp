#include "gui/chat/chat_list.h"
#include "gui/chat/prompt_builder.h"
#include "gui/chat/reply_figures_text.h"
#include "gui/chat/thread_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace steelyard;

class TestChatModel : public QObject {
    Q_OBJECT

    static ThreadMessage message(qint64 id, MessageRole role, const QString& text, QVector<qint64> siblings = {}) {
        ThreadMessage m;
        m.message.id = id;
        m.message.role = role;
        m.message.content = text;
        m.message.stopReason = 0;
        m.siblings = siblings.isEmpty() ? QVector<qint64>{id} : siblings;
        m.branch = static_cast<int>(m.siblings.indexOf(id));
        return m;
    }
    static QStringList kinds(const ThreadModel& model) {
        QStringList all;
        for (int i = 0; i < model.rowCount(); ++i) all += model.index(i).data(ThreadModel::KindRole).toString();
        return all;
    }
    static QString texts(const ThreadModel& model) {
        QStringList all;
        for (int i = 0; i < model.rowCount(); ++i) {
            const QString text = model.index(i).data(ThreadModel::TextRole).toString();
            if (!text.isEmpty()) all += text;
        }
        return all.join(u'|');
    }
    static LiveReply live(qint64 id, const QString& text) {
        LiveReply reply;
        reply.order.reply.id = id;
        reply.phase = LiveReply::Phase::Writing;
        reply.text = text;
        reply.parts = splitReply(text, false);
        return reply;
    }

private slots:
    void aMessageIsHeadBlocksAndFoot() {
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Hi *there*"), message(2, MessageRole::Assistant, "One.\n\n```\nx\n```\n")});
        QCOMPARE(kinds(model), QStringList({"user", "foot", "head", "text", "code", "foot"}));
        QCOMPARE(texts(model), QStringLiteral("Hi *there*|One.|x"));
        QVERIFY(model.index(5).data(ThreadModel::LastMessageRole).toBool());
        QVERIFY(!model.index(1).data(ThreadModel::LastMessageRole).toBool());
    }

    void aStreamChangesOnlyItsLastRows() {
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Q"), message(2, MessageRole::Assistant, "")});
        model.setLive(live(2, "First paragraph.\n\nSecond"));
        QCOMPARE(kinds(model), QStringList({"user", "foot", "head", "text", "text", "foot"}));
        QSignalSpy changed(&model, &ThreadModel::dataChanged);
        model.setLive(live(2, "First paragraph.\n\nSecond one"));
        bool touchedFirst = false;
        for (const auto& signal : changed)
            touchedFirst |= signal[0].toModelIndex().row() <= 3 && signal[1].toModelIndex().row() >= 3;
        QVERIFY(!touchedFirst);
        QCOMPARE(texts(model), QStringLiteral("Q|First paragraph.|Second one"));
    }

    void rowsOfAStreamFollowItsText() {
        const QString text = "# T\n\n- a\n- b\n\n```c\nint x;\n```\n\n| a |\n|---|\n| 1 |\n\nend <b>";
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Q"), message(2, MessageRole::Assistant, "")});
        for (qsizetype i = 1; i <= text.size(); ++i) model.setLive(live(2, text.left(i)));
        const QStringList streamed = kinds(model);
        MessageRecord ended = message(2, MessageRole::Assistant, text).message;
        model.setEnded(ended);
        QCOMPARE(streamed, kinds(model));
        QCOMPARE(model.storedText(2), text);
    }

    void reasoningIsOpenWhileItRunsAndFoldedAfter() {
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Q"), message(2, MessageRole::Assistant, "")});
        model.setLive(live(2, "<think>Let me see"));
        QCOMPARE(kinds(model), QStringList({"user", "foot", "head", "thought", "thinking", "foot"}));
        LiveReply reply = live(2, "<think>Let me see</think>Yes");
        reply.reasoningMs = 3000;
        model.setLive(reply);
        QCOMPARE(kinds(model), QStringList({"user", "foot", "head", "thought", "text", "foot"}));
        QCOMPARE(model.index(3).data(ThreadModel::ThoughtTextRole).toString(), QStringLiteral("Thought for 3.0 s"));
        model.toggleThought(2);
        QCOMPARE(kinds(model), QStringList({"user", "foot", "head", "thought", "thinking", "text", "foot"}));
        model.toggleThought(2);
        QCOMPARE(kinds(model).size(), 6);
    }

    void rawTextIsTheTextAsWrittenAlsoWhileStreaming() {
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Q"), message(2, MessageRole::Assistant, "")});
        model.setLive(live(2, "**a** b"));
        model.setRaw(true);
        QCOMPARE(texts(model), QStringLiteral("Q|**a** b"));
        model.setLive(live(2, "**a** b c"));
        QCOMPARE(texts(model), QStringLiteral("Q|**a** b c"));
        model.setRaw(false);
        model.setLive(live(2, "**a** b c d"));
        QCOMPARE(texts(model), QStringLiteral("Q|<b>a</b> b c d"));
    }

    void anotherBranchKeepsTheRowsBeforeIt() {
        ThreadModel model;
        QAbstractItemModelTester tester(&model);
        model.setThread({message(1, MessageRole::User, "Q"), message(2, MessageRole::Assistant, "first", {2, 3})});
        QSignalSpy reset(&model, &ThreadModel::modelReset);
        model.setThread({message(1, MessageRole::User, "Q"), message(3, MessageRole::Assistant, "second", {2, 3})});
        QCOMPARE(reset.count(), 0);
        QCOMPARE(texts(model), QStringLiteral("Q|second"));
        QCOMPARE(model.index(model.rowCount() - 1).data(ThreadModel::BranchRole).toInt(), 1);
        QCOMPARE(model.index(model.rowCount() - 1).data(ThreadModel::BranchesRole).toInt(), 2);
    }

    void aLongHistoryBecomesRowsFromItsEnd() {
        const QString text = QStringLiteral("Words of *some* kind.\n\n- a\n- b\n\n").repeated(400);
        QVector<ThreadMessage> thread;
        for (int i = 1; i <= 100; ++i) thread.append(message(i, i % 2 ? MessageRole::User : MessageRole::Assistant, text));
        ThreadModel model;
        model.setThread(thread);
        QVERIFY(model.rowCount() > 0);
        QVERIFY(!model.isComplete());
        QCOMPARE(model.index(model.rowCount() - 1).data(ThreadModel::MessageIdRole).toLongLong(), 100);
        QTRY_VERIFY(model.isComplete());
        QCOMPARE(model.index(0).data(ThreadModel::MessageIdRole).toLongLong(), 1);
    }

    void codeOfManyRowsIsCopiedWhole() {
        QString code;
        for (int i = 0; i < 500; ++i) code += QStringLiteral("line %1\n").arg(i);
        ThreadModel model;
        model.setThread({message(2, MessageRole::Assistant, "```\n" + code + "```")});
        const qsizetype rows = kinds(model).count("code");
        QVERIFY(rows > 1);
        QCOMPARE(model.codeAt(2) + u'\n', code);
    }

    void copyGivesTheStoredText_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"#include <stdio.h>\n<b>x</b> &amp;", "$10K flat, $8K", "\\<foo\\> \\(x\\)", "```\nopen", "a\r\nb", "  lead\n\ntrail  ",
                                 "שלום, Next.js.", "👨‍👩‍👧", "![x](http://e.com/p.png)"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void copyGivesTheStoredText() {
        QFETCH(QString, text);
        ThreadModel model;
        model.setThread({message(1, MessageRole::User, text), message(2, MessageRole::Assistant, text)});
        QCOMPARE(model.storedText(1), text);
        QCOMPARE(model.storedText(2), text);
        QCOMPARE(model.index(0).data(ThreadModel::TextRole).toString(), text);
    }

    void pathsEndAtTheMessage() {
        ThreadModel model;
        model.setThread({message(1, MessageRole::User, "a"), message(2, MessageRole::Assistant, "b"), message(3, MessageRole::User, "c")});
        QCOMPARE(model.pathTo(2).size(), 2);
        QCOMPARE(model.pathTo(9).size(), 0);
    }

    void promptsAlternateWhateverWasStopped() {
        QVector<MessageRecord> path{message(1, MessageRole::User, "first").message, message(2, MessageRole::Assistant, "").message,
                                    message(3, MessageRole::User, "second").message};
        const Prompt prompt = buildPrompt("Be short.", path, true);
        QVERIFY(prompt.kind == Prompt::Kind::Messages);
        QCOMPARE(prompt.messages.size(), size_t(2));
        QCOMPARE(prompt.messages[0].role, std::string("system"));
        QCOMPARE(prompt.messages[1].content, std::string("first\n\nsecond"));
    }

    void historyCarriesReasoningApart() {
        MessageRecord reply = message(2, MessageRole::Assistant, "yes").message;
        reply.reasoning = "hm";
        const Prompt prompt = buildPrompt({}, {message(1, MessageRole::User, "q").message, reply, message(3, MessageRole::User, "r").message}, true);
        QCOMPARE(prompt.messages.size(), size_t(3));
        QCOMPARE(prompt.messages[1].reasoning, std::string("hm"));
    }

    void aBaseModelContinuesTheText() {
        const Prompt prompt = buildPrompt({}, {message(1, MessageRole::User, "Once upon").message, message(2, MessageRole::Assistant, " a time.").message,
                                               message(3, MessageRole::User, "Then").message}, false);
        QVERIFY(prompt.kind == Prompt::Kind::Text);
        QCOMPARE(prompt.text, std::string("Once upon a time.\nThen"));
    }

    void halfSurrogatesAreReplaced() {
        QString text = QStringLiteral("a😊b");
        QCOMPARE(wholeCharacters(text), text);
        QCOMPARE(wholeCharacters(text.left(2)), QString("a") + QChar(QChar::ReplacementCharacter));
        QCOMPARE(wholeCharacters(text.mid(2)), QChar(QChar::ReplacementCharacter) + QString("b"));
    }

    void titlesAreTheFirstLineOfTheQuestion() {
        QCOMPARE(titleFrom("  What is\tit?\nmore"), QStringLiteral("What is it?"));
        const QString longTitle = titleFrom(QStringLiteral("word ").repeated(40));
        QVERIFY(longTitle.size() <= 61 && longTitle.endsWith(u'…'));
        QVERIFY(!titleFrom(QStringLiteral("😊").repeated(60)).contains(QChar::ReplacementCharacter));
    }

    void sectionsByDate() {
        const QDate today(2026, 3, 20);
        QCOMPARE(ChatList::sectionOf(today, today), ChatList::tr("Today"));
        QCOMPARE(ChatList::sectionOf(today.addDays(-1), today), ChatList::tr("Yesterday"));
        QCOMPARE(ChatList::sectionOf(today.addDays(-6), today), ChatList::tr("Last 7 days"));
        QCOMPARE(ChatList::sectionOf(today.addDays(-29), today), ChatList::tr("Last 30 days"));
        QVERIFY(!ChatList::sectionOf(today.addDays(-60), today).contains("2026"));
        QVERIFY(ChatList::sectionOf(today.addDays(-400), today).contains("2025"));
    }

    void figuresUnderAReply() {
        QLocale::setDefault(QLocale::c());
        ReplyFigures figures;
        figures.tokens = 412;
        figures.decodeTokensPerSecond = 38.2;
        figures.ttftMs = 142;
        figures.itlP50Ms = 26;
        const QString line = ReplyFiguresText::line(figures);
        QVERIFY2(line.startsWith("412 token") && line.endsWith(" · 38.2 tok/s · first token 142 ms"), qPrintable(line));
    }

    void whyAReplyStopped() {
        MessageRecord reply;
        QVERIFY(!ReplyFiguresText::stopped(reply).isEmpty()); // cut off by the program's end
        reply.stopReason = 0;
        QVERIFY(ReplyFiguresText::stopped(reply).isEmpty());
        for (int reason = 1; reason <= 5; ++reason) {
            reply.stopReason = reason;
            QVERIFY(!ReplyFiguresText::stopped(reply).isEmpty());
        }
    }
};

QTEST_MAIN(TestChatModel)
#include "test_chat_model.moc"
