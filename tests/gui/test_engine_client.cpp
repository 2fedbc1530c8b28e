#include "gui/engine_client/engine_client.h"
#include "tests/gui/fake_engine.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <thread>

using namespace steelyard;
using State = EngineClient::ModelState;

class TestEngineClient : public QObject {
    Q_OBJECT

    FakeEngine::Script m_script;
    std::unique_ptr<EngineClient> m_client;

    void load(const QString& path = QStringLiteral("/models/a.gguf")) {
        m_client->load({path});
        QTRY_COMPARE(m_client->modelState(), State::Ready);
    }

private slots:
    void init() {
        m_script = {};
        m_client = std::make_unique<EngineClient>(FakeEngine::factory(m_script));
    }
    void cleanup() { m_client.reset(); }

    void aLoadBecomesReadyWithItsFacts() {
        QSignalSpy loaded(m_client.get(), &EngineClient::modelLoaded);
        QCOMPARE(m_client->modelState(), State::None);
        m_client->load({QStringLiteral("/models/ж😊.gguf"), QStringLiteral("cpu"), 2048, 2});
        QCOMPARE(m_client->modelState(), State::Loading);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(m_client->modelState(), State::Ready);
        QCOMPARE(m_script.loads.size(), size_t(1));
        QCOMPARE(m_script.loads[0].device, std::string("cpu"));
        QCOMPARE(m_script.loads[0].contextLength, 2048u);
        QCOMPARE(EngineClient::fromPath(m_script.loads[0].path), QStringLiteral("/models/ж😊.gguf"));
    }

    void theSameLoadAgainDoesNothing() {
        load();
        load();
        QCOMPARE(m_script.loads.size(), size_t(1));
    }

    void aFailedLoadHasASentence() {
        m_script.loadFailure = "The file is cut off.";
        QSignalSpy failed(m_client.get(), &EngineClient::modelLoadFailed);
        m_client->load({QStringLiteral("/models/a.gguf")});
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(m_client->modelState(), State::Failed);
        QCOMPARE(m_client->failure(), QStringLiteral("The file is cut off."));
        QVERIFY(!m_client->facts());
    }

    void aCancelledLoadLeavesNoModel() {
        m_script.loadsAtOnce = false;
        m_client->load({QStringLiteral("/models/a.gguf")});
        m_client->cancelLoad();
        QTRY_COMPARE(m_client->modelState(), State::None);
        QVERIFY(m_client->modelPath().isEmpty());
    }

    void anotherModelReplacesTheFirstWhateverComesLate() {
        m_script.loadsAtOnce = false;
        m_client->load({QStringLiteral("/models/a.gguf")});
        m_client->load({QStringLiteral("/models/b.gguf")});
        m_script.engine->finishLoad(m_script.loads[0].model); // of the first, too late
        m_script.engine->finishLoad(m_script.loads[1].model);
        QTRY_COMPARE(m_client->modelState(), State::Ready);
        QCOMPARE(m_client->modelPath(), QStringLiteral("/models/b.gguf"));
    }

    void unloadGivesTheModelUpAtOnce() {
        load();
        m_client->unload();
        QCOMPARE(m_client->modelState(), State::None);
        QCOMPARE(m_script.unloads.size(), size_t(1));
    }

    void textOfOneBatchIsOneSignalInOrder() {
        load();
        m_script.repliesAtOnce = false;
        QSignalSpy text(m_client.get(), &EngineClient::textArrived);
        QSignalSpy finished(m_client.get(), &EngineClient::generationFinished);
        const RequestId id = m_client->submit({});
        m_script.engine->write(id, "one two three ж");
        m_script.engine->finish(id);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(text.count(), 1);
        QCOMPARE(text[0][0].toULongLong(), id);
        QCOMPARE(text[0][1].toString(), QStringLiteral("one two three ж"));
        QCOMPARE(text[0][2].toInt(), 4);
    }

    void textOfTwoRequestsIsNotMixed() {
        load();
        m_script.repliesAtOnce = false;
        QSignalSpy text(m_client.get(), &EngineClient::textArrived);
        const RequestId a = m_client->submit({}), b = m_client->submit({});
        m_script.engine->send({TextDelta{a, "a1", {1}}, TextDelta{b, "b1", {1}}, TextDelta{a, "a2", {1}}});
        QTRY_COMPARE(text.count(), 3);
        QCOMPARE(text[0][1].toString() + text[2][1].toString(), QStringLiteral("a1a2"));
        QCOMPARE(text[1][1].toString(), QStringLiteral("b1"));
    }

    void signalsComeOnTheThreadOfTheClient() {
        load();
        m_script.repliesAtOnce = false;
        const RequestId id = m_client->submit({});
        QThread* seen = nullptr;
        QString text;
        connect(m_client.get(), &EngineClient::textArrived, this, [&](quint64, const QString& part) {
            seen = QThread::currentThread();
            text += part;
        }, Qt::DirectConnection);
        std::thread engine([&] {
            for (int i = 0; i < 1000; ++i) m_script.engine->send({TextDelta{id, "x", {i}}});
        });
        engine.join();
        QTRY_COMPARE(text.size(), 1000);
        QCOMPARE(seen, thread());
    }

    void aFullQueueDelaysCommandsAndKeepsTheirOrder() {
        load();
        m_script.repliesAtOnce = false;
        m_script.fullQueue = 3;
        const RequestId id = m_client->submit({});
        m_client->cancel(id);
        QTRY_COMPARE(m_script.cancels.size(), size_t(1));
        QCOMPARE(m_script.requests.size(), size_t(1));
        QCOMPARE(m_script.requests[0].id, m_script.cancels[0]);
    }

    void aRequestWithoutAModelFailsWithASentence() {
        QSignalSpy finished(m_client.get(), &EngineClient::generationFinished);
        m_client->submit({});
        QCOMPARE(finished.count(), 0); // never inside the call
        QTRY_COMPARE(finished.count(), 1);
        const auto event = finished[0][0].value<GenerationFinished>();
        QVERIFY(event.reason == StopReason::Failed);
        QVERIFY(!event.sentence.empty());
    }

    void snapshotsAreToldWhenTheyChange() {
        QSignalSpy changed(m_client.get(), &EngineClient::snapshotChanged);
        Snapshot snapshot;
        snapshot.contextUsedTokens = 42;
        m_script.engine->setSnapshot(snapshot);
        QTRY_COMPARE(m_client->snapshot()->contextUsedTokens, 42u);
        const auto told = changed.count();
        QTest::qWait(600); // the same picture is not told again
        QCOMPARE(changed.count(), told);
    }

    void jobsAnswerHereUnlessTheAskerIsGone() {
        int answers = 0;
        auto asker = std::make_unique<QObject>();
        m_client->inspect(QStringLiteral("/models/a.gguf"), asker.get(), [&](Result<FileSummary>) { ++answers; });
        asker.reset();
        m_client->plan({QStringLiteral("/models/a.gguf"), QStringLiteral("auto"), 1234}, this, [&](Result<MemoryPlan> plan) {
            QCOMPARE(QThread::currentThread(), thread());
            QCOMPARE(plan->contextLength, 1234u);
            answers += 10;
        });
        QTRY_VERIFY(answers >= 10);
        QTest::qWait(50);
        QCOMPARE(answers, 10);
    }
};

QTEST_GUILESS_MAIN(TestEngineClient)
#include "test_engine_client.moc"
