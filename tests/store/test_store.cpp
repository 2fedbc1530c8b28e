#include "tests/store/store_folder.h"

#include "gui/store/migrations.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace steelyard;
using namespace steelyard::storetest;

namespace {

// A small file system of its own, where this user may mount one.
class SmallDisk {
public:
    explicit SmallDisk(const QString& options) {
        m_mounted = m_folder.isValid() && run({"-t", "tmpfs", "-o", options, "tmpfs", m_folder.path()});
    }
    ~SmallDisk() {
        if (m_mounted) QProcess::execute(QStringLiteral("umount"), {QStringLiteral("-l"), m_folder.path()});
    }
    bool isMounted() const { return m_mounted; }
    QString path() const { return m_folder.path(); }
    bool remount(const QString& options) { return run({"-o", QStringLiteral("remount,") + options, m_folder.path()}); }

private:
    static bool run(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral("mount"), arguments);
        return process.waitForFinished() && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    }
    QTemporaryDir m_folder;
    bool m_mounted = false;
};

const char* const kNoMount = "a small file system of its own is needed, and this user may not mount one";

qint64 addChat(Store& store, const QString& title) {
    return valueOf(now(store, [title](Repositories& r) {
        ChatRecord chat;
        chat.title = title;
        return r.chats.create(chat);
    }));
}

