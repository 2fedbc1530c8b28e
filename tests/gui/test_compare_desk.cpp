// The compare desk without a window: columns, turns, stops, blind votes, comparisons that are kept, and what is said when things fail.
#include "tests/gui/compare_fixture.h"

#include <QSignalSpy>

using namespace steelyard;

class TestCompareDesk : public QObject {
    Q_OBJECT

    std::unique_ptr<CompareFixture> m_fixture;
    CompareDesk& desk() { return *m_fixture->desk; }

private slots:
    void init() { m_fixture = std::make_unique<CompareFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void columnsAreNamedByWhatDiffers() {
        m_fixture->choose({"q8", "q4"});
        QCOMPARE(desk().columns()->names(), (QStringList{"Q8_0", "Q4_0"}));
        desk().copyColumn(0);
        desk().changeColumn(2, CompareFixture::path("q8"), QStringLiteral("q8_0"), 0, 0, true);
        QCOMPARE(desk().columns()->names().last(), QStringLiteral("Q8_0 · KV q8_0 · guesses ahead"));
        desk().addColumn(CompareFixture::path("gemma"));
        QCOMPARE(desk().columns()->names().last(), QStringLiteral("Gemma 3 270M · Q4_K_M"));
        desk().addColumn(CompareFixture::path("q2"));
        QCOMPARE(desk().columns()->count(), 4); // four at most
        desk().removeColumn(3);
        QCOMPARE(desk().columns()->count(), 3);
    }

    void settingsOfAColumnReachTheEngine() {
        m_fixture->choose({"q8"});
        desk().changeColumn(0, CompareFixture::path("q8"), QStringLiteral("q8_0"), 1024, 512, true);
        m_fixture->ask(QStringLiteral("x"));
        const ComparisonColumn& column = m_fixture->script.columns.back().front();
        QCOMPARE(column.load.contextLength, 1024u);
        QVERIFY(column.load.kvTypeK == TensorType::Q8_0 && column.load.kvTypeV == TensorType::Q8_0);
        QCOMPARE(column.fillerTokens, 512u);
        QVERIFY(column.speculation.lookup && !column.speculation.draft);
    }

    void thePlanSaysHowTheyRunAndTheChatsModelIsLeftToThePerson() {
        m_fixture->script.order = ComparisonPlan::Order::OneAfterTheOther;
        m_fixture->engine->load({CompareFixture::path("gemma")});
        QTRY_COMPARE(m_fixture->engine->modelState(), EngineClient::ModelState::Ready);
        m_fixture->choose({"q8", "q4"});
        QVERIFY(desk().inTurns());
        QVERIFY(desk().plan().contains(QStringLiteral("one after the other")));
        QCOMPARE(desk().chatModel(), QStringLiteral("Gemma 3 270M · Q4_K_M"));
        QCOMPARE(m_fixture->engine->modelState(), EngineClient::ModelState::Ready);
        desk().unloadChatModel();
        QTRY_VERIFY_WITH_TIMEOUT(desk().chatModel().isEmpty(), kHangMs);
    }

    void eachColumnGoesOnWithItsOwnHistory() {
        m_fixture->choose({"q8", "q4"});
        desk().setSeed(7);
        m_fixture->ask(QStringLiteral("first"));
        m_fixture->ask(QStringLiteral("second"));
        const AnswerRequest& request = m_fixture->script.requests.back();
        QCOMPARE(request.sampling.seed.value_or(0), uint64_t(7));
        QCOMPARE(request.prompts.size(), size_t(2));
        QCOMPARE(request.prompts[1].messages.size(), size_t(3));
        QCOMPARE(request.prompts[1].messages[1].content, std::string("The answer is number 1."));
        QCOMPARE(request.prompts[1].messages[2].content, std::string("second"));
        QVERIFY(m_fixture->answer(1)->difference().contains(QStringLiteral("the same for 4 word")));
    }

    void aStoppedTurnKeepsWhatWasSaidAndOneWithoutAWordLeavesNothing() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->script.holds = true;
        desk().run(QStringLiteral("x"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_fixture->answer(0)->text().isEmpty(), kHangMs);
        desk().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!desk().busy(), kHangMs);
        QCOMPARE(desk().rounds()->count(), 1);
        QVERIFY(m_fixture->answer(0)->isOver() && m_fixture->answer(1)->isOver());
        m_fixture->script.answers = {"", ""};
        desk().run(QStringLiteral("y"));
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->script.requests.size() == 2, kHangMs);
        desk().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!desk().busy(), kHangMs);
        QCOMPARE(desk().rounds()->count(), 1);
    }

    void aColumnThatFailsSaysWhyAndTheOthersStand() {
        m_fixture->script.answerProblem = "The model needs 9.7 GB and cpu has 7.9 GB free: 1.8 GB short. A context of 2048 tokens would fit.";
        m_fixture->choose({"q8", "q4"});
        m_fixture->ask(QStringLiteral("x"));
        QCOMPARE(m_fixture->answer(0)->state(), CompareAnswer::Done);
        QCOMPARE(m_fixture->answer(1)->state(), CompareAnswer::Failed);
        QVERIFY(m_fixture->answer(1)->problem().contains(QStringLiteral("1.8 GB short")));
    }

    void otherColumnsBeginAnotherComparisonAndTheFirstIsKept() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->ask(QStringLiteral("kept"));
        const qint64 first = desk().runId();
        desk().addColumn(CompareFixture::path("q2"));
        QCOMPARE(desk().rounds()->count(), 0);
        QCOMPARE(desk().runId(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(desk().runs()->count(), 1, kHangMs);
        desk().open(first);
        QTRY_COMPARE_WITH_TIMEOUT(desk().rounds()->count(), 1, kHangMs);
        QCOMPARE(desk().columns()->count(), 2);
        QCOMPARE(m_fixture->answer(1)->text(), QStringLiteral("The answer is number 1."));
        QCOMPARE(m_fixture->answer(1)->figures().size(), 4);
    }

    void aComparisonOutlivesTheProgramAndCanBeDeletedAndBroughtBack() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->ask(QStringLiteral("kept"));
        m_fixture->measure();
        QTRY_VERIFY_WITH_TIMEOUT(desk().runs()->count() == 1, kHangMs);
        QTest::qWait(50);
        m_fixture->stop();
        m_fixture->start();
        QTRY_COMPARE_WITH_TIMEOUT(desk().runs()->count(), 1, kHangMs);
        desk().open(desk().runs()->idAt(0));
        QTRY_VERIFY_WITH_TIMEOUT(desk().report()->hasQuality(), kHangMs);
        QCOMPARE(desk().title(), QStringLiteral("kept"));
        const qint64 id = desk().runId();
        desk().runs()->rename(id, QStringLiteral("mine"));
        QCOMPARE(desk().title(), QStringLiteral("mine"));
        QSignalSpy removed(desk().runs(), &RunList::removed);
        desk().runs()->remove(id);
        QTRY_COMPARE_WITH_TIMEOUT(desk().runs()->count(), 0, kHangMs);
        QCOMPARE(removed.size(), 1);
        desk().runs()->undoRemove(id);
        QTRY_COMPARE_WITH_TIMEOUT(desk().runs()->count(), 1, kHangMs);
        QCOMPARE(desk().runs()->title(id), QStringLiteral("mine"));
    }

    void aVoteCountsAgainstEachOfTheOthers() {
        m_fixture->choose({"q8", "q4", "q2"});
        desk().setBlind(true);
        m_fixture->ask(QStringLiteral("x"));
        QVERIFY(desk().votable());
        const QString winner = desk().columns()->fullName(desk().columns()->column(1));
        desk().vote(1);
        QVERIFY(!desk().columns()->hidden());
        QTRY_COMPARE_WITH_TIMEOUT(desk().votes()->count(), 2, kHangMs);
        for (const VoteCount& pair : desk().votes()->counts()) QCOMPARE(pair.first == winner ? pair.firstWins : pair.secondWins, 1);
        m_fixture->ask(QStringLiteral("y"));
        desk().vote(-1);
        QTRY_COMPARE_WITH_TIMEOUT(desk().votes()->count(), 3, kHangMs);
    }

    void theSameTextIsOfTheAnswerAndComesBack() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->ask(QStringLiteral("x"));
        desk().forceSameText(1, 0);
        QTRY_VERIFY_WITH_TIMEOUT(desk().sameText()->filled(), kHangMs);
        const SameTextRequest& request = m_fixture->script.sameTexts.back();
        QCOMPARE(request.answer, std::string("The answer is number 1."));
        QCOMPARE(request.idsColumn, size_t(1));
        const QString summary = desk().sameText()->tokenSummary(1, 3);
        SameTextView again;
        again.fromJson(desk().sameText()->toJson(), {"a", "b"});
        QCOMPARE(again.tokenSummary(1, 3), summary);
        QCOMPARE(again.alternatives(1, 3), desk().sameText()->alternatives(1, 3));
        QCOMPARE(SameTextView::klLevel(0.0099), 0);
        QCOMPARE(SameTextView::klLevel(0.6), 3);
        QCOMPARE(SameTextView::rankLevel(1), 0);
        QCOMPARE(SameTextView::rankLevel(11), 3);
    }

    void aTextThatIsTooShortIsRefusedInWords() {
        m_fixture->choose({"q8", "q4"});
        desk().report()->text()->setSource(MeasureText::Own);
        desk().report()->text()->setOwn(QStringLiteral("One."));
        desk().report()->setWanted(true);
        QTRY_VERIFY_WITH_TIMEOUT(desk().report()->planProblem().contains(QStringLiteral("Choose a longer text")), kHangMs);
        QVERIFY(!desk().report()->canMeasure());
    }

    void measuringIsCancelledAndFailsInWords() {
        m_fixture->choose({"q8", "q4"});
        desk().report()->setWanted(true);
        QTRY_VERIFY_WITH_TIMEOUT(desk().report()->canMeasure(), kHangMs);
        m_fixture->script.holds = true;
        desk().report()->measure();
        QTRY_VERIFY_WITH_TIMEOUT(desk().report()->fraction() > 0, kHangMs);
        QVERIFY(!desk().canRun());
        desk().report()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!desk().report()->measuring(), kHangMs);
        QVERIFY(desk().report()->problem().contains(QStringLiteral("cancelled")));
        QVERIFY(!desk().report()->hasQuality());
        m_fixture->script.holds = false;
        m_fixture->measure();
        QVERIFY(desk().report()->hasQuality());
        QCOMPARE(int(m_fixture->script.speeds), 1);
    }

    void aLevelThatCannotBeMadeSaysWhyAndACancelStaysQuiet() {
        m_fixture->choose({"q8"});
        QSignalSpy failed(&desk(), &CompareDesk::failed);
        m_fixture->script.makeProblem = "The disk is full.";
        desk().maker()->look(CompareFixture::path("q4"));
        QTRY_VERIFY_WITH_TIMEOUT(!desk().maker()->levels().isEmpty(), kHangMs);
        QCOMPARE(desk().maker()->source(), CompareFixture::path("q8")); // the best of the model
        desk().maker()->make({"IQ2_XS"});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kHangMs);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("The disk is full.")));
        m_fixture->script.holds = true;
        desk().maker()->make({"Q8_0", "IQ2_XS"});
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->script.made.size(), size_t(2), kHangMs);
        desk().maker()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!desk().maker()->making(), kHangMs);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(m_fixture->script.made.size(), size_t(2)); // what waited was not begun
    }

    void theProgramEndsWhileAllOfItRuns() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->script.holds = true;
        desk().maker()->look(CompareFixture::path("q8"));
        QTRY_VERIFY_WITH_TIMEOUT(!desk().maker()->levels().isEmpty(), kHangMs);
        desk().maker()->make({"IQ2_XS"});
        desk().run(QStringLiteral("x"));
        QTRY_VERIFY_WITH_TIMEOUT(desk().answering() && desk().maker()->making(), kHangMs);
        m_fixture->stop(); // neither hangs nor speaks to what is gone
    }
};

QTEST_MAIN(TestCompareDesk)
#include "test_compare_desk.moc"
