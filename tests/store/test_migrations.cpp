#include "gui/store/migrations.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace steelyard;

namespace {

const Migration kFirst{1, QStringLiteral("0001_a"), QStringLiteral("CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('old');")};
const Migration kSecond{2, QStringLiteral("0002_b"), QStringLiteral("ALTER TABLE a ADD COLUMN y TEXT; CREATE TABLE b (z);")};
const Migration kBroken{2, QStringLiteral("0002_b"), QStringLiteral("CREATE TABLE b (z); INSERT INTO missing VALUES (1);")};

} // namespace

class TestMigrations : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path() const { return m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) + QStringLiteral(".db")); }

private slots:
    void embeddedStepsAreNumberedFromOneWithoutGaps() {
        const auto migrations = Migrations::embedded();
        QVERIFY(!migrations.isEmpty());
        for (qsizetype i = 0; i < migrations.size(); ++i) QCOMPARE(migrations[i].version, int(i) + 1);
    }

    void embeddedStepsMakeASoundDatabase() {
        auto database = Database::open(path());
        QVERIFY2(database.ok(), database.sentence().c_str());
        const auto applied = Migrations::apply(**database, Migrations::embedded());
        QVERIFY2(applied.ok(), applied.sentence().c_str());
        QVERIFY((*database)->checkIntegrity().ok());
        QCOMPARE(*Migrations::versionOf(**database), int(Migrations::embedded().size()));
    }

    void anOlderDatabaseIsUpdatedAndItsCopyKept() {
        auto database = Database::open(path());
        QVERIFY(Migrations::apply(**database, {kFirst}).ok());
        QVERIFY(Migrations::apply(**database, {kFirst, kSecond}).ok());
        QCOMPARE((*database)->value(QStringLiteral("SELECT x FROM a WHERE y IS NULL"))->toString(), QStringLiteral("old"));
        auto backup = Database::open(Migrations::backupPath(path(), 1));
        QVERIFY(backup.ok());
        QCOMPARE(*Migrations::versionOf(**backup), 1);
        QCOMPARE((*backup)->value(QStringLiteral("SELECT x FROM a"))->toString(), QStringLiteral("old"));
    }

    void aFailedStepLeavesTheVersionBefore() {
        auto database = Database::open(path());
        QVERIFY(Migrations::apply(**database, {kFirst}).ok());
        const auto applied = Migrations::apply(**database, {kFirst, kBroken});
        QVERIFY(!applied.ok());
        QVERIFY(QString::fromStdString(applied.sentence()).contains(QStringLiteral("0002_b")));
        QCOMPARE(*Migrations::versionOf(**database), 1);
        QVERIFY(!(*database)->execute(QStringLiteral("SELECT * FROM b")).ok());
        QVERIFY(Migrations::apply(**database, {kFirst, kSecond}).ok()); // a good step still works
    }

    void withoutACopyNothingIsUpdated() {
        auto database = Database::open(path());
        QVERIFY(Migrations::apply(**database, {kFirst}).ok());
        QVERIFY(QDir().mkpath(Migrations::backupPath(path(), 1) + QStringLiteral(".part/x"))); // the copy cannot be written
        const auto applied = Migrations::apply(**database, {kFirst, kSecond});
        QVERIFY(!applied.ok());
        QCOMPARE(*Migrations::versionOf(**database), 1);
    }

    void aNewerDatabaseIsRefusedInWordsAndNotTouched() {
        auto database = Database::open(path());
        QVERIFY(Migrations::apply(**database, {kFirst, kSecond}).ok());
        const auto applied = Migrations::apply(**database, {kFirst});
        QVERIFY(!applied.ok());
        QVERIFY(QString::fromStdString(applied.sentence()).contains(QStringLiteral("newer")));
        QCOMPARE(*Migrations::versionOf(**database), 2);
    }

    void nothingToDoMakesNoCopy() {
        auto database = Database::open(path());
        QVERIFY(Migrations::apply(**database, {kFirst}).ok());
        QVERIFY(Migrations::apply(**database, {kFirst}).ok());
        QVERIFY(!QFileInfo::exists(Migrations::backupPath(path(), 1)));
    }

    void aFileThatIsNoDatabaseIsAnErrorAndKept() {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray bytes(8192, 'x');
        file.write(bytes);
        file.close();
        const auto database = Database::open(path());
        QVERIFY(!database.ok());
        QVERIFY(QString::fromStdString(database.sentence()).contains(QStringLiteral("damaged")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), bytes);
    }

    void aScriptIsSplitWithItsTriggersWhole() {
        const QString script = QStringLiteral("-- one; two\nCREATE TABLE t (a DEFAULT ';'); /* kept */ CREATE TRIGGER g AFTER INSERT ON t BEGIN\n"
                                              "  UPDATE t SET a = CASE WHEN a = 'END' THEN 1 ELSE 2 END; -- inner;\n  DELETE FROM t;\nEND;\nSELECT 1");
        const QStringList statements = Database::statementsOf(script);
        QCOMPARE(statements.size(), 3);
        QVERIFY(statements[1].contains(QStringLiteral("CREATE TRIGGER")));
        QVERIFY(statements[1].endsWith(QStringLiteral("END")));
        QCOMPARE(statements[2], QStringLiteral("SELECT 1"));
    }

    void connectionsKeepChatsSafe() {
        auto database = Database::open(path());
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA journal_mode"))->toString(), QStringLiteral("wal"));
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA foreign_keys"))->toInt(), 1);
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA synchronous"))->toInt(), 2);
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA mmap_size"))->toInt(), 0);
        QVERIFY((*database)->begin(Durability::Relaxed).ok());
        QVERIFY((*database)->commit().ok());
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA synchronous"))->toInt(), 1);
        QVERIFY((*database)->begin(Durability::Full).ok());
        QVERIFY((*database)->commit().ok());
        QCOMPARE((*database)->value(QStringLiteral("PRAGMA synchronous"))->toInt(), 2);
    }
};

QTEST_GUILESS_MAIN(TestMigrations)
#include "test_migrations.moc"
