// Two chats answer at once: the real window, store and engine, a small model. The steps build on each other.
// Pictures go to STEELYARD_TEST_ARTEFACTS, else to the working folder.
#include "gui/engine_client/engine_port.h"
#include "gui/shell/program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QQuickItem>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace steelyard;

namespace {

const QString kModelFile = QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf");
constexpr int kLongMs = 240000; // a hang limit, also under load and in slow builds

} // namespace

class TestTwoChats : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Program> m_program;
    qint64 m_chatA = 0, m_chatB = 0;
    bool m_failed = false;

    ChatDesk& desk() { return *m_program->desk(); }
    ChatSession& session() { return *desk().session(); }
    MessageRecord lastMessage() { return session().thread()->last() ? session().thread()->last()->message : MessageRecord(); }

    void startProgram() {
        m_program = std::make_unique<Program>(m_folder->path(), m_folder->filePath("log"), [](LogSink log) { return realEngine(std::move(log)); });
        m_program->start({});
        QTRY_VERIFY_WITH_TIMEOUT(m_program->window(), 60000);
        QVERIFY(QTest::qWaitForWindowExposed(m_program->window(), 60000));
        m_program->window()->requestActivate();
        QTRY_VERIFY_WITH_TIMEOUT(item("composerInput"), 30000);
    }
    QQuickItem* item(const char* name) { return find(m_program->window()->contentItem(), QString::fromLatin1(name)); }
    static QQuickItem* find(QQuickItem* from, const QString& name) {
        if (from->objectName() == name && from->isVisible()) return from;
        for (QQuickItem* child : from->childItems())
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }
    void click(const char* name) {
        QQuickItem* target = item(name);
        QVERIFY2(target, name);
        QTest::mouseClick(m_program->window(), Qt::LeftButton, {}, target->mapToScene({target->width() / 2, target->height() / 2}).toPoint());
    }
    void ask(const QString& question) {
        const qint64 before = lastMessage().id;
        click("composerInput");
        for (const QChar c : question) QTest::keyClick(m_program->window(), c.toLatin1());
        QTRY_COMPARE(session().draft(), question);
        QTest::keyClick(m_program->window(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(session().busy() && lastMessage().role == MessageRole::Assistant && lastMessage().id != before, 30000);
    }
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
    void picture(const QString& name) {
        QTest::qWait(200);
        const QString folder = qEnvironmentVariable("STEELYARD_TEST_ARTEFACTS", QStringLiteral("."));
        m_program->window()->grabWindow().save(QStringLiteral("%1/two_chats_%2.png").arg(folder, name));
    }

private slots:
    void initTestCase() {
        const QString cache = qEnvironmentVariable("STEELYARD_MODEL_CACHE");
        if (cache.isEmpty() || !QFileInfo::exists(cache + u'/' + kModelFile)) QSKIP("SmolLM2 is not in STEELYARD_MODEL_CACHE");
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkpath("models"));
        QVERIFY(QFile::copy(cache + u'/' + kModelFile, m_folder->filePath("models/" + kModelFile)));
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

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QUICK_BACKEND")) qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("steelyard"));
    TestTwoChats test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_two_chats.moc"
