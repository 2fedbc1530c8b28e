// The first day of a person with the program: the real window, store and engine, a small model, keys and clicks.
// The steps build on each other. Figures are told in the log.
#include "tests/flow/story.h"
#include "tests/gui/fake_hub.h"

#include <QElapsedTimer>

using namespace steelyard;

class TestFirstChat : public Story {
    Q_OBJECT

    QElapsedTimer m_change;          // since text came that is not on the screen yet
    qint64 m_longestFrameMs = 0;     // until text was on the screen, while replies streamed
    qint64 m_streaming = 0;          // the message that grew last, and its length
    qsizetype m_streamed = 0;
    inline static QStringList s_warnings; // of Qt and of the pages, since the start of the test
    inline static QtMessageHandler s_handler = nullptr;

    static void listen(QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (type == QtWarningMsg || type == QtCriticalMsg) s_warnings += text;
        s_handler(type, context, text);
    }

    void start() {
        QElapsedTimer timer;
        timer.start();
        startProgram();
        qInfo("window usable after %lld ms", timer.elapsed());
        watchFrames();
    }
    // Text that came waits for the next frame; how long at most is told at the end.
    void watchFrames() {
        connect(m_program->window(), &QQuickWindow::frameSwapped, this, [this] {
            if (m_change.isValid()) m_longestFrameMs = std::max(m_longestFrameMs, m_change.elapsed());
            m_change.invalidate();
        });
        connect(&thread(), &ThreadModel::dataChanged, this, [this] {
            if (!m_program) return; // it says its words anew while it ends
            const MessageRecord last = lastMessage();
            const bool grows = session().busy() && last.id == m_streaming && last.content.size() > m_streamed;
            m_streaming = last.id;
            m_streamed = last.content.size();
            if (grows && !m_change.isValid()) m_change.start();
        });
    }
    void waitForReply() { QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), kLongMs); }
    void gaugesAgree() {
        const auto agree = [this] {
            const std::shared_ptr<const Snapshot> snapshot = m_program->engine()->snapshot();
            const auto& gauges = m_program->memory()->deviceList();
            if (gauges.size() != qsizetype(snapshot->devices.size()) || gauges.isEmpty()) return false;
            for (qsizetype i = 0; i < gauges.size(); ++i) {
                const MemoryUse& use = snapshot->devices[size_t(i)].use;
                const DeviceGauge& gauge = *gauges[i];
                if (gauge.weightsBytes != double(use.weightsBytes) || gauge.kvUsedBytes != double(use.kvUsedBytes) ||
                    gauge.kvCachedBytes != double(use.kvCachedBytes) || gauge.kvReservedBytes != double(use.kvReservedBytes) ||
                    gauge.computeBytes != double(use.computeBytes))
                    return false;
            }
            return true;
        };
        QTRY_VERIFY(agree());
    }

public:
    TestFirstChat() : Story("first_chat") {}

