#include "tests/store/store_folder.h"

#include "gui/store/migrations.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace steelyard;
using namespace steelyard::storetest;

class TestChats : public QObject {
    Q_OBJECT

    std::unique_ptr<Database> m_database;
    std::unique_ptr<Repositories> m_r;

    qint64 chat(const QString& title = QStringLiteral("chat")) {
        ChatRecord record;
        record.title = title;
        return valueOf(m_r->chats.create(record));
    }
    QStringList shown(qint64 chatId) {
        QStringList contents;
        for (const ThreadMessage& message : valueOf(m_r->messages.thread(chatId))) contents += message.message.content;
        return contents;
    }

private slots:
    void init() {
        auto opened = Database::open(QStringLiteral(":memory:"));
        QVERIFY2(opened.ok(), opened.sentence().c_str());
        m_r.reset();
        m_database = std::move(*opened);
        QVERIFY(Migrations::apply(*m_database, Migrations::embedded()).ok());
        m_r = std::make_unique<Repositories>(*m_database);
        QVERIFY(m_r->search.prepare().ok());
    }

    void aChatComesBackAsItWasStored() {
        ChatRecord record;
        record.title = QStringLiteral("Wiegen <b>und</b> mehr");
        record.systemPrompt = QStringLiteral("Ты — весы.\n\"quoted\"");
        record.sampling = {{QStringLiteral("temperature"), 0.25}, {QStringLiteral("topK"), 40}};
        record.modelPath = QStringLiteral("/models/x.gguf");
        record.draft = QStringLiteral("unfinished");
        const qint64 id = valueOf(m_r->chats.create(record));
        const ChatRecord stored = valueOf(m_r->chats.get(id));
        QCOMPARE(stored.title, record.title);
        QCOMPARE(stored.systemPrompt, record.systemPrompt);
        QCOMPARE(stored.sampling, record.sampling);
        QCOMPARE(stored.modelPath, record.modelPath);
        QCOMPARE(stored.draft, record.draft);
        QVERIFY(stored.createdAtMs > 0);
        QVERIFY(!stored.titleIsOwn && !stored.pinned && stored.folder.isEmpty() && stored.selectedLeaf == 0);
    }

    void everyPartOfAChatCanBeChanged() {
        const qint64 id = chat();
        QVERIFY(m_r->chats.rename(id, QStringLiteral("new"), true).ok());
        QVERIFY(m_r->chats.setSystemPrompt(id, QStringLiteral("s")).ok());
        QVERIFY(m_r->chats.setSampling(id, {{QStringLiteral("seed"), 7}}).ok());
        QVERIFY(m_r->chats.setModelPath(id, QStringLiteral("m")).ok());
        QVERIFY(m_r->chats.setPinned(id, true).ok());
        QVERIFY(m_r->chats.setFolder(id, QStringLiteral("f")).ok());
        QVERIFY(m_r->chats.setDraft(id, QStringLiteral("d")).ok());
        const ChatRecord c = valueOf(m_r->chats.get(id));
        QVERIFY(c.title == "new" && c.titleIsOwn && c.systemPrompt == "s" && c.modelPath == "m" && c.pinned && c.folder == "f" && c.draft == "d");
        QCOMPARE(c.sampling.value(QStringLiteral("seed")).toInt(), 7);
        QVERIFY(!m_r->chats.rename(id + 1, QStringLiteral("x"), true).ok());
    }

    void pinnedChatsComeFirstThenTheLastUsed() {
        const qint64 a = chat(QStringLiteral("a")), b = chat(QStringLiteral("b")), c = chat(QStringLiteral("c"));
        MessageRecord late = question(a, QStringLiteral("later"));
        late.createdAtMs = valueOf(m_r->chats.get(c)).updatedAtMs + 10;
        QVERIFY(m_r->messages.add(late).ok());
        QVERIFY(m_r->chats.setPinned(b, true).ok());
        QVector<qint64> order;
        for (const ChatRecord& record : valueOf(m_r->chats.list())) order.append(record.id);
        QCOMPARE(order, (QVector<qint64>{b, a, c}));
    }

    void aDeletedChatCanBeBroughtBackWhole() {
        const qint64 id = chat();
        QVERIFY(m_r->messages.add(question(id, QStringLiteral("kept?"))).ok());
        QVERIFY(m_r->chats.remove(id).ok());
        QVERIFY(valueOf(m_r->chats.list()).isEmpty());
        QVERIFY(m_r->chats.restore(id).ok());
        QCOMPARE(valueOf(m_r->chats.list()).size(), 1);
        QCOMPARE(shown(id), QStringList{QStringLiteral("kept?")});
    }

