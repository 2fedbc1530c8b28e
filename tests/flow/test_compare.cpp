// Levels are made and compared: the real window, store and engine, a small model. The steps build on each other.
#include "tests/flow/story.h"

#include <QFileInfo>
#include <QRegularExpression>

using namespace steelyard;

namespace {

// Some hundred tokens: enough for a few short windows.
const QString kText = QStringLiteral(
    "The old lighthouse stood on a rock at the mouth of the river. Every evening the keeper climbed the stairs, lit the lamp and wrote the "
    "weather into a thick book. Ships came from the north with timber and from the south with fruit, and all of them waited for the light "
    "before they turned into the harbour. One winter the lamp went out in the middle of a storm. The keeper took a lantern, tied it to a pole "
    "and held it out of the window until the morning, and no ship was lost that night. Since then the people of the town bring him bread and "
    "cheese on the first day of every month, and he tells the children which stars they can see above the sea.");

} // namespace

class TestCompare : public Story {
    Q_OBJECT

    bool m_failed = false;
    QString m_reportJson, m_firstAnswer;

    CompareDesk& compare() { return *m_program->compare(); }
    void openPage() {
        QTest::keyClick(m_program->window(), Qt::Key_3, Qt::ControlModifier);
        QTRY_COMPARE(m_program->window()->property("page").toString(), QStringLiteral("compare"));
        compare().report()->setSpeedRequest({32, 8, 1, 0});
    }
    void clickWhenThere(const char* name) {
        QTRY_VERIFY2_WITH_TIMEOUT(item(name) && item(name)->isEnabled(), name, 60000);
        QTest::qWait(100); // where it stands is settled
        click(name);
    }
    void askAll(const QString& prompt) {
        const int before = compare().rounds()->count();
        clickWhenThere("comparePrompt");
        for (const QChar c : prompt) QTest::keyClick(m_program->window(), c.toLatin1());
        QTRY_COMPARE(item("comparePrompt")->property("text").toString(), prompt);
        QTest::keyClick(m_program->window(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(compare().rounds()->count(), before + 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!compare().busy(), kLongMs);
        QVERIFY2(compare().problem().isEmpty(), qPrintable(compare().problem()));
    }
    void showTab(int tab) {
        QQuickItem* tabs = item("compareTabs");
        QVERIFY(tabs);
        QVERIFY(QMetaObject::invokeMethod(tabs, "chosen", Q_ARG(int, tab)));
    }
    double klOf(const QString& level) {
        for (const ReportColumn& column : compare().report()->report().columns)
            if (column.quantization == level.toStdString() && column.quality) return column.quality->meanKl;
        return -1;
    }

public:
    TestCompare() : Story("compare") {}

private slots:
    void initTestCase() {
        if (!hasModel()) QSKIP("SmolLM2 is not in STEELYARD_MODEL_CACHE");
        takeModel();
        startProgram();
        QTRY_VERIFY_WITH_TIMEOUT(session().modelPath().endsWith(kModelFile), 30000);
        openPage();
    }
    void init() {
        if (m_failed) QSKIP("a step before this one failed");
    }
    void cleanup() { m_failed = m_failed || QTest::currentTestFailed(); }
    void cleanupTestCase() { m_program.reset(); }

    void threeLevelsAreMade() {
        picture("empty");
        QVERIFY(QMetaObject::invokeMethod(item("comparePage"), "startSearch"));
        clickWhenThere("makeFromQ4_1");
        QTRY_VERIFY_WITH_TIMEOUT(item("levelQ8_0"), 60000);
        QVERIFY(item("levelWarning")->property("text").toString().contains(QStringLiteral("itself quantized")));
        compare().maker()->make({"Q8_0", "Q4_0", "Q2_K"});
        picture("making");
        QTRY_VERIFY_WITH_TIMEOUT(!compare().maker()->making(), kLongMs);
        QTRY_COMPARE_WITH_TIMEOUT(compare().columns()->count(), 3, 60000); // the library found them, and they are columns
        while (item("levelList") || item("pickerList")) { // both sheets are left by Esc
            QTest::keyClick(m_program->window(), Qt::Key_Escape);
            QTest::qWait(300);
        }
        QTRY_VERIFY_WITH_TIMEOUT(compare().canRun(), 30000);
        picture("columns");
        QCOMPARE(compare().columns()->names(), (QStringList{"Q8_0", "Q4_0", "Q2_K"}));
    }

    void onePromptGoesToAll() {
        compare().setLimit(24);
        askAll(QStringLiteral("What is the capital of France?"));
        if (QTest::currentTestFailed()) return;
        for (int column = 0; column < 3; ++column) {
            QVERIFY(!compare().rounds()->last(column)->text().isEmpty());
            QVERIFY(compare().rounds()->last(column)->figures().size() >= 4);
        }
        m_firstAnswer = compare().rounds()->last(0)->text();
        QTRY_VERIFY_WITH_TIMEOUT(compare().runId() != 0, 30000);
        picture("answers_light");
        askAll(QStringLiteral("And of Italy?")); // each goes on with its own history
        m_program->settings()->set("theme", "dark");
        picture("answers_dark");
        m_program->settings()->set("theme", "light");
    }

    void theSameTextGoesThroughAll() {
        showTab(1);
        clickWhenThere("forceSameText");
        QTRY_VERIFY_WITH_TIMEOUT(compare().sameText()->filled() && !compare().busy(), kLongMs);
        const QVariantList columns = compare().sameText()->columns();
        QCOMPARE(columns.size(), 3);
        QVERIFY(compare().sameText()->sameTokens());
        QVERIFY(columns[1].toMap()["tokens"].toList().size() > 2);
        picture("same_text_light");
    }

    void theReportPutsThemInOrder() {
        showTab(2);
        compare().report()->text()->setSource(MeasureText::Own);
        compare().report()->text()->setOwn(kText);
        compare().report()->setWindow(32);
        clickWhenThere("measureButton");
        QTRY_VERIFY_WITH_TIMEOUT(compare().report()->measuring(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!compare().report()->measuring(), kLongMs);
        QVERIFY2(compare().report()->problem().isEmpty(), qPrintable(compare().report()->problem()));
        const double q8 = klOf("Q8_0"), q4 = klOf("Q4_0"), q2 = klOf("Q2_K");
        QVERIFY2(q8 >= 0 && q8 < q4 && q4 < q2, qPrintable(QStringLiteral("%1 %2 %3").arg(q8).arg(q4).arg(q2)));
        QVERIFY(compare().report()->referenceQuantized());
        QVERIFY(!compare().report()->verdict().isEmpty());
        QCOMPARE(compare().report()->qualityPoints().size(), 3);
        QCOMPARE(compare().report()->speedPoints().size(), 3);
        picture("report_light");
        m_reportJson = compare().report()->toJson();
    }

    void aVoteIsCastBlind() {
        showTab(0);
        clickWhenThere("blindSwitch");
        QTRY_VERIFY(compare().blind());
        askAll(QStringLiteral("Name a colour."));
        QVERIFY(compare().columns()->hidden());
        QCOMPARE(compare().columns()->names(), (QStringList{"A", "B", "C"}));
        picture("blind_light");
        clickWhenThere("vote1");
        QTRY_VERIFY(!compare().columns()->hidden());
        QTRY_COMPARE_WITH_TIMEOUT(compare().votes()->count(), 2, 30000);
    }

    void allOfItIsThereAfterARestart() {
        QTest::qWait(300); // the last turn is stored
        m_program.reset();
        startProgram("runsButton");
        QTRY_COMPARE_WITH_TIMEOUT(compare().runs()->count(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(compare().votes()->count(), 2, 30000);
        QCOMPARE(compare().columns()->count(), 0);
        clickWhenThere("runsButton");
        clickWhenThere("run0");
        QTRY_COMPARE_WITH_TIMEOUT(compare().rounds()->count(), 3, 30000);
        QCOMPARE(compare().rounds()->answer(0, 0)->text(), m_firstAnswer);
        QCOMPARE(compare().title(), QStringLiteral("What is the capital of France?"));
        QVERIFY(compare().report()->hasQuality() && compare().sameText()->filled() == false); // a later turn has no same text
        QVERIFY(klOf("Q2_K") > klOf("Q4_0"));
        QTRY_VERIFY_WITH_TIMEOUT(compare().canRun(), 30000);
        picture("reopened_light");
    }

    void theReportIsWrittenToFiles() {
        for (const char* ending : {"md", "csv", "json", "png", "svg"}) {
            const QString file = m_folder->filePath(QStringLiteral("report.%1").arg(QLatin1String(ending)));
            compare().report()->exportTo(QUrl::fromLocalFile(file), false);
            QVERIFY2(QFileInfo(file).size() > 200, ending);
        }
    }

    void russianDarkAndLargeLooksRight() {
        m_program->settings()->set("language", "ru");
        m_program->settings()->set("theme", "dark");
        m_program->settings()->set("textScale", 125);
        m_program->window()->resize(960, 640);
        QTest::qWait(100);
        picture("answers_russian_dark");
        showTab(2);
        QTRY_VERIFY(item("verdict0"));
        QVERIFY(item("verdict0")->property("text").toString().contains(QRegularExpression(QStringLiteral("[а-я]"))));
        picture("report_russian_dark");
    }
};

int main(int argc, char** argv) { return tell<TestCompare>(argc, argv); }

#include "test_compare.moc"
