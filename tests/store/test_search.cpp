#include "tests/store/store_folder.h"

#include "gui/store/migrations.h"

using namespace steelyard;
using namespace steelyard::storetest;

class TestSearch : public QObject {
    Q_OBJECT

    std::unique_ptr<Database> m_database;
    std::unique_ptr<Repositories> m_r;
    qint64 m_chat = 0;

    QStringList found(const QString& query) {
        QStringList ids;
        for (const SearchHit& hit : valueOf(m_r->search.find(query))) ids += hit.messageId == 0 ? hit.title : hit.excerpt;
        ids.sort();
        return ids;
    }

private slots:
    void init() {
        auto opened = Database::open(QStringLiteral(":memory:"));
        m_r.reset();
        m_database = std::move(*opened);
        QVERIFY(Migrations::apply(*m_database, Migrations::embedded()).ok());
        m_r = std::make_unique<Repositories>(*m_database);
        QVERIFY(m_r->search.prepare().ok());
        ChatRecord chat;
        chat.title = QStringLiteral("Scales");
        m_chat = valueOf(m_r->chats.create(chat));
    }

    void wordsAreFoundByTheirBeginning_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("query");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("word") << "What is a KV cache?" << "cache" << true;
        QTest::newRow("case") << "What is a KV cache?" << "CACHE kv" << true;
        QTest::newRow("beginning") << "quantization" << "quant" << true;
        QTest::newRow("all words") << "What is a KV cache?" << "cache weights" << false;
        QTest::newRow("Russian") << "Как работает Кэш модели?" << "модел кэш" << true;
        QTest::newRow("accents") << "Café" << "cafe" << true;
        QTest::newRow("no blanks between words") << "什么是键值缓存" << "缓存" << true;
        QTest::newRow("operators are words") << "this AND that" << "\"this\" AND (that" << true;
        QTest::newRow("quotes do no harm") << "plain" << "\" OR 1=1 --" << false;
        QTest::newRow("nothing to look for") << "plain" << " ?! " << false;
    }
    void wordsAreFoundByTheirBeginning() {
        QFETCH(QString, content);
        QFETCH(QString, query);
        QFETCH(bool, isFound);
        QVERIFY(m_r->messages.add(question(m_chat, content)).ok());
        QCOMPARE(found(query).size(), isFound ? 1 : 0);
    }

    void withoutTheIndexTheAnswersAreTheSame() {
        QVERIFY(m_r->messages.add(question(m_chat, QStringLiteral("What is a KV cache?"))).ok());
        for (const char* name : {"message_index_added", "message_index_removed", "message_index_changed"})
            QVERIFY(m_database->execute(QStringLiteral("DROP TRIGGER %1").arg(QString::fromLatin1(name))).ok());
        QVERIFY(m_r->messages.add(question(m_chat, QStringLiteral("weights"))).ok());
        QCOMPARE(found(QStringLiteral("cache")).size(), 1);
        QCOMPARE(found(QStringLiteral("weights")).size(), 1);
        QVERIFY(m_r->search.prepare().ok()); // builds it anew, with what came meanwhile
        QCOMPARE(found(QStringLiteral("weights")).size(), 1);
    }

    void theIndexFollowsStreamingAndRemoval() {
        const qint64 id = valueOf(m_r->messages.add(reply(m_chat, QString(), 0)));
        QVERIFY(m_r->messages.saveProgress(id, QStringLiteral("pressure"), QString()).ok());
        QCOMPARE(found(QStringLiteral("pressure")).size(), 1);
        QVERIFY(m_r->messages.saveProgress(id, QStringLiteral("torque"), QString()).ok());
        QVERIFY(found(QStringLiteral("pressure")).isEmpty());
        QCOMPARE(found(QStringLiteral("torque")).size(), 1);
        QVERIFY(m_r->messages.removeBranch(id).ok());
        QVERIFY(found(QStringLiteral("torque")).isEmpty());
        QVERIFY(m_database->checkIntegrity().ok());
    }

    void titlesAreFoundToo() { QCOMPARE(found(QStringLiteral("scal")), QStringList{QStringLiteral("Scales")}); }

    void deletedChatsAreNotFound() {
        QVERIFY(m_r->messages.add(question(m_chat, QStringLiteral("secret"))).ok());
        QVERIFY(m_r->chats.remove(m_chat).ok());
        QVERIFY(found(QStringLiteral("secret")).isEmpty());
        QVERIFY(found(QStringLiteral("scales")).isEmpty());
        QVERIFY(m_r->chats.restore(m_chat).ok());
        QCOMPARE(found(QStringLiteral("secret")).size(), 1);
    }

    void excerptsShowThePlaceOfTheMatch() {
        const QString content = QString(2000, u'x').replace(9, 1, u' ') + QStringLiteral(" the needle in it ") + QString(2000, u'y');
        QVERIFY(m_r->messages.add(question(m_chat, content)).ok());
        const auto hits = valueOf(m_r->search.find(QStringLiteral("needle")));
        QCOMPARE(hits.size(), 1);
        QVERIFY(hits[0].excerpt.contains(QStringLiteral("needle")));
        QVERIFY(hits[0].excerpt.size() < 200);
        QVERIFY(hits[0].excerpt.endsWith(u'…'));
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "test_search.moc"
