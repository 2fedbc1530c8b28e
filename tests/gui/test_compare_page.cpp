// The Compare page as a person uses it. Pictures of it in both themes are left in the folder "screenshots" beside the test.
#include "tests/gui/compare_fixture.h"

#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QQmlApplicationEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QTranslator>

using namespace steelyard;

namespace {

const char* const kWindow = R"(
import QtQuick
import QtQuick.Window
import Steelyard.Compare
import Steelyard.Theme

Window {
    id: window
    required property CompareDesk desk
    property bool libraryAsked: false
    property alias scheme: schemeOf.value
    property alias scale: scaleOf.value
    width: 1180; height: 720; visible: true
    color: Theme.window
    Binding { id: schemeOf; target: Theme; property: "scheme"; value: "light" }
    Binding { id: scaleOf; target: Theme; property: "textScale"; value: 1 }
    Binding { target: Theme; property: "reducedMotion"; value: true }
    ComparePage { objectName: "page"; anchors.fill: parent; focus: true; desk: window.desk; onLibraryWanted: window.libraryAsked = true }
}
)";

} // namespace

class TestComparePage : public QObject {
    Q_OBJECT

    std::unique_ptr<CompareFixture> m_fixture;
    std::unique_ptr<QQmlApplicationEngine> m_qml;
    QQuickWindow* m_window = nullptr;

    CompareDesk& desk() { return *m_fixture->desk; }
    QQuickItem* page() { return m_window->findChild<QQuickItem*>(QStringLiteral("page")); }
    static void collect(QQuickItem* item, QVector<QQuickItem*>& items) {
        if (!item->isVisible()) return;
        items.append(item);
        for (QQuickItem* child : item->childItems()) collect(child, items);
    }
    QQuickItem* find(const std::function<bool(QQuickItem*)>& wanted) {
        QVector<QQuickItem*> items;
        collect(m_window->contentItem(), items);
        const auto found = std::find_if(items.begin(), items.end(), wanted);
        return found == items.end() ? nullptr : *found;
    }
    QQuickItem* named(const QString& name) {
        return find([&](QQuickItem* item) { return item->objectName() == name; });
    }
    bool shows(const QString& part) {
        return find([&](QQuickItem* item) { return item->property("text").toString().contains(part); }) != nullptr;
    }
    void click(QQuickItem* item) {
        QVERIFY(item);
        QTest::mouseClick(m_window, Qt::LeftButton, {}, item->mapToScene({item->width() / 2, item->height() / 2}).toPoint());
    }
    void press(const QString& text) {
        QTRY_VERIFY2_WITH_TIMEOUT(find([&](QQuickItem* item) { return item->property("text").toString() == text && item->inherits("QQuickAbstractButton"); }), qPrintable(text), kHangMs);
        QTest::qWait(60); // where it stands is settled
        click(find([&](QQuickItem* item) { return item->property("text").toString() == text && item->inherits("QQuickAbstractButton"); }));
    }
    void picture(const QString& name) {
        QTest::qWait(80);
        QDir().mkpath(QStringLiteral("screenshots"));
        m_window->grabWindow().save(QStringLiteral("screenshots/compare-%1.png").arg(name));
    }

private slots:
    void init() {
        m_fixture = std::make_unique<CompareFixture>();
        m_qml = std::make_unique<QQmlApplicationEngine>();
        m_qml->addImportPath(QStringLiteral("qrc:/"));
        m_qml->setInitialProperties({{QStringLiteral("desk"), QVariant::fromValue(m_fixture->desk.get())}});
        m_qml->loadData(kWindow, QUrl(QStringLiteral("qrc:/test/Window.qml")));
        QVERIFY(!m_qml->rootObjects().isEmpty());
        m_window = qobject_cast<QQuickWindow*>(m_qml->rootObjects().first());
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
    }
    void cleanup() {
        m_qml.reset();
        m_fixture.reset();
    }

