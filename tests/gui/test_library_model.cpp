// The library's list: what is found, read, shown, taken off and thrown away.
#include "gui/library/library.h"
#include "gui/library/model_scan.h"
#include "gui/store/known_models.h"
#include "tests/gui/fake_hub.h"
#include "tests/gui/fake_shelf.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace steelyard;
using namespace steelyard::guitest;

namespace {

constexpr int kPatienceMs = 60'000; // a hang, never a measurement

} // namespace

class TestLibraryModel : public QObject {
    Q_OBJECT

    struct Running {
        Running(const QString& folder, const QUrl& hub, const std::shared_ptr<std::atomic<int>>& readings)
            : store(folder), engine([readings](std::function<void()>) { return std::make_unique<ShelfEngine>(readings); }),
              downloader(optionsFor(folder, hub)), library(folder + QStringLiteral("/models"), &engine, &store, &downloader, &models) {}

        static DownloaderOptions optionsFor(const QString& folder, const QUrl& hub) {
            DownloaderOptions options;
            options.folder = folder + QStringLiteral("/models");
            options.hub = hub;
            options.transfer.firstRetryMs = 1;
            return options;
        }

        Store store;
        EngineClient engine;
        ModelList models;
        Downloader downloader;
        Library library;
    };

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<std::atomic<int>> m_readings;
    std::unique_ptr<FakeHub> m_hub;
    std::unique_ptr<Running> m_running;

    void start() {
        m_running.reset(); // one program has the store at a time
        m_running = std::make_unique<Running>(m_folder->path(), m_hub->url(), m_readings);
    }
    Library& library() { return m_running->library; }
    ModelList& models() { return m_running->models; }
    QString own(const QString& name) const { return m_folder->filePath(QStringLiteral("models/") + name); }
    const ModelEntry* entry(const QString& path) { return models().find(path); }
    bool isShown(const QString& path) { return entry(path) != nullptr && !entry(path)->reading; }
    bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatienceMs); }