    void purgingTakesOnlyWhatWasDeleted() {
        const qint64 gone = chat(), kept = chat();
        qint64 parent = 0;
        for (int i = 0; i < 2500; ++i) parent = valueOf(m_r->messages.add(question(gone, QString::number(i), parent))); // deeper than a cascade goes
        QVERIFY(m_r->chats.remove(gone).ok());
        QCOMPARE(valueOf(m_r->chats.purgeRemoved(QDateTime::currentMSecsSinceEpoch() + 1)), 1);
        QVERIFY(!m_r->chats.get(gone).ok());
        QVERIFY(m_r->chats.get(kept).ok());
        QCOMPARE(m_database->value(QStringLiteral("SELECT count(*) FROM messages"))->toInt(), 0);
    }

    void aReplyComesBackWithItsFigures() {
        const qint64 id = chat();
        const qint64 q = valueOf(m_r->messages.add(question(id, QStringLiteral("What?"))));
        const qint64 a = valueOf(m_r->messages.add(reply(id, QString(), q)));
        QVERIFY(!valueOf(m_r->messages.get(a)).stopReason.has_value());
        MessageRecord done = reply(id, QStringLiteral("A **cache**.\n"), q);
        done.id = a;
        done.reasoning = QStringLiteral("hm");
        done.reasoningMs = 1200;
        done.modelPath = QStringLiteral("/m.gguf");
        done.stopReason = 2;
        done.stopSentence = QStringLiteral("s");
        ReplyFigures figures;
        figures.tokens = 412;
        figures.promptTokens = 30;
        figures.reusedTokens = 20;
        figures.ttftMs = 142.5;
        figures.itlP50Ms = 26.25;
        figures.itlP95Ms = 31;
        figures.prefillTokensPerSecond = 900;
        figures.decodeTokensPerSecond = 38.25;
        figures.prefillMs = 11;
        figures.queueMs = 1;
        figures.tokenizeMs = 0.5;
        figures.seed = 0xfedcba9876543210ULL;
        figures.reuseReason = QStringLiteral("edited message");
        figures.reuseMs = 0.25;
        figures.guesses = {true, 40, 90, 61, 70, 50, 12.5, QStringLiteral("The device was lost.")};
        figures.droppedMessages = 4;
        figures.droppedTokens = 1200;
        figures.wouldDropMessages = 6;
        figures.wouldDropTokens = 2100;
        figures.moves = {7, 8, 9, 21, 0x123456789ULL, 1.75};
        figures.shiftedTokens = 64;
        figures.prefillArithmeticShare = 0.41;
        figures.decodeBandwidthShare = 0.625;
        done.figures = figures;
        QVERIFY(m_r->messages.finish(done).ok());
        const MessageRecord stored = valueOf(m_r->messages.get(a));
        QCOMPARE(stored.content, done.content);
        QCOMPARE(stored.reasoning, done.reasoning);
        QCOMPARE(stored.reasoningMs, qint64(1200));
        QCOMPARE(stored.stopReason, std::optional<int>(2));
        QCOMPARE(stored.stopSentence, done.stopSentence);
        QCOMPARE(stored.modelName, QStringLiteral("SmolLM2 135M"));
        QVERIFY(stored.figures == done.figures);
        QCOMPARE(int(stored.role), int(MessageRole::Assistant));
        QCOMPARE(stored.parentId, q);
    }

    void streamingSavesReplaceTheTextOnly() {
        const qint64 id = chat();
        const qint64 a = valueOf(m_r->messages.add(reply(id, QString(), 0)));
        QVERIFY(m_r->messages.saveProgress(a, QStringLiteral("one"), QStringLiteral("t"), 5).ok());
        QVERIFY(m_r->messages.saveProgress(a, QStringLiteral("one two"), QStringLiteral("th"), 7).ok());
        const MessageRecord stored = valueOf(m_r->messages.get(a));
        QCOMPARE(stored.content, QStringLiteral("one two"));
        QCOMPARE(stored.reasoning, QStringLiteral("th"));
        QVERIFY(!stored.stopReason.has_value());
        QVERIFY(!stored.figures.has_value());
    }

    void editingMakesABranchAndArrowsSwitch() {
        const qint64 id = chat();
        const qint64 q1 = valueOf(m_r->messages.add(question(id, QStringLiteral("q1"))));
        const qint64 a1 = valueOf(m_r->messages.add(reply(id, QStringLiteral("a1"), q1)));
        const qint64 q2 = valueOf(m_r->messages.add(question(id, QStringLiteral("q2"), a1)));
        QVERIFY(m_r->messages.add(reply(id, QStringLiteral("a2"), q2)).ok());
        const qint64 q2b = valueOf(m_r->messages.add(question(id, QStringLiteral("q2 edited"), a1)));
        QVERIFY(m_r->messages.add(reply(id, QStringLiteral("a2 edited"), q2b)).ok());
        QCOMPARE(shown(id), (QStringList{"q1", "a1", "q2 edited", "a2 edited"}));
        const auto thread = valueOf(m_r->messages.thread(id));
        QCOMPARE(thread[2].siblings, (QVector<qint64>{q2, q2b}));
        QCOMPARE(thread[2].branch, 1);
        QCOMPARE(thread[0].siblings.size(), 1);
        QVERIFY(m_r->messages.selectBranch(q2).ok());
        QCOMPARE(shown(id), (QStringList{"q1", "a1", "q2", "a2"}));
        QCOMPARE((valueOf(m_r->messages.thread(id)))[2].branch, 0);
    }