    void anEmptyPageSaysWhatToDoAndColumnsAreChosen() {
        QVERIFY(shows(QStringLiteral("Which quantization is good enough?")));
        picture(QStringLiteral("empty-light"));
        press(QStringLiteral("Choose columns"));
        QTRY_VERIFY(named(QStringLiteral("pickerList")));
        QTRY_VERIFY(shows(QStringLiteral("0 of 4 chosen")));
        press(QStringLiteral("Q8_0"));
        press(QStringLiteral("Q4_0"));
        QVERIFY(shows(QStringLiteral("2 of 4 chosen")));
        picture(QStringLiteral("picker-light"));
        press(QStringLiteral("Compare"));
        QTRY_COMPARE(desk().columns()->names(), (QStringList{"Q8_0", "Q4_0"}));
        QTRY_VERIFY(shows(QStringLiteral("All fit into memory together")));
    }

    void onePromptGoesToAllAndDifferencesAreMarked() {
        m_fixture->script.answers = {"A KV cache keeps the keys and values of all tokens that were read.", "A KV cache keeps the keys of tokens that were read, so nothing is computed twice."};
        m_fixture->choose({"q8", "q4"});
        QTRY_VERIFY(named(QStringLiteral("comparePrompt")));
        QTest::qWait(50);
        click(named(QStringLiteral("comparePrompt")));
        for (const char c : std::string("What is a KV cache?")) QTest::keyClick(m_window, c);
        QTest::keyClick(m_window, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!desk().busy() && desk().rounds()->count() == 1, kHangMs);
        QTRY_VERIFY(shows(QStringLiteral("the same for 6 word")));
        QVERIFY(shows(QStringLiteral("tok/s")));
        picture(QStringLiteral("answers-light"));
        m_window->setProperty("scheme", QStringLiteral("dark"));
        picture(QStringLiteral("answers-dark"));
    }