private slots:
    void initTestCase() {
        if (!hasModel()) QSKIP("SmolLM2 is not in STEELYARD_MODEL_CACHE");
        takeModel();
        s_handler = qInstallMessageHandler(&TestFirstChat::listen);
        start();
    }
    void cleanupTestCase() {
        m_program.reset();
        if (!s_handler) return;
        qInfo("longest time from text to its frame %lld ms", m_longestFrameMs);
        qInstallMessageHandler(s_handler);
        s_warnings.removeDuplicates();
        QCOMPARE(s_warnings, QStringList());
    }

    void theFirstStartChoosesTheStarterAndLoadsNothing() {
        QTRY_VERIFY_WITH_TIMEOUT(session().modelPath().endsWith(kModelFile), 30000);
        QTRY_COMPARE(m_program->desk()->model()->titleOf(session().modelPath()), QStringLiteral("SmolLM2 135M Instruct · Q4_1"));
        QCOMPARE(m_program->engine()->modelState(), EngineClient::ModelState::None);
        QTRY_VERIFY(m_program->memory()->predictedWeightsBytes() > 0); // hatched, before the load
        picture("start_light");
    }

    void aQuestionIsAnsweredAsItStreams() {
        session().sampling()->setNumber("temperature", 0);
        int growths = 0;
        qsizetype length = 0;
        const auto counting = connect(&thread(), &ThreadModel::dataChanged, this, [&] {
            const qsizetype now = lastMessage().content.size();
            if (now > length) ++growths;
            length = now;
        });
        ask("What is the capital of France? Describe its sights in ten sentences."); // long enough for several frames
        QTRY_VERIFY_WITH_TIMEOUT(lastMessage().content.contains("Paris"), kLongMs);
        waitForReply();
        disconnect(counting);
        QVERIFY2(growths > 2, qPrintable(QString::number(growths))); // not all at once
        const MessageRecord reply = lastMessage();
        QCOMPARE(reply.modelName, QStringLiteral("SmolLM2 135M Instruct · Q4_1"));
        QVERIFY(reply.figures);
        QVERIFY(reply.figures->tokens > 0 && reply.figures->ttftMs > 0 && reply.figures->decodeTokensPerSecond > 0);
        QTRY_VERIFY(item("replyFigures"));
        QTRY_VERIFY(item("replyFigures")->property("text").toString().contains("tok/s"));
        gaugesAgree();
        qInfo("%d tokens, %.1f tok/s, first token %.0f ms", reply.figures->tokens,
              reply.figures->decodeTokensPerSecond, reply.figures->ttftMs);
        picture("answered_light");
    }

    void theNextQuestionReadsOnlyWhatIsNew() {
        const int before = lastMessage().figures->promptTokens + lastMessage().figures->tokens;
        ask("And the capital of Italy?");
        waitForReply();
        const ReplyFigures figures = *lastMessage().figures;
        QVERIFY(figures.promptTokens > before - 4);
        QVERIFY2(figures.reusedTokens > before * 3 / 4, qPrintable(QString("%1 of %2").arg(figures.reusedTokens).arg(figures.promptTokens)));
        QVERIFY(figures.promptTokens - figures.reusedTokens < figures.promptTokens / 2);
        gaugesAgree();
    }

    void escapeStopsAReply() {
        const qint64 before = lastMessage().id;
        ask("Write a very long story about a ship and its crew.");
        QTRY_VERIFY_WITH_TIMEOUT((lastMessage().id != before && lastMessage().content.size() > 600) || !session().busy(), kLongMs);
        QVERIFY(session().busy());
        QTest::keyClick(m_program->window(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!session().busy(), 30000);
        QCOMPARE(lastMessage().stopReason.value_or(-1), int(StopReason::Cancelled));
        QVERIFY(!lastMessage().content.isEmpty());
        picture("stopped_light");
    }

    void againMakesAnotherReplyAndArrowsSwitch() {
        const qint64 stopped = lastMessage().id;
        session().setReplyLimit(16);
        session().again(stopped);
        QTRY_VERIFY_WITH_TIMEOUT(session().busy() && lastMessage().id != stopped, 30000);
        waitForReply();
        QCOMPARE(thread().last()->siblings.size(), 2);
        session().showBranch(lastMessage().id, -1);
        QTRY_COMPARE(lastMessage().id, stopped);
        session().showBranch(stopped, 1);
        QTRY_VERIFY(lastMessage().id != stopped);
    }

    void aReplyAtItsLimitGoesOnWhereItStopped() {
        const MessageRecord cut = lastMessage();
        QCOMPARE(cut.stopReason.value_or(-1), int(StopReason::TokenLimit));
        QTRY_VERIFY(item("goOnButton"));
        session().goOn(cut.id);
        QTRY_VERIFY_WITH_TIMEOUT(session().busy(), 30000);
        waitForReply();
        const MessageRecord whole = lastMessage();
        QCOMPARE(whole.id, cut.id);
        QVERIFY(whole.content.startsWith(cut.content) && whole.content.size() > cut.content.size());
        QCOMPARE(whole.figures->tokens, 32);
        QCOMPARE(thread().last()->siblings.size(), 2);
    }

    void aFullContextGoesOnInALongerOne() {
        session().setReplyLimit(0);
        const int length = session().contextUsed() + 48;
        session().setContextLength(length);
        ask("Tell me a long story about a lighthouse.");
        waitForReply();
        const MessageRecord cut = lastMessage();
        QCOMPARE(cut.stopReason.value_or(-1), int(StopReason::ContextFull));
        QTRY_VERIFY(item("longerContextButton"));
        picture("context_full_light");
        click("longerContextButton");
        QTRY_VERIFY_WITH_TIMEOUT(session().busy() && lastMessage().content.size() > cut.content.size(), kLongMs);
        session().stop();
        waitForReply();
        QCOMPARE(lastMessage().id, cut.id);
        QVERIFY(lastMessage().content.startsWith(cut.content));
        QCOMPARE(session().contextTotal(), 2 * length);
        session().setReplyLimit(16);
    }

    void editingAQuestionMakesABranch() {
        const QVector<MessageRecord> path = thread().pathTo(lastMessage().id);
        const MessageRecord question = path[path.size() - 2];
        session().beginEdit(question.id);
        QTRY_COMPARE(item("composerInput")->property("text").toString(), question.content);
        session().setDraft("Name a colour.");
        session().send();
        QTRY_VERIFY_WITH_TIMEOUT(session().busy(), 30000);
        waitForReply();
        const QVector<MessageRecord> edited = thread().pathTo(lastMessage().id);
        QCOMPARE(edited[edited.size() - 2].content, QStringLiteral("Name a colour."));
        QCOMPARE(edited[edited.size() - 2].parentId, question.parentId);
        picture("branches_light");
    }

    void theModelIsUnloadedAndLoadedAgain() {
        m_program->desk()->model()->unload();
        QTRY_COMPARE(m_program->engine()->modelState(), EngineClient::ModelState::None);
        QTRY_VERIFY(!m_program->engine()->snapshot()->model);
        gaugesAgree();
        session().wakeModel(true);
        QTRY_COMPARE_WITH_TIMEOUT(m_program->engine()->modelState(), EngineClient::ModelState::Ready, kLongMs);
        gaugesAgree();
    }

    void aModelIsDownloadedByItsAddress() {
        QFile file(modelInCache());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        guitest::FakeHub hub;
        hub.on("/other.gguf", [&](const guitest::FakeRequest& request) { return guitest::FakeHub::file(request, content, "tag"); });
        const QString refusal = m_program->library()->fetch(hub.text("/other.gguf"));
        QVERIFY2(refusal.isEmpty(), qPrintable(refusal));
        const QString arrived = m_folder->filePath("models/other.gguf");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(arrived).size() == content.size(), kLongMs);
        const auto isListed = [&] {
            QAbstractItemModel* models = m_program->library()->models();
            for (int row = 0; row < models->rowCount(); ++row)
                if (models->index(row, 0).data(models->roleNames().key("path")).toString().endsWith("/other.gguf")) return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), 60000);
    }

    void darkAndRussianLookRight() {
        m_program->settings()->set("theme", "dark");
        picture("answered_dark");
        m_program->settings()->set("language", "ru");
        picture("russian_dark");
        m_program->settings()->set("theme", "light");
        picture("russian_light");
        m_program->settings()->set("language", "en");
    }

    void afterARestartTheChatIsThereAndGoesOn() {
        const qint64 chat = session().chatId(), last = lastMessage().id;
        const QString title = session().title();
        QVERIFY2(title.startsWith("What is the capital of France?"), qPrintable(title));
        m_program.reset();
        start();
        QTRY_COMPARE_WITH_TIMEOUT(session().chatId(), chat, 30000);
        QTRY_COMPARE(lastMessage().id, last);
        QCOMPARE(session().title(), title);
        QCOMPARE(m_program->engine()->modelState(), EngineClient::ModelState::None); // nothing is loaded at start
        QCOMPARE(session().sampling()->data(session().sampling()->index(0), SamplingModel::ValueRole).toDouble(), 0.0);
        ask("What did I ask you first?");
        waitForReply();
        const ReplyFigures first = *lastMessage().figures;
        QVERIFY(first.promptTokens > 60); // the history went along
        ask("Thank you.");
        waitForReply();
        const ReplyFigures second = *lastMessage().figures;
        QVERIFY(second.reusedTokens >= first.promptTokens); // read once, then kept
        picture("restarted_light");
    }
};

int main(int argc, char** argv) { return tell<TestFirstChat>(argc, argv); }

#include "test_first_chat.moc"
