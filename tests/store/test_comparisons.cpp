// Comparisons and blind votes in the database.
#include "tests/store/store_folder.h"

#include "gui/store/migrations.h"

#include <QDateTime>

using namespace steelyard;
using namespace steelyard::storetest;

class TestComparisons : public QObject {
    Q_OBJECT

    std::unique_ptr<Database> m_database;
    std::unique_ptr<Repositories> m_r;

    qint64 saved(const QString& title, qint64 timeMs = 0) {
        ComparisonRecord record;
        record.title = title;
        record.createdAtMs = record.updatedAtMs = timeMs;
        return valueOf(m_r->comparisons.save(record));
    }
    QStringList titles() {
        QStringList all;
        for (const ComparisonTitle& title : valueOf(m_r->comparisons.list())) all += title.title;
        return all;
    }

private slots:
    void init() {
        m_r.reset();
        m_database = valueOf(Database::open(QStringLiteral(":memory:")));
        QVERIFY(Migrations::apply(*m_database, Migrations::embedded()).ok());
        m_r = std::make_unique<Repositories>(*m_database);
    }

    void aComparisonComesBackAsItWasStored() {
        ComparisonRecord record;
        record.title = QStringLiteral("Что <такое> KV?");
        record.content = {{QStringLiteral("columns"), QJsonObject{{QStringLiteral("path"), QStringLiteral("/m.gguf")}}}};
        record.report = QStringLiteral("{\"kl\": 0.25}");
        const qint64 id = valueOf(m_r->comparisons.save(record));
        const ComparisonRecord stored = valueOf(m_r->comparisons.get(id));
        QCOMPARE(stored.title, record.title);
        QCOMPARE(stored.content, record.content);
        QCOMPARE(stored.report, record.report);
        QVERIFY(stored.createdAtMs > 0 && stored.updatedAtMs >= stored.createdAtMs && !stored.titleIsOwn);
        QVERIFY(valueOf(m_r->comparisons.list()).first().hasReport);
    }

    void savingAgainReplacesAllButAnOwnTitle() {
        ComparisonRecord record;
        record.title = QStringLiteral("first");
        record.id = valueOf(m_r->comparisons.save(record));
        record.title = QStringLiteral("second");
        record.content = {{QStringLiteral("a"), 1}};
        QCOMPARE(valueOf(m_r->comparisons.save(record)), record.id);
        QCOMPARE(titles(), QStringList{QStringLiteral("second")});
        QVERIFY(m_r->comparisons.rename(record.id, QStringLiteral("mine")).ok());
        record.content = {{QStringLiteral("a"), 2}};
        QVERIFY(m_r->comparisons.save(record).ok());
        const ComparisonRecord stored = valueOf(m_r->comparisons.get(record.id));
        QCOMPARE(stored.title, QStringLiteral("mine"));
        QVERIFY(stored.titleIsOwn);
        QCOMPARE(stored.content.value(QStringLiteral("a")).toInt(), 2);
        record.id = 77;
        QVERIFY(!m_r->comparisons.save(record).ok());
    }

    void theOnesUsedLastComeFirst() {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        saved(QStringLiteral("old"), now - 2000);
        saved(QStringLiteral("new"), now - 1000);
        QCOMPARE(titles(), (QStringList{QStringLiteral("new"), QStringLiteral("old")}));
    }

    void aDeletedOneComesBackUntilTheNextStart() {
        const qint64 id = saved(QStringLiteral("a"));
        QVERIFY(m_r->comparisons.remove(id).ok());
        QVERIFY(titles().isEmpty());
        QVERIFY(m_r->comparisons.restore(id).ok());
        QCOMPARE(titles().size(), 1);
        QVERIFY(m_r->comparisons.remove(id).ok());
        QCOMPARE(valueOf(m_r->comparisons.purgeRemoved(QDateTime::currentMSecsSinceEpoch() + 1)), 1);
        QVERIFY(!m_r->comparisons.get(id).ok());
        QVERIFY(!m_r->comparisons.rename(id, QStringLiteral("x")).ok());
    }

    void votesOfAPairAddUpWhicheverWasShownFirst() {
        using Outcome = VoteRepository::Outcome;
        const QString q4 = QStringLiteral("M · Q4_0"), q8 = QStringLiteral("M · Q8_0");
        QVERIFY(m_r->votes.add(0, q8, q4, Outcome::First).ok());
        QVERIFY(m_r->votes.add(0, q4, q8, Outcome::Second).ok());
        QVERIFY(m_r->votes.add(0, q4, q8, Outcome::First).ok());
        QVERIFY(m_r->votes.add(0, q8, q4, Outcome::NoDifference).ok());
        QVERIFY(m_r->votes.add(0, q4, q4, Outcome::First).ok());
        QCOMPARE(valueOf(m_r->votes.counts()), (QVector<VoteCount>{{q4, q8, 1, 2, 1}}));
    }

    void votesOutliveTheirComparison() {
        const qint64 id = saved(QStringLiteral("a"));
        QVERIFY(m_r->votes.add(id, QStringLiteral("a"), QStringLiteral("b"), VoteRepository::Outcome::First).ok());
        QVERIFY(m_r->comparisons.remove(id).ok());
        QVERIFY(m_r->comparisons.purgeRemoved(QDateTime::currentMSecsSinceEpoch() + 1).ok());
        QCOMPARE(valueOf(m_r->votes.counts()).size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestComparisons)
#include "test_comparisons.moc"