    void escStopsAndWhatWasSaidStays() {
        m_fixture->choose({"q8", "q4"});
        m_fixture->script.holds = true;
        desk().run(QStringLiteral("Go on"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(QStringLiteral("number 0.")), kHangMs);
        picture(QStringLiteral("running-light"));
        QTest::keyClick(m_window, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!desk().busy(), kHangMs);
        QCOMPARE(desk().rounds()->count(), 1);
        QVERIFY(shows(QStringLiteral("stopped")));
    }

    void namesAreHiddenUntilTheVote() {
        m_fixture->choose({"q8", "q4", "q2"});
        QTRY_VERIFY(named(QStringLiteral("blindSwitch")));
        click(named(QStringLiteral("blindSwitch")));
        QTRY_VERIFY(desk().blind());
        m_fixture->ask(QStringLiteral("Which one is it?"));
        QTRY_VERIFY(named(QStringLiteral("vote0")));
        for (const char* told : {"Q8_0", "Q4_0", "Q2_K", "tok/s", "weights"}) QVERIFY2(!shows(QString::fromLatin1(told)), told);
        picture(QStringLiteral("blind-light"));
        click(named(QStringLiteral("vote0")));
        QTRY_VERIFY(shows(QStringLiteral("Counted for")));
        QVERIFY(shows(QStringLiteral("Q8_0")) && !named(QStringLiteral("vote0")));
        QTRY_COMPARE(desk().votes()->count(), 2);
        press(QStringLiteral("Votes"));
        QTRY_VERIFY(named(QStringLiteral("voteList")));
        QTRY_VERIFY(shows(QStringLiteral("preferred in 1 of 1 votes")));
        picture(QStringLiteral("votes-light"));
    }

    void theSameTextIsTintedAndReadByKeys() {
        m_fixture->choose({"q8", "q4", "q2"});
        m_fixture->ask(QStringLiteral("What is it?"));
        page()->setProperty("tab", 1);
        QTRY_VERIFY(named(QStringLiteral("forceSameText")));
        QTest::qWait(50);
        click(named(QStringLiteral("forceSameText")));
        QTRY_VERIFY_WITH_TIMEOUT(named(QStringLiteral("sameTextTokens")), kHangMs);
        named(QStringLiteral("sameTextTokens"))->forceActiveFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(m_window, Qt::Key_Right);
        QTRY_VERIFY(shows(QStringLiteral("“ number”  Q4_0")));
        QVERIFY(shows(QStringLiteral("0.26 nats")));
        picture(QStringLiteral("same-text-light"));
        m_window->setProperty("scheme", QStringLiteral("dark"));
        picture(QStringLiteral("same-text-dark"));
    }

    void theReportIsMeasuredDrawnAndReadable() {
        m_fixture->choose({"q8", "q4m", "q4", "q2"});
        page()->setProperty("tab", 2);
        QTRY_VERIFY_WITH_TIMEOUT(desk().report()->canMeasure(), kHangMs);
        m_fixture->script.holds = true;
        QTest::qWait(60);
        click(named(QStringLiteral("measureButton")));
        QTRY_VERIFY_WITH_TIMEOUT(shows(QStringLiteral("reads window 3 of 8 · about 1 min 15 s left")), kHangMs);
        picture(QStringLiteral("measuring-light"));
        m_fixture->script.holds = false;
        QTRY_VERIFY_WITH_TIMEOUT(shows(QStringLiteral("Verdict")), kHangMs);
        QVERIFY(shows(QStringLiteral("Same first choice")) && shows(QStringLiteral("reference")));
        m_window->resize(1180, 1500);
        picture(QStringLiteral("report-light"));
        m_window->setProperty("scheme", QStringLiteral("dark"));
        picture(QStringLiteral("report-dark"));
    }

    void aLevelIsMadeFromABetterOne() {
        m_fixture->choose({"q8"});
        QVERIFY(QMetaObject::invokeMethod(page(), "startSearch"));
        press(QStringLiteral("Make another level of SmolLM2 135M"));
        QTRY_VERIFY(named(QStringLiteral("levelIQ2_XS")));
        QVERIFY(shows(QStringLiteral("Q8_0 is itself quantized")));
        QVERIFY(!named(QStringLiteral("levelQ4_0"))->isEnabled()); // it is there
        click(named(QStringLiteral("levelIQ2_XS")));
        QTRY_VERIFY(shows(QStringLiteral("Make 1 level")));
        picture(QStringLiteral("levels-light"));
        click(named(QStringLiteral("makeLevels")));
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->script.made.size() == 1 && !desk().maker()->making(), kHangMs);
        QCOMPARE(m_fixture->script.made.front().type, std::string("IQ2_XS"));
        QTRY_VERIFY(shows(QStringLiteral("is made.")));
    }

    void itFitsTheSmallestWindowInRussian() {
        QTranslator russian;
        QVERIFY(russian.load(QStringLiteral(STEELYARD_RUSSIAN)));
        QLocale::setDefault(QLocale(QLocale::Russian));
        QCoreApplication::installTranslator(&russian);
        m_qml->retranslate();
        m_fixture->choose({"q8", "q4m", "q4", "q2"});
        m_fixture->ask(QStringLiteral("Что такое кэш KV?"));
        m_window->resize(884, 592); // what the rail and the strip leave of 960 x 640
        picture(QStringLiteral("small-russian"));
        m_window->setProperty("scale", 1.25);
        picture(QStringLiteral("small-russian-125"));
        page()->setProperty("tab", 2);
        m_fixture->measure();
        picture(QStringLiteral("report-russian-125"));
        QCoreApplication::removeTranslator(&russian);
        QLocale::setDefault(QLocale::c());
    }
};

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software"); // pictures need no graphics card
    QLocale::setDefault(QLocale::c());
    QGuiApplication application(argc, argv);
    TestComparePage test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_compare_page.moc"