qsizetype chatCount(Store& store) {
    return valueOf(now(store, [](Repositories& r) { return r.chats.list(); })).size();
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT

private slots:
    void whatIsStoredIsThereAfterARestart() {
        QTemporaryDir folder;
        qint64 chat = 0;
        {
            Store store(folder.filePath(QStringLiteral("new/deep")));
            QVERIFY(isOpened(store));
            QCOMPARE(store.state(), Store::State::Saving);
            QVERIFY(store.problem().isEmpty());
            chat = addChat(store, QStringLiteral("first"));
            store.run([chat](Repositories& r) { return r.messages.add(question(chat, QStringLiteral("last word"))); });
        } // the destructor finishes what was given
        Store store(folder.filePath(QStringLiteral("new/deep")));
        const auto thread = now(store, [chat](Repositories& r) { return r.messages.thread(chat); });
        QCOMPARE(thread->size(), 1);
        QCOMPARE(thread->first().message.content, QStringLiteral("last word"));
    }

    void answersComeOnTheOwnersThreadAndInOrder() {
        QTemporaryDir folder;
        Store store(folder.path());
        QVector<int> order;
        QThread* workThread = nullptr;
        QThread* answerThread = nullptr;
        for (int i = 0; i < 20; ++i)
            store.run(this, [i, &workThread](Repositories&) -> Result<int> { workThread = QThread::currentThread(); return i; },
                      [&](const Result<int>& value) {
                          answerThread = QThread::currentThread();
                          order.append(*value);
                      });
        QTRY_COMPARE_WITH_TIMEOUT(order.size(), 20, kPatienceMs);
        for (int i = 0; i < 20; ++i) QCOMPARE(order[i], i);
        QCOMPARE(answerThread, QThread::currentThread());
        QVERIFY(workThread != QThread::currentThread());
    }

    void noAnswerComesToAnAskerThatIsGone() {
        QTemporaryDir folder;
        Store store(folder.path());
        bool answered = false;
        auto asker = std::make_unique<QObject>();
        store.run(asker.get(), [](Repositories& r) { return r.chats.list(); }, [&](const Result<QVector<ChatRecord>>&) { answered = true; });
        asker.reset();
        chatCount(store);
        QVERIFY(!answered);
    }

    void failedWorkIsTakenBackWhole() {
        QTemporaryDir folder;
        Store store(folder.path());
        const auto outcome = now(store, [](Repositories& r) -> Result<void> {
            if (auto made = r.chats.create({}); !made) return made.error();
            return Error{"no"};
        });
        QCOMPARE(outcome.sentence(), std::string("no"));
        QCOMPARE(chatCount(store), 0);
    }

    void failuresWithoutAnAskerAreToldOnce() {
        QTemporaryDir folder;
        Store store(folder.path());
        QSignalSpy failures(&store, &Store::failed);
        for (int i = 0; i < 3; ++i) store.run([](Repositories& r) { return r.chats.setPinned(99, true); });
        chatCount(store);
        QTRY_COMPARE(failures.size(), 1);
        QVERIFY(!failures.first().first().toString().isEmpty());
        store.run([](Repositories& r) { return r.settings.reset(QStringLiteral("x")); });
        QTRY_COMPARE(failures.size(), 2);
        QVERIFY(failures.last().first().toString().isEmpty()); // it works again
    }

    void deletedChatsAreGoneAfterTheNextStart() {
        QTemporaryDir folder;
        qint64 chat = 0;
        {
            Store store(folder.path());
            chat = addChat(store, QStringLiteral("x"));
            QVERIFY(now(store, [chat](Repositories& r) { return r.chats.remove(chat); }).ok());
        }
        QTest::qSleep(2);
        Store store(folder.path());
        QVERIFY(!now(store, [chat](Repositories& r) { return r.chats.get(chat); }).ok());
    }

    void killingTheProgramWhileItStreamsLosesNothingSaved() {
        QTemporaryDir folder;
        for (int round = 0; round < 8; ++round) {
            QProcess writer;
            writer.start(QStringLiteral(STEELYARD_STORE_WRITER), {folder.path()});
            QVERIFY(writer.waitForStarted());
            QByteArray printed;
            QVERIFY(QTest::qWaitFor([&] { return (printed += writer.readAllStandardOutput()).count('\n') > 3 + round * 5; }, kPatienceMs));
            writer.kill(); // SIGKILL
            QVERIFY(writer.waitForFinished());
            printed += writer.readAllStandardOutput();
            const QList<QByteArray> lines = printed.left(printed.lastIndexOf('\n')).split('\n');
            const QList<QByteArray> last = lines.last().split(' ');
            Store store(folder.path());
            QVERIFY(isOpened(store));
            QVERIFY2(store.state() == Store::State::Saving, qPrintable(store.problem()));
            const auto message = now(store, [id = last[0].toLongLong()](Repositories& r) { return r.messages.get(id); });
            QVERIFY(message.ok());
            QVERIFY(message->content.size() >= last[1].toInt());
            QCOMPARE(message->content.size() % 5, 0); // whole saves, nothing torn
            QCOMPARE(chatCount(store), round + 1);
        }
    }

    void aSecondProgramIsToldWhoHasTheChats() {
        QTemporaryDir folder;
        QProcess writer;
        writer.start(QStringLiteral(STEELYARD_STORE_WRITER), {folder.path()});
        QVERIFY(writer.waitForStarted());
        QVERIFY(writer.waitForReadyRead(kPatienceMs));
        {
            Store second(folder.path());
            QVERIFY(isOpened(second));
            QCOMPARE(second.state(), Store::State::NotSaving);
            QVERIFY2(second.problem().contains(QString::number(writer.processId())), qPrintable(second.problem()));
            addChat(second, QStringLiteral("in memory"));
            QCOMPARE(chatCount(second), 1);
        }
        writer.kill();
        QVERIFY(writer.waitForFinished());
        Store third(folder.path()); // the lock of the dead program does not stand in the way
        QVERIFY(isOpened(third));
        QCOMPARE(third.state(), Store::State::Saving);
        QCOMPARE(chatCount(third), 1);
    }

    void aDamagedFileIsKeptAndTheProgramGoesOn() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("steelyard.db")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(100'000, 'z'));
        file.close();
        {
            Store store(folder.path());
            QVERIFY(isOpened(store));
            QCOMPARE(store.state(), Store::State::NotSaving);
            QVERIFY(store.problem().contains(QStringLiteral("damaged")));
            QVERIFY(store.problem().contains(QStringLiteral("steelyard.db")));
            addChat(store, QStringLiteral("x"));
            QCOMPARE(chatCount(store), 1);
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray(100'000, 'z'));
    }

    void aNewerFileIsNotTouched() {
        QTemporaryDir folder;
        {
            Store store(folder.path());
            addChat(store, QStringLiteral("of the future"));
        }
        const QString path = folder.filePath(QStringLiteral("steelyard.db"));
        {
            auto database = Database::open(path);
            QVERIFY((*database)->execute(QStringLiteral("PRAGMA user_version=9999")).ok());
        }
        Store store(folder.path());
        QVERIFY(isOpened(store));
        QCOMPARE(store.state(), Store::State::NotSaving);
        QVERIFY(store.problem().contains(QStringLiteral("newer")));
        auto database = Database::open(path);
        QCOMPARE(*Migrations::versionOf(**database), 9999);
    }

    void aReadOnlyFolderShowsItsChatsAndSaysThatNothingIsKept() {
        SmallDisk disk(QStringLiteral("size=8m"));
        if (!disk.isMounted()) QSKIP(kNoMount);
        {
            Store store(disk.path());
            addChat(store, QStringLiteral("old"));
        }
        QVERIFY(disk.remount(QStringLiteral("ro")));
        Store store(disk.path());
        QVERIFY(isOpened(store));
        QCOMPARE(store.state(), Store::State::NotSaving);
        QVERIFY2(store.problem().contains(disk.path()), qPrintable(store.problem()));
        QCOMPARE(chatCount(store), 1);
        addChat(store, QStringLiteral("new"));
        QCOMPARE(chatCount(store), 2);
    }

    void aFolderThatIsAFileIsASentence() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("x")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        Store store(folder.filePath(QStringLiteral("x/data")));
        QVERIFY(isOpened(store));
        QCOMPARE(store.state(), Store::State::NotSaving);
        addChat(store, QStringLiteral("x"));
    }

    void aFullDiskIsASentenceAndSavingGoesOnWhenThereIsSpace() {
        SmallDisk disk(QStringLiteral("size=2m"));
        if (!disk.isMounted()) QSKIP(kNoMount);
        Store store(disk.path());
        const qint64 chat = addChat(store, QStringLiteral("before"));
        const qint64 message = valueOf(now(store, [chat](Repositories& r) { return r.messages.add(reply(chat, QStringLiteral("start"), 0)); }));
        QFile filler(disk.path() + QStringLiteral("/filler"));
        QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (filler.write(QByteArray(4096, 'f')) == 4096) {}
        const QString longText(200'000, u'w');
        const auto failed = now(store, [=](Repositories& r) { return r.messages.saveProgress(message, longText, QString()); });
        QVERIFY(!failed.ok());
        QVERIFY2(failed.sentence().find("full") != std::string::npos, failed.sentence().c_str());
        QCOMPARE(valueOf(now(store, [=](Repositories& r) { return r.messages.get(message); })).content, QStringLiteral("start"));
        filler.remove();
        const auto saved = now(store, [=](Repositories& r) { return r.messages.saveProgress(message, longText, QString()); });
        QVERIFY2(saved.ok(), saved.sentence().c_str());
        QCOMPARE(valueOf(now(store, [=](Repositories& r) { return r.messages.get(message); })).content, longText);
    }

    void aDiskThatIsFullFromTheStartIsASentence() {
        SmallDisk disk(QStringLiteral("size=64k"));
        if (!disk.isMounted()) QSKIP(kNoMount);
        QFile filler(disk.path() + QStringLiteral("/filler"));
        QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (filler.write(QByteArray(4096, 'f')) == 4096) {}
        Store store(disk.path());
        QVERIFY(isOpened(store));
        QCOMPARE(store.state(), Store::State::NotSaving);
        addChat(store, QStringLiteral("x"));
        QCOMPARE(chatCount(store), 1);
    }
};

QTEST_GUILESS_MAIN(TestStore)
#include "test_store.moc"