private slots:
    void init() {
        m_running.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        m_readings = std::make_shared<std::atomic<int>>(0);
        m_hub = std::make_unique<FakeHub>();
        QDir(m_folder->path()).mkdir(QStringLiteral("home")); // of the trash
        qputenv("XDG_DATA_HOME", m_folder->filePath(QStringLiteral("home")).toLocal8Bit());
    }
    void cleanup() { m_running.reset(); }

    void modelsOfTheOwnFolderAreShownWithTheirFacts() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF Gemma 3 270M|Q4_K_M\n" + QByteArray(1000, 'w'));
        start();
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("a.gguf"))); }));
        const ModelEntry shown = *entry(own(QStringLiteral("a.gguf")));
        QCOMPARE(shown.name, QStringLiteral("Gemma 3 270M"));
        QCOMPARE(shown.quantization, QStringLiteral("Q4_K_M"));
        QCOMPARE(shown.architecture, QStringLiteral("llama"));
        QCOMPARE(shown.trainedContext, qint64(8192));
        QCOMPARE(shown.sizeBytes, qint64(1025));
        QVERIFY(shown.problem.isEmpty() && shown.own && shown.hasChatTemplate && !shown.starter);
        QCOMPARE(models().title(shown.path), QStringLiteral("Gemma 3 270M · Q4_K_M"));
        QCOMPARE(models().firstUsable(), shown.path);
    }

    void aKnownFileHasTheNameThatPeopleUse() {
        const QString path = QStringLiteral("/x/smollm2-135m-instruct.q4_1.gguf");
        const KnownModel starter = knownModel(path, 98'362'432);
        QCOMPARE(starter.name, QStringLiteral("SmolLM2 135M Instruct"));
        QCOMPARE(shownModelName(path, 98'362'432, QStringLiteral("Smollm2 135M 8k Lc100K Mix1 Ep2")), starter.name);
        QCOMPARE(shownModelName(QStringLiteral("/x/copy.gguf"), 98'362'432, QStringLiteral("Header"), starter.sha256), starter.name); // by its bytes
        QCOMPARE(shownModelName(path, 98'362'432, QStringLiteral("Header"), QString(64, u'0')), QStringLiteral("Header")); // other bytes
        QCOMPARE(shownModelName(path, 5, QStringLiteral("Header")), QStringLiteral("Header"));
        QCOMPARE(shownModelName(QStringLiteral("/x/a.b.gguf"), 5, QString()), QStringLiteral("a.b"));
    }

    void theStarterIsKnownByNameAndSize() {
        putStarter(own(QString()));
        putFile(own(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf.gguf")), "GGUF other\n");
        start();
        QVERIFY(waitFor([&] { return models().usableCount() == 2; }));
        QVERIFY(entry(own(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf")))->starter);
        QVERIFY(!entry(own(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf.gguf")))->starter);
        QVERIFY(!knownModel(QStringLiteral("/x/SmolLM2-135M-Instruct.Q4_1.gguf"), 5).starter);
        QCOMPARE(entry(own(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf")))->name, QStringLiteral("SmolLM2 135M Instruct"));
        QCOMPARE(models().firstUsable(), own(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf")));
    }

    void badFilesAreListedWithTheirSentence() {
        putFile(own(QStringLiteral("bad.gguf")), "<html>");
        putFile(own(QStringLiteral("new.gguf")), "GGUF Mamba|refused\n");
        start();
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("bad.gguf"))) && isShown(own(QStringLiteral("new.gguf"))); }));
        QVERIFY(entry(own(QStringLiteral("bad.gguf")))->problem.contains(QStringLiteral("not a GGUF")));
        QVERIFY(entry(own(QStringLiteral("new.gguf")))->problem.contains(QStringLiteral("mamba9")));
        QCOMPARE(models().usableCount(), 0);
        QVERIFY(models().firstUsable().isEmpty());
    }

    void unfinishedDownloadsAndOtherFilesAreNoModels() {
        putFile(own(QStringLiteral("a.gguf.part")), "GGUF half\n");
        putFile(own(QStringLiteral("a.gguf.part.json")), "{}");
        putFile(own(QStringLiteral("readme.txt")), "GGUF no\n");
        putFile(own(QStringLiteral("yes.gguf")), "GGUF yes\n");
        start();
        QVERIFY(waitFor([&] { return models().usableCount() == 1; }));
        QCOMPARE(models().count(), 1);
    }

    void aModelInPartsIsOneModel() {
        for (int part = 1; part <= 3; ++part) putFile(own(QString::asprintf("big-%05d-of-00003.gguf", part)), "GGUF big|Q8_0\n");
        putFile(own(QStringLiteral("cut-00002-of-00003.gguf")), "a part whose first one is gone");
        putFile(own(QStringLiteral("one-00001-of-00001.gguf")), "GGUF one\n");
        start();
        QVERIFY(waitFor([&] { return models().usableCount() == 2 && isShown(own(QStringLiteral("cut-00002-of-00003.gguf"))); }));
        QCOMPARE(models().count(), 3);
        const QString first = own(QStringLiteral("big-00001-of-00003.gguf"));
        QCOMPARE(entry(first)->sizeBytes, qint64(3 * 14));
        QVERIFY(!entry(own(QStringLiteral("cut-00002-of-00003.gguf")))->problem.isEmpty());
        QCOMPARE(shownModelName(QStringLiteral("/x/cut-00002-of-00003.gguf"), 5, QString()), QStringLiteral("cut"));
        QCOMPARE(partsBeside(own(QStringLiteral("big-00003-of-00003.gguf"))).size(), 3);
        QCOMPARE(partsBeside(own(QStringLiteral("big-00009-of-00003.gguf"))), QStringList{own(QStringLiteral("big-00009-of-00003.gguf"))});
        library().deleteForGood(first);
        QVERIFY(waitFor([&] { return models().count() == 2; }));
        QVERIFY(!QFile::exists(own(QStringLiteral("big-00003-of-00003.gguf"))));
    }

    void aChosenPartStandsForItsModel() {
        const QString other = m_folder->filePath(QStringLiteral("elsewhere/"));
        for (int part = 1; part <= 2; ++part) putFile(other + QString::asprintf("m-%05d-of-00002.gguf", part), "GGUF m\n");
        start();
        library().addFiles({QUrl::fromLocalFile(other + QStringLiteral("m-00002-of-00002.gguf"))});
        QVERIFY(waitFor([&] { return models().usableCount() == 1; }));
        QCOMPARE(models().firstUsable(), other + QStringLiteral("m-00001-of-00002.gguf"));
    }

    void addedFoldersAreSearchedDeeplyAndFilesCountOnce() {
        const QString other = m_folder->filePath(QStringLiteral("other"));
        putFile(other + QStringLiteral("/publisher/model/x.gguf"), "GGUF X\n");
        QVERIFY(QFile::link(other + QStringLiteral("/publisher/model/x.gguf"), other + QStringLiteral("/link.gguf")));
        QVERIFY(QFile::link(other, other + QStringLiteral("/circle")));
        start();
        QSignalSpy added(&library(), &Library::folderAdded);
        library().addFolder(QUrl::fromLocalFile(other));
        QCOMPARE(added.size(), 1);
        library().setFolders({other});
        QVERIFY(waitFor([&] { return models().usableCount() > 0; }));
        QVERIFY(waitFor([&] { return !library().scanning(); }));
        QCOMPARE(models().count(), 1);
        QSignalSpy failed(&library(), &Library::failed);
        library().addFolder(QUrl::fromLocalFile(other)); // there already
        library().addFolder(QUrl::fromLocalFile(other + QStringLiteral("/nothing")));
        library().addFolder(QUrl(QStringLiteral("https://example.org/")));
        QCOMPARE(failed.size(), 3);
        library().setFolders({});
        QVERIFY(waitFor([&] { return models().count() == 0; }));
    }

    void anAddedFileIsUsedInPlaceAndRemembered() {
        const QString file = m_folder->filePath(QStringLiteral("elsewhere/x.gguf"));
        putFile(file, "GGUF X\n");
        start();
        QSignalSpy failed(&library(), &Library::failed);
        library().addFiles({QUrl::fromLocalFile(file), QUrl::fromLocalFile(m_folder->filePath(QStringLiteral("missing.gguf"))),
                            QUrl::fromLocalFile(m_folder->path() + QStringLiteral("/steelyard.db")), QUrl(QStringLiteral("https://example.org/x.gguf"))});
        QVERIFY(waitFor([&] { return isShown(file); }));
        QCOMPARE(failed.size(), 3);
        start(); // a restart
        QVERIFY(waitFor([&] { return isShown(file); }));
        QVERIFY(!entry(file)->own);
    }

    void headersAreReadOncePerFile() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        putFile(own(QStringLiteral("bad.gguf")), "no\n");
        start();
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("a.gguf"))) && isShown(own(QStringLiteral("bad.gguf"))); }));
        QCOMPARE(m_readings->load(), 2);
        start();
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("a.gguf"))) && isShown(own(QStringLiteral("bad.gguf"))); }));
        QCOMPARE(m_readings->load(), 3); // only the bad one again
        putFile(own(QStringLiteral("a.gguf")), "GGUF Another one\n");
        library().setWatched(true); // looks again
        QVERIFY(waitFor([&] { return entry(own(QStringLiteral("a.gguf")))->name == QStringLiteral("Another one"); }));
    }

    void filesThatComeAndGoAreNoticed() {
        start();
        QVERIFY(waitFor([&] { return !library().scanning(); }));
        putFile(own(QStringLiteral("new.gguf")), "GGUF New\n"); // the folder is new, too
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("new.gguf"))); }));
        putFile(own(QStringLiteral("second.gguf")), "GGUF Second\n");
        QVERIFY(waitFor([&] { return isShown(own(QStringLiteral("second.gguf"))); }));
        QVERIFY(QFile::remove(own(QStringLiteral("new.gguf"))));
        QVERIFY(waitFor([&] { return entry(own(QStringLiteral("new.gguf"))) == nullptr; }));
    }

    void whatIsTakenOffStaysOffUntilItIsPutBack() {
        const QString path = own(QStringLiteral("a.gguf"));
        putFile(path, "GGUF A\n");
        start();
        QVERIFY(waitFor([&] { return isShown(path); }));
        QSignalSpy takenOff(&library(), &Library::takenOff);
        library().takeOff(path);
        QCOMPARE(takenOff.size(), 1);
        QVERIFY(entry(path) == nullptr);
        start();
        QVERIFY(waitFor([&] { return !library().scanning(); }));
        QTest::qWait(100);
        QVERIFY(entry(path) == nullptr);
        QVERIFY(QFile::exists(path));
        library().putBack(path);
        QVERIFY(waitFor([&] { return isShown(path); }));
    }

    void trashCanBeUndone() {
        const QString path = own(QStringLiteral("a.gguf"));
        putFile(path, "GGUF A\n");
        start();
        QVERIFY(waitFor([&] { return isShown(path); }));
        QSignalSpy trashed(&library(), &Library::trashed), asked(&library(), &Library::deletionAsked);
        library().moveToTrash(path);
        QVERIFY(waitFor([&] { return trashed.size() + asked.size() == 1; }));
        if (asked.size() == 1) QSKIP("this system has no trash here");
        QVERIFY(!QFile::exists(path));
        QVERIFY(waitFor([&] { return entry(path) == nullptr; }));
        library().takeOutOfTrash(path);
        QVERIFY(waitFor([&] { return isShown(path); }));
    }

    void withoutATrashOneQuestionNamesTheSize() {
        QProcess mount;
        QDir().mkpath(own(QString()));
        mount.start(QStringLiteral("mount"), {"-t", "tmpfs", "-o", "size=1m,mode=0555", "tmpfs", own(QString())});
        if (!mount.waitForFinished() || mount.exitCode() != 0) QSKIP("a small file system of its own is needed, and this user may not mount one");
        const QString path = own(QStringLiteral("a.gguf"));
        putFile(path, "GGUF A\n" + QByteArray(200'000, 'w'));
        // A file in place of the trash's folders: no trash can be made on this disk.
        putFile(own(QStringLiteral(".Trash-%1").arg(getuid())), "x");
        putFile(own(QStringLiteral(".Trash")), "x");
        start();
        QVERIFY(waitFor([&] { return isShown(path); }));
        QSignalSpy asked(&library(), &Library::deletionAsked), trashed(&library(), &Library::trashed);
        library().moveToTrash(path);
        const bool isAnswered = waitFor([&] { return asked.size() + trashed.size() == 1; });
        const bool isKept = QFile::exists(path);
        library().deleteForGood(path);
        const bool isGone = waitFor([&] { return !QFile::exists(path) && entry(path) == nullptr; });
        m_running.reset();
        QProcess::execute(QStringLiteral("umount"), {QStringLiteral("-l"), own(QString())});
        QVERIFY(isAnswered);
        if (trashed.size() == 1) QSKIP("this system moves files to a trash on another disk");
        QVERIFY(isKept);
        QVERIFY2(asked.first().at(2).toString().contains(QStringLiteral("200")), qPrintable(asked.first().at(2).toString()));
        QVERIFY(isGone);
    }

    void fitIsPlannedWhileThePageIsShown() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        putFile(own(QStringLiteral("huge.gguf")), "GGUF Huge\n");
        start();
        QVERIFY(waitFor([&] { return models().usableCount() == 2; }));
        QCOMPARE(entry(own(QStringLiteral("a.gguf")))->fit, int(ModelList::FitUnknown));
        library().setWatched(true);
        QVERIFY(waitFor([&] { return entry(own(QStringLiteral("a.gguf")))->fit == ModelList::Fits; }));
        QVERIFY(waitFor([&] { return entry(own(QStringLiteral("huge.gguf")))->fit == ModelList::WillNotFit; }));
        QVERIFY(entry(own(QStringLiteral("huge.gguf")))->fitText.contains(QStringLiteral("short")));
    }

    void aDownloadBecomesAModelWithItsSource() {
        const QByteArray bytes = "GGUF Fetched|Q8_0\n" + QByteArray(5000, 'w');
        m_hub->on(QStringLiteral("/x.gguf"), [&](const FakeRequest& r) { return FakeHub::file(r, bytes, FakeHub::digestOf(bytes)); });
        start();
        QSignalSpy arrived(&library(), &Library::arrived);
        QCOMPARE(library().fetch(m_hub->text(QStringLiteral("/x.gguf"))), QString());
        QCOMPARE(library().downloads()->count(), 1);
        QVERIFY(waitFor([&] { return arrived.size() == 1 && isShown(own(QStringLiteral("x.gguf"))); }));
        const QModelIndex row = library().downloads()->index(0);
        QCOMPARE(row.data(DownloadList::StateRole).toInt(), int(DownloadList::Finished));
        QVERIFY(row.data(DownloadList::StatusRole).toString().contains(QStringLiteral("SHA-256")));
        library().forgetDownload(row.data(DownloadList::IdRole).toULongLong());
        QCOMPARE(library().downloads()->count(), 0);
        bool isStored = false;
        m_running->store.run(this, [](Repositories& r) { return r.models.list(); }, [&](const Result<QVector<ModelRecord>>& records) {
            isStored = records.ok() && records->size() == 1 && records->first().sha256.toLatin1() == FakeHub::digestOf(bytes) &&
                       records->first().source.endsWith(QStringLiteral("/x.gguf")) && records->first().quantization == QStringLiteral("Q8_0");
        });
        QVERIFY(waitFor([&] { return isStored; }));
    }

    void aBadAddressIsASentence() {
        start();
        QVERIFY(!library().fetch(QStringLiteral("owner/name")).isEmpty());
        QCOMPARE(library().downloads()->count(), 0);
    }

    void progressIsToldInWords() {
        TransferProgress progress;
        progress.state = TransferState::Running;
        progress.receivedBytes = 120'000'000;
        progress.totalBytes = 1'600'000'000;
        progress.bytesPerSecond = 12'000'000;
        const QString words = DownloadList::statusOf(progress);
        QVERIFY2(words.contains(QStringLiteral("120")) && words.contains(QStringLiteral("12")) && words.contains(QStringLiteral("left")), qPrintable(words));
        progress.totalBytes = -1;
        QVERIFY(!DownloadList::statusOf(progress).contains(QStringLiteral("left")));
    }

    void entriesAreSortedByNameThenSize() {
        ModelList list;
        const auto put = [&](const QString& path, const QString& name, qint64 size) {
            ModelEntry e;
            e.path = path;
            e.name = name;
            e.sizeBytes = size;
            list.put(e);
        };
        put(QStringLiteral("1"), QStringLiteral("b"), 5);
        put(QStringLiteral("2"), QStringLiteral("A"), 9);
        put(QStringLiteral("3"), QStringLiteral("a"), 3);
        put(QStringLiteral("1"), QStringLiteral("0"), 5); // renamed: moves
        QStringList order;
        for (const ModelEntry& e : list.entries()) order += e.path;
        QCOMPARE(order, (QStringList{"1", "3", "2"}));
    }
};

QTEST_MAIN(TestLibraryModel)
#include "test_library_model.moc"
