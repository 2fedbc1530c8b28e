// The window opens over a scripted engine: its places, its shortcuts, what it remembers, its languages, and that everything in it
// can be named by a screen reader.

#include "gui/shell/program.h"
#include "tests/gui/fake_comparison.h"
#include "tests/gui/fake_engine.h"

#include <QAccessible>
#include <QDir>
#include <QLocale>
#include <QQuickItem>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

#include <algorithm>
#include <memory>

using namespace steelyard;

namespace {

// Everything shown below an item, and what floats above the window.
void collect(QQuickItem* item, QList<QQuickItem*>& all) {
    if (!item->isVisible()) return;
    all << item;
    for (QQuickItem* child : item->childItems()) collect(child, all);
}

QStringList g_warnings;
QtMessageHandler g_before = nullptr;

void gather(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (type == QtWarningMsg && (text.contains(".qml") || text.contains("Binding loop"))) g_warnings << text;
    g_before(type, context, text);
}

} // namespace

class TestShell : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { g_before = qInstallMessageHandler(gather); }
    void init();
    void cleanup();
    void opensWithoutAnyModel();
    void everyPlaceOpensByItsShortcut();
    void everyControlHasAName_data();
    void everyControlHasAName();
    void nothingIsCutInRussianAtTheSmallestSize();
    void languageChangesAtOnce();
    void numbersFollowTheLanguage();
    void panelsAreMadeWiderAndStaySo();
    void aSearchOfTheSettingsLeavesRowsOutInSilence();
    void themeAndTextSizeFollowTheSettings();
    void remembersPlaceAndPage();
    void offScreenPlacesAreNotRestored();
    void readOnlyFolderIsSaid();
    void helpAndMemoryOpenAndCloseByKeyboard();
    void whatDoesNotFitIsHelpedByOneClick();
    void filesOfASecondStartGoToTheLibrary();
    void chatsAreKeptWhereTheSettingsSay();

private:
    void open();
    QList<QQuickItem*> shown() const;
    QQuickItem* item(const QString& name) const {
        for (QQuickItem* item : shown())
            if (item->objectName() == name) return item;
        return nullptr;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(m_program->window(), key, modifiers); }
    void picture(const QString& name) const {
        if (const QString folder = qEnvironmentVariable("STEELYARD_TEST_ARTEFACTS"); !folder.isEmpty())
            m_program->window()->grabWindow().save(folder + "/shell_" + name + ".png");
    }
    QString page() const { return m_program->window()->property("page").toString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    FakeEngine::Script m_script;
    FakeComparison::Script m_comparison;
    std::unique_ptr<Program> m_program;
};

void TestShell::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_script = {};
    g_warnings.clear();
}

void TestShell::cleanup() {
    m_program.reset();
    QVERIFY2(g_warnings.isEmpty(), qPrintable(g_warnings.join('\n')));
}

void TestShell::open() {
    m_program = std::make_unique<Program>(m_folder->path(), m_folder->filePath("log"), Program::Engines{[this](LogSink) { return FakeEngine::factory(m_script); }, [this](LogSink) { return FakeComparison::factory(m_comparison); }});
    QSignalSpy opened(m_program.get(), &Program::windowOpened);
    m_program->start({});
    QVERIFY(opened.count() > 0 || opened.wait(20000));
    QVERIFY(m_program->window());
    m_program->window()->requestActivate();
    QVERIFY(QTest::qWaitForWindowActive(m_program->window(), 20000));
}

QList<QQuickItem*> TestShell::shown() const {
    QList<QQuickItem*> all;
    collect(m_program->window()->contentItem(), all);
    return all;
}

void TestShell::opensWithoutAnyModel() {
    open();
    QCOMPARE(page(), QString("chat"));
    QVERIFY(m_script.loads.empty());
    QVERIFY(m_program->window()->minimumWidth() == 960 && m_program->window()->minimumHeight() == 640);
}

void TestShell::everyPlaceOpensByItsShortcut() {
    open();
    press(Qt::Key_2, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("library"));
    press(Qt::Key_4, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("settings"));
    press(Qt::Key_1, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("chat"));
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("settings"));
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("chat"));
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(m_program->window()->activeFocusItem());
}

