// The sheet of a reply says where the time went and what the cache and guessing ahead were worth, in words a person can use.
#include "gui/chat/reply_figures_text.h"
#include "gui/chat/reply_sheet.h"
#include "gui/chat/reuse_reasons.h"

#include <QLocale>
#include <QTest>

using namespace steelyard;

namespace {

// 300 ms, most of it reading.
ReplyFigures ordinary() {
    ReplyFigures figures;
    figures.tokens = 100;
    figures.promptTokens = 400;
    figures.reusedTokens = 300;
    figures.queueMs = 1;
    figures.tokenizeMs = 2;
    figures.reuseMs = 1;
    figures.prefillMs = 280;
    figures.ttftMs = 300;
    figures.itlP50Ms = 20;
    figures.itlP95Ms = 30;
    figures.decodeTokensPerSecond = 48;
    return figures;
}

QVariantMap rowOf(const ReplyFigures& figures, const QString& label) {
    const QVariantMap sheet = ReplySheet(figures).map();
    for (const QVariant& section : sheet.value("sections").toList())
        for (const QVariant& row : section.toMap().value("rows").toList())
            if (row.toMap().value("label").toString() == label) return row.toMap();
    return {};
}

} // namespace

class TestReplySheet : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void theVerdictFollowsBothLimits() {
        ReplyFigures figures = ordinary();
        QCOMPARE(ReplySheet(figures).verdict(), QStringLiteral("Started at once, streamed at ease"));
        figures.ttftMs = 150;
        QCOMPARE(ReplySheet(figures).verdict(), QStringLiteral("Started like any program, streamed at ease"));
        figures.ttftMs = 1000;
        QCOMPARE(ReplySheet(figures).verdict(), QStringLiteral("Slow to start"));
        figures.itlP50Ms = 101;
        QCOMPARE(ReplySheet(figures).verdict(), QStringLiteral("Slow to start and slow to stream"));
        figures.ttftMs = 500;
        QCOMPARE(ReplySheet(figures).verdict(), QStringLiteral("Slow to stream"));
        QVERIFY(ReplySheet(figures).map().value("slow").toBool());
    }

    void theLimitOfStreamingCanBeSet() {
        const ReplyFigures figures = ordinary();
        QVERIFY(!ReplySheet(figures).slowToStream());
        QVERIFY(ReplySheet(figures, 10).slowToStream());
        QVERIFY(!ReplySheet(figures, 10).advice().isEmpty());
    }

    void theStageThatCostMostIsNamed_data() {
        QTest::addColumn<double>("queue");
        QTest::addColumn<double>("tokenize");
        QTest::addColumn<double>("reuse");
        QTest::addColumn<double>("prefill");
        QTest::addColumn<QString>("begins");
        QTest::newRow("queue") << 1500.0 << 1.0 << 1.0 << 400.0 << "Waiting for other replies took longest: 75 % of the 2.0 s";
        QTest::newRow("tokenize") << 1.0 << 1500.0 << 1.0 << 400.0 << "Cutting the prompt into tokens took longest";
        QTest::newRow("reuse") << 1.0 << 1.0 << 1500.0 << 400.0 << "Looking up what the cache holds took longest";
        QTest::newRow("prefill") << 1.0 << 1.0 << 1.0 << 1500.0 << "Reading the prompt took longest";
        QTest::newRow("first") << 1.0 << 1.0 << 1.0 << 10.0 << "The first tokens took longest";
    }
    void theStageThatCostMostIsNamed() {
        QFETCH(double, queue);
        QFETCH(double, tokenize);
        QFETCH(double, reuse);
        QFETCH(double, prefill);
        QFETCH(QString, begins);
        ReplyFigures figures = ordinary();
        figures.queueMs = queue;
        figures.tokenizeMs = tokenize;
        figures.reuseMs = reuse;
        figures.prefillMs = prefill;
        figures.ttftMs = 2000;
        const ReplySheet sheet(figures);
        QVERIFY2(sheet.longest().startsWith(begins), qPrintable(sheet.longest()));
        QVERIFY(!sheet.advice().isEmpty()); // it was slow
    }

    void stagesHaveTheirShareOfTheWait() {
        const double share = rowOf(ordinary(), "Prefill").value("share").toDouble();
        QVERIFY2(share > 0.9 && share < 0.95, qPrintable(QString::number(share)));
        QCOMPARE(rowOf(ordinary(), "Seed").value("share").toDouble(), -1.0);
    }

    void whatWasReusedAndWhyNotTheRest() {
        ReplyFigures figures = ordinary();
        QCOMPARE(rowOf(figures, "Reused").value("note").toString(), QStringLiteral("75 % of the prompt"));
        QVERIFY(rowOf(figures, "Read").value("value").toString().startsWith("100 token"));
        QVERIFY(rowOf(figures, "Why not reused").isEmpty());
        figures.reuseReason = QStringLiteral("edited message");
        QCOMPARE(rowOf(figures, "Why not reused").value("value").toString(), QStringLiteral("edited message"));
        QVERIFY(!rowOf(figures, "Why not reused").value("note").toString().isEmpty());
    }

    void everyReasonOfTheEngineIsExplained() {
        for (const char* reason : {"first turn", "edited message", "template dropped reasoning", "date in system prompt", "window moved", "model reloaded",
                                   "evicted", "recurrent state", "rope factors"}) {
            const ReuseReason words = reuseReason(QString::fromLatin1(reason));
            QVERIFY2(!words.name.isEmpty() && words.what.endsWith(u'.'), reason);
            QVERIFY2(!words.remedy.isEmpty() || qstrcmp(reason, "first turn") == 0, reason);
        }
        QCOMPARE(reuseReason(QStringLiteral("a new reason")).name, QStringLiteral("a new reason"));
    }

    void guessesSayWhatTheyWereWorth() {
        ReplyFigures figures = ordinary();
        QVERIFY(rowOf(figures, "Guesses").isEmpty()); // it was off
        figures.guesses.asked = true;
        QCOMPARE(rowOf(figures, "Guesses").value("value").toString(), QStringLiteral("off"));
        QVERIFY(rowOf(figures, "Guesses").value("note").toString().startsWith("It does not pay here"));
        figures.guesses = {true, 20, 80, 60, 50, 45, 12, {}};
        QCOMPARE(rowOf(figures, "Accepted").value("value").toString(), QStringLiteral("75 %"));
        QCOMPARE(rowOf(figures, "Tokens per step").value("value").toString(), QStringLiteral("2.50")); // 100 tokens in 40 steps
        QCOMPARE(rowOf(figures, "By looking up").value("value").toString(), QStringLiteral("45 of 50"));
        QCOMPARE(rowOf(figures, "Drafted").value("value").toString(), QStringLiteral("15 of 30"));
        figures.guesses = {true, 0, 0, 0, 0, 0, 0, QStringLiteral("The device was lost.")};
        QCOMPARE(rowOf(figures, "Guesses").value("note").toString(), QStringLiteral("The device was lost."));
    }

    // Pages that came from elsewhere are told where there were any.
    void whereThePagesCameFrom() {
        ReplyFigures figures = ordinary();
        for (const char* label : {"Of these from disk", "Of these from memory", "Moved aside", "Handed over", "Moved up"}) QVERIFY2(rowOf(figures, label).isEmpty(), label);
        figures.moves = {200, 64, 32, 400, 9'000'000, 250};
        figures.shiftedTokens = 96;
        figures.prefillMs = 40;
        QVERIFY(rowOf(figures, "Of these from disk").value("value").toString().startsWith("200 token"));
        QVERIFY(rowOf(figures, "Of these from memory").value("value").toString().startsWith("64 token"));
        QVERIFY(rowOf(figures, "Moved aside").value("value").toString().startsWith("32 token"));
        const QVariantMap handedOver = rowOf(figures, "Handed over");
        QCOMPARE(handedOver.value("value").toString(), QStringLiteral("250 ms"));
        QVERIFY2(handedOver.value("note").toString().endsWith(QString(" · 9.0") + QChar(QChar::Nbsp) + "MB"), qPrintable(handedOver.value("note").toString()));
        QVERIFY(handedOver.value("share").toDouble() > 0.8);
        QVERIFY(ReplySheet(figures).longest().startsWith("Handing the prompt over"));
        QVERIFY(rowOf(figures, "Moved up").value("value").toString().startsWith("96 token"));
        QVERIFY(rowOf(figures, "Moved up").value("note").toString().contains("approximate"));
        QVERIFY(ReplyFiguresText::line(figures).contains("approximate"));
    }

    // Prefill is held against what the device multiplies, decode against what its memory delivers.
    void shareOfTheDeviceIsShownWhereItIsKnown() {
        ReplyFigures figures = ordinary();
        QVERIFY(rowOf(figures, "Arithmetic in prefill").isEmpty());
        QVERIFY(rowOf(figures, "Bandwidth in decode").isEmpty());
        figures.prefillArithmeticShare = 0.412;
        figures.decodeBandwidthShare = 0.0042;
        QCOMPARE(rowOf(figures, "Arithmetic in prefill").value("value").toString(), QStringLiteral("41 %"));
        QCOMPARE(rowOf(figures, "Bandwidth in decode").value("value").toString(), QStringLiteral("0.4 %"));
    }

    void whatWasLeftOutIsSaid() {
        ReplyFigures figures = ordinary();
        QVERIFY(rowOf(figures, "Left out").isEmpty());
        figures.droppedMessages = 4;
        figures.droppedTokens = 1200;
        QVERIFY(rowOf(figures, "Left out").value("value").toString().startsWith("4 message"));
        QVERIFY(rowOf(figures, "Left out").value("note").toString().startsWith("1,200 token") || rowOf(figures, "Left out").value("note").toString().startsWith("1200 token"));
    }
};

QTEST_GUILESS_MAIN(TestReplySheet)
#include "test_reply_sheet.moc"