    void theFirstMessageCanBranchToo() {
        const qint64 id = chat(), other = chat();
        const qint64 first = valueOf(m_r->messages.add(question(id, QStringLiteral("first"))));
        QVERIFY(m_r->messages.add(question(other, QStringLiteral("elsewhere"))).ok());
        const qint64 second = valueOf(m_r->messages.add(question(id, QStringLiteral("second"))));
        QCOMPARE((valueOf(m_r->messages.thread(id)))[0].siblings, (QVector<qint64>{first, second}));
    }

    void removingABranchShowsItsNewestSibling() {
        const qint64 id = chat();
        const qint64 q = valueOf(m_r->messages.add(question(id, QStringLiteral("q"))));
        const qint64 a1 = valueOf(m_r->messages.add(reply(id, QStringLiteral("a1"), q)));
        const qint64 a2 = valueOf(m_r->messages.add(reply(id, QStringLiteral("a2"), q)));
        QVERIFY(m_r->messages.removeBranch(a2).ok());
        QCOMPARE(shown(id), (QStringList{"q", "a1"}));
        QVERIFY(m_r->messages.removeBranch(a1).ok());
        QCOMPARE(shown(id), QStringList{"q"});
        QVERIFY(m_r->messages.removeBranch(q).ok());
        QVERIFY(shown(id).isEmpty());
        QCOMPARE(valueOf(m_r->chats.get(id)).selectedLeaf, qint64(0));
    }

    void aMessageCannotFollowOneOfAnotherChat() {
        const qint64 a = chat(), b = chat();
        const qint64 message = valueOf(m_r->messages.add(question(a, QStringLiteral("x"))));
        QVERIFY(!m_r->messages.add(question(b, QStringLiteral("y"), message)).ok());
        QVERIFY(!m_r->messages.add(question(12345, QStringLiteral("y"))).ok());
    }

    void aLongChatIsReadWhole() {
        const qint64 id = chat();
        qint64 parent = 0;
        for (int i = 0; i < 3000; ++i) parent = valueOf(m_r->messages.add(question(id, QString::number(i), parent)));
        QCOMPARE(valueOf(m_r->messages.thread(id)).size(), 3000);
        QVERIFY(m_r->messages.removeBranch((valueOf(m_r->messages.thread(id)))[0].message.id).ok());
        QVERIFY(shown(id).isEmpty());
    }

    void textIsKeptByteForByte() {
        const QString text = QString::fromUtf8("<think>\0x</think> $5 \\(x\\) \U0001F468\u200D\U0001F469 \u202Eabc\r\n\t'; DROP TABLE chats; --");
        const qint64 id = chat();
        const qint64 message = valueOf(m_r->messages.add(question(id, text)));
        QCOMPARE(valueOf(m_r->messages.get(message)).content, text);
    }

    void settingsAreJsonValues() {
        const QVector<QPair<QString, QJsonValue>> values = {{"a", true}, {"b", 1.5}, {"c", "x \"y\""}, {"d", QJsonArray{"p", 2}}, {"e", QJsonValue::Null}};
        for (const auto& [key, value] : values) QVERIFY(m_r->settings.set(key, value).ok());
        const auto all = valueOf(m_r->settings.all());
        for (const auto& [key, value] : values) QCOMPARE(all.value(key), value);
        QVERIFY(m_r->settings.set(QStringLiteral("a"), false).ok());
        QVERIFY(m_r->settings.reset(QStringLiteral("b")).ok());
        QCOMPARE(valueOf(m_r->settings.all()).value(QStringLiteral("a")), QJsonValue(false));
        QVERIFY(!valueOf(m_r->settings.all()).contains(QStringLiteral("b")));
    }

    void knownModelsKeepTheirHashAndSource() {
        ModelRecord model;
        model.path = QStringLiteral("/models/x.gguf");
        model.sha256 = QString(64, u'a');
        model.source = QStringLiteral("https://example.org/x.gguf");
        model.sizeBytes = 5'000'000'000;
        QVERIFY(m_r->models.save(model).ok());
        model.sha256.clear();
        model.source.clear();
        model.quantization = QStringLiteral("Q4_K_M");
        QVERIFY(m_r->models.save(model).ok());
        QVERIFY(m_r->models.setHidden(model.path, true).ok());
        const auto models = valueOf(m_r->models.list());
        QCOMPARE(models.size(), 1);
        QCOMPARE(models[0].sha256, QString(64, u'a'));
        QCOMPARE(models[0].source, QStringLiteral("https://example.org/x.gguf"));
        QCOMPARE(models[0].quantization, QStringLiteral("Q4_K_M"));
        QCOMPARE(models[0].sizeBytes, qint64(5'000'000'000));
        QVERIFY(models[0].hidden);
    }
};

QTEST_GUILESS_MAIN(TestChats)
#include "test_chats.moc"