void TestShell::everyControlHasAName_data() {
    QTest::addColumn<QString>("key");
    for (const QString key : {"chat", "library", "settings"}) QTest::newRow(qPrintable(key)) << key;
}

void TestShell::everyControlHasAName() {
    QFETCH(QString, key);
    open();
    QMetaObject::invokeMethod(m_program->window(), "open", Q_ARG(QString, key));
    QTRY_COMPARE(page(), key);
    QTest::qWait(50);
    int controls = 0;
    QStringList nameless;
    for (QQuickItem* item : shown()) {
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(item);
        if (!accessible || !accessible->isValid()) continue;
        const QAccessible::Role role = accessible->role();
        const bool isControl = role == QAccessible::Button || role == QAccessible::EditableText || role == QAccessible::ComboBox ||
                               role == QAccessible::CheckBox || role == QAccessible::Slider || role == QAccessible::PageTab;
        if (!isControl && !item->activeFocusOnTab()) continue;
        ++controls;
        if (accessible->text(QAccessible::Name).trimmed().isEmpty())
            nameless << QString("%1 in %2").arg(item->metaObject()->className(), item->parentItem()->metaObject()->className());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    QVERIFY(controls >= 5);
}

// A text that is cut must end in an ellipsis and say itself whole: a Text that is wider than its place and does not elide is wrong.
void TestShell::nothingIsCutInRussianAtTheSmallestSize() {
    open();
    m_program->settings()->set("language", "ru");
    m_program->window()->resize(960, 640);
    QStringList cut;
    for (const auto& [key, percent] : {std::pair(QString("chat"), 100), {"chat", 125}, {"library", 100}, {"library", 125}, {"settings", 100}, {"settings", 125}}) {
        m_program->settings()->set("textScale", percent);
        QMetaObject::invokeMethod(m_program->window(), "open", Q_ARG(QString, key));
        QTRY_COMPARE(page(), key);
        QTest::qWait(50);
        picture(QStringLiteral("russian_%1_%2").arg(key).arg(percent));
        for (QQuickItem* item : shown()) {
            if (!item->inherits("QQuickText") || item->width() <= 0) continue;
            const bool elides = item->property("elide").toInt() != Qt::ElideNone || item->property("wrapMode").toInt() != 0;
            const double right = item->mapToScene(QPointF(item->implicitWidth(), 0)).x();
            if (!elides && (item->implicitWidth() > item->width() + 1 || right > 961)) cut << key + ": " + item->property("text").toString();
        }
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
}

void TestShell::languageChangesAtOnce() {
    open();
    m_program->settings()->set("language", "en");
    const auto railNames = [this] {
        QStringList names;
        for (QQuickItem* item : shown()) {
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(item);
            if (accessible && accessible->role() == QAccessible::PageTab) names << accessible->text(QAccessible::Name);
        }
        return names;
    };
    QTRY_COMPARE(railNames(), (QStringList{"Chat", "Library", "Compare", "Settings"}));
    m_program->settings()->set("language", "ru");
    QTRY_COMPARE(railNames(), (QStringList{QStringLiteral("Чат"), QStringLiteral("Библиотека"), QStringLiteral("Сравнение"), QStringLiteral("Настройки")}));
}

void TestShell::numbersFollowTheLanguage() {
    open();
    m_program->settings()->set("language", "en");
    const auto temperature = [this] {
        QList<QQuickItem*> parts;
        if (QQuickItem* slider = item("temperature")) collect(slider, parts);
        for (const QQuickItem* part : parts)
            if (part->inherits("QQuickTextInput")) return part->property("text").toString();
        return QString();
    };
    QTRY_COMPARE(temperature(), QString("0.80"));
    m_program->settings()->set("language", "ru");
    QTRY_COMPARE(temperature(), QString("0,80"));
    m_program->desk()->session()->setReplyLimit(12345);
    QList<QQuickItem*> parts;
    collect(item("replyLimit"), parts);
    const auto isField = [](const QQuickItem* part) { return part->inherits("QQuickTextInput"); };
    const auto field = std::find_if(parts.cbegin(), parts.cend(), isField);
    QVERIFY(field != parts.cend());
    QTRY_COMPARE((*field)->property("text").toString(), QLocale(QLocale::Russian).toString(12345));
}

// Rows go and come back while their bindings live; cleanup() looks for what they complain of.
void TestShell::aSearchOfTheSettingsLeavesRowsOutInSilence() {
    open();
    press(Qt::Key_4, Qt::ControlModifier);
    QTRY_COMPARE(page(), QString("settings"));
    QTest::qWait(50);
    press(Qt::Key_K, Qt::ControlModifier);
    for (const char letter : {'t', 'h', 'e', 'm', 'q'}) QTest::keyClick(m_program->window(), letter);
    QTest::qWait(50);
    for (int i = 0; i < 5; ++i) press(Qt::Key_Backspace);
    QTest::qWait(50);
}

// By the pointer within limits, by the keyboard, and still so at the next start.
void TestShell::panelsAreMadeWiderAndStaySo() {
    open();
    m_program->window()->resize(1400, 800);
    const auto drag = [this](const QString& name, int distance) {
        QQuickItem* edge = item(name);
        QVERIFY(edge);
        const QPoint from = edge->mapToScene(QPointF(edge->width() / 2, 300)).toPoint();
        QTest::mousePress(m_program->window(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step) QTest::mouseMove(m_program->window(), from + QPoint(distance * step / 4, 0));
        QTest::mouseRelease(m_program->window(), Qt::LeftButton, {}, from + QPoint(distance, 0));
    };
    const auto width = [this](const char* key) { return m_program->settings()->value(key).toInt(); };
    QTRY_VERIFY(item("sidebarEdge") && item("inspectorEdge"));
    QTest::qWait(50);
    drag("sidebarEdge", 60);
    QTRY_COMPARE(width("window.sidebarWidth"), 320);
    drag("inspectorEdge", -40);
    QTRY_COMPARE(width("window.inspectorWidth"), 328);
    drag("sidebarEdge", -500);
    QTRY_COMPARE(width("window.sidebarWidth"), 200);
    item("sidebarEdge")->forceActiveFocus();
    press(Qt::Key_Right);
    QTRY_COMPARE(width("window.sidebarWidth"), 216);
    m_program.reset();
    open();
    QTRY_COMPARE(width("window.inspectorWidth"), 328);
    QTRY_VERIFY(item("sidebarEdge"));
    QTRY_COMPARE(item("sidebarEdge")->property("value").toInt(), 216);
}

void TestShell::themeAndTextSizeFollowTheSettings() {
    open();
    m_program->settings()->set("theme", "light");
    QTRY_COMPARE(m_program->window()->color(), QColor("#F7F7F5"));
    m_program->settings()->set("theme", "dark");
    QTRY_COMPARE(m_program->window()->color(), QColor("#161718"));
    for (const int percent : {80, 200}) {
        m_program->settings()->set("textScale", percent);
        QTest::qWait(50);
        QVERIFY(m_program->window()->isVisible());
    }
}

void TestShell::remembersPlaceAndPage() {
    open();
    m_program->window()->setGeometry(30, 40, 1010, 700);
    QMetaObject::invokeMethod(m_program->window(), "open", Q_ARG(QString, "settings"));
    QTRY_VERIFY(m_program->settings()->value("window.geometry").toString().contains("1010 700"));
    m_program.reset();
    open();
    QCOMPARE(page(), QString("settings"));
    QTRY_COMPARE(m_program->window()->size(), QSize(1010, 700));
}

void TestShell::offScreenPlacesAreNotRestored() {
    open();
    m_program->settings()->set("window.geometry", "90000 90000 1010 700 0");
    m_program.reset();
    open();
    QVERIFY(m_program->window()->x() < 90000);
    QCOMPARE(m_program->window()->size(), QSize(1280, 800));
}

void TestShell::readOnlyFolderIsSaid() {
    // A file where the folder should be: even one who may write anywhere cannot write there.
    const QString path = m_folder->filePath("file");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    m_program = std::make_unique<Program>(path, m_folder->filePath("log"), Program::Engines{[this](LogSink) { return FakeEngine::factory(m_script); }, [this](LogSink) { return FakeComparison::factory(m_comparison); }});
    QSignalSpy opened(m_program.get(), &Program::windowOpened);
    m_program->start({});
    QVERIFY(opened.count() > 0 || opened.wait(20000));
    QTRY_VERIFY(!m_program->problems()->problems().isEmpty());
    const auto text = [this] { return m_program->problems()->problems().constFirst().text; };
    QVERIFY(!text().isEmpty());
    m_program->settings()->set("language", "ru"); // said before the language was known, and yet in it
    QTRY_VERIFY(text().contains(QRegularExpression("[а-я]{4}")));
    QVERIFY2(!text().remove(path).contains(QRegularExpression("[A-Za-z]{2}")), qPrintable(text()));
}

void TestShell::helpAndMemoryOpenAndCloseByKeyboard() {
    open();
    const auto sheets = [this] {
        int count = 0;
        for (QQuickItem* item : shown()) {
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(item);
            count += accessible && accessible->role() == QAccessible::Dialog;
        }
        return count;
    };
    QCOMPARE(sheets(), 0);
    press(Qt::Key_F1);
    QTRY_COMPARE(sheets(), 1);
    press(Qt::Key_Escape);
    QTRY_COMPARE(sheets(), 0);
    press(Qt::Key_M, Qt::ControlModifier);
    QTRY_COMPARE(sheets(), 1);
    press(Qt::Key_Escape);
    QTRY_COMPARE(sheets(), 0);
}

void TestShell::whatDoesNotFitIsHelpedByOneClick() {
    constexpr uint32_t kLimit = 2048;
    m_script.plan = [](const LoadRequest& request) {
        MemoryPlan plan;
        plan.deviceId = "cpu";
        plan.contextLength = request.contextLength > 0 ? request.contextLength : 4096;
        plan.contextLimit = kLimit;
        plan.weightsBytes = plan.totalBytes = 5'000'000'000;
        plan.missingBytes = 1'800'000'000;
        plan.fit = plan.contextLength > kLimit ? MemoryPlan::Fit::WillNotFit : MemoryPlan::Fit::Fits;
        return plan;
    };
    QVERIFY(QDir(m_folder->path()).mkpath("models"));
    QFile file(m_folder->filePath("models/large.gguf"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("GGUF") == 4);
    file.close();
    open();
    QTRY_COMPARE(m_program->memory()->prediction(), MemoryModel::Prediction::WillNotFit);
    QTRY_VERIFY(item("remedyButton"));
    QTest::qWait(50);
    QCOMPARE(item("remedyButton")->property("text").toString(), QStringLiteral("Shorten context to %1 · fits").arg(QLocale().toString(kLimit)));
    picture("will_not_fit");
    QQuickItem* button = item("remedyButton");
    QTest::mouseClick(m_program->window(), Qt::LeftButton, {}, button->mapToScene(QPointF(button->width() / 2, button->height() / 2)).toPoint());
    QTRY_COMPARE(m_program->desk()->session()->contextLength(), int(kLimit));
    QTRY_COMPARE(m_program->memory()->prediction(), MemoryModel::Prediction::Fits);
    QTRY_VERIFY(!item("remedyButton"));
}

void TestShell::filesOfASecondStartGoToTheLibrary() {
    open();
    const QString path = m_folder->filePath("a model.gguf");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("GGUF") == 4);
    file.close();
    m_program->comeForward({path});
    QCOMPARE(page(), QString("library"));
    QTRY_COMPARE(m_program->library()->models()->rowCount(), 1);
}

void TestShell::chatsAreKeptWhereTheSettingsSay() {
    *m_script.keptChatsBytes = 1'500'000'000;
    open();
    QTRY_VERIFY(!m_script.chatFolders.empty());
    const auto first = m_script.chatFolders.back();
    QCOMPARE(EngineClient::fromPath(first.first), m_folder->filePath("cache/chats"));
    QCOMPARE(first.second, uint64_t(4'000'000'000));
    m_program->settings()->set("keptChatsSpace", 7);
    QCOMPARE(m_script.chatFolders.back().second, uint64_t(7'000'000'000));
    QCOMPARE(m_script.keptChatsBytes->load(), uint64_t(1'500'000'000));
    m_program->settings()->set("keepChats", false);
    QVERIFY(m_script.chatFolders.back().first.empty());
    QTRY_COMPARE(m_script.keptChatsBytes->load(), uint64_t(0));
}

int main(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    QAccessible::setActive(true);
    TestShell test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_shell.moc"
