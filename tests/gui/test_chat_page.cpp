// The chat page as a person uses it: real QML, keys and clicks, a scripted engine. Pictures go to the build folder.
#include "tests/gui/chat_fixture.h"

#include <QClipboard>
#include <QDir>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickView>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include <cmath>

using namespace steelyard;

class TestChatPage : public QObject {
    Q_OBJECT

    std::unique_ptr<ChatFixture> m;
    std::unique_ptr<QQuickView> m_view;

    QQuickItem* item(const char* name) { return find(m_view->contentItem(), QString::fromLatin1(name)); }
    static QQuickItem* find(QQuickItem* from, const QString& name) {
        if (from->objectName() == name) return from;
        for (QQuickItem* child : from->childItems())
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }
    // The one that can be seen, of those with this name.
    QQuickItem* shown(const char* name) { return findShown(m_view->contentItem(), QString::fromLatin1(name)); }
    static QQuickItem* findShown(QQuickItem* from, const QString& name) {
        if (!from->isVisible()) return nullptr;
        if (from->objectName() == name) return from;
        for (QQuickItem* child : from->childItems())
            if (QQuickItem* found = findShown(child, name)) return found;
        return nullptr;
    }
    void type(const QString& text) {
        for (const QChar c : text) {
            if (c == u'\n')
                QTest::keyClick(m_view.get(), Qt::Key_Return, Qt::ShiftModifier);
            else
                QTest::keyClick(m_view.get(), c.toLatin1());
        }
    }
    void click(const char* name) {
        QTRY_VERIFY2(shown(name), name);
        QTest::qWait(50); // where it stands is settled
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, shown(name)->mapToScene({shown(name)->width() / 2, shown(name)->height() / 2}).toPoint());
    }
    // The ComboBox's entry after this many presses of Down from the one that is chosen.
    void chooseBelow(const char* name, int steps) {
        QTRY_VERIFY2(item(name), name);
        item(name)->forceActiveFocus(Qt::TabFocusReason);
        for (int i = 0; i < steps; ++i) QTest::keyClick(m_view.get(), Qt::Key_Down);
    }
    void picture(const QString& name) {
        QTest::qWait(250);
        QDir().mkpath(QStringLiteral("pictures"));
        m_view->grabWindow().save(QStringLiteral("pictures/chat_%1.png").arg(name));
    }
    void theme(const QString& scheme) {
        QQmlComponent component(m_view->engine());
        component.setData("import QtQml\nimport Steelyard.Theme\nQtObject { property string scheme; onSchemeChanged: Theme.scheme = scheme }", {});
        std::unique_ptr<QObject> setter(component.create());
        QVERIFY2(setter, qPrintable(component.errorString()));
        setter->setProperty("scheme", scheme);
        m_view->setColor(scheme == u"dark" ? QColor(0x161718) : QColor(0xF7F7F5)); // the window's own
    }

private slots:
    void init() {
        m = std::make_unique<ChatFixture>();
        m->start();
        m_view = std::make_unique<QQuickView>();
        m_view->engine()->addImportPath(QStringLiteral("qrc:/"));
        m_view->setResizeMode(QQuickView::SizeRootObjectToView);
        m_view->setInitialProperties({{QStringLiteral("desk"), QVariant::fromValue(m->desk.get())}});
        m_view->setSource(QUrl(QStringLiteral("qrc:/Steelyard/Chat/ChatPage.qml")));
        QVERIFY2(m_view->status() == QQuickView::Ready, qPrintable(m_view->errors().isEmpty() ? QString() : m_view->errors().first().toString()));
        m_view->resize(1280, 760);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_view->requestActivate();
        m_view->rootObject()->setFocus(true);
        theme(QStringLiteral("light"));
        QTRY_VERIFY(item("composerInput"));
    }
    void cleanup() {
        m_view.reset();
        m.reset();
    }

    void aQuestionIsTypedSentAndAnswered() {
        picture(QStringLiteral("empty_light"));
        type(QStringLiteral("Hello there"));
        QTRY_COMPARE(m->session().draft(), QStringLiteral("Hello there"));
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QTRY_COMPARE(m->contents(), QStringList({"Hello there", "Hello there"}));
        QTRY_VERIFY(!m->session().busy());
        QTRY_VERIFY(item("replyFigures"));
        QTRY_COMPARE(item("chatTitle")->property("text").toString(), QStringLiteral("Hello there"));
    }

    void shiftEnterBreaksTheLine() {
        type(QStringLiteral("a\nb"));
        QTRY_COMPARE(m->session().draft(), QStringLiteral("a\nb"));
        QVERIFY(m->contents().isEmpty());
    }

    void escapeStopsAndTypingIsNotBlocked() {
        m->script.repliesAtOnce = false;
        type(QStringLiteral("go"));
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "Half of a");
        QTRY_COMPARE(m->contents().last(), QStringLiteral("Half of a"));
        type(QStringLiteral("next"));
        QCOMPARE(m->session().draft(), QStringLiteral("next"));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QTRY_VERIFY(!m->session().busy());
        QCOMPARE(m->script.cancels.size(), size_t(1));
    }

    void everyKindOfBlockIsDrawn() {
        m->script.reply = [](const GenerateRequest&) {
            return std::string("<think>\nThe person wants everything at once.\nI will show it all.\n</think>\n\n# A heading\n\nA paragraph with *slanted*, **strong** and `code`, "
                               "a [link](https://example.com/?a=1&b=2), $a*b*c$ and <b>raw tags</b> &amp; entities. It is long enough to be wrapped "
                               "into more than one line of the column.\n\n- first item\n- second item\n  1. inner one\n  2. inner two\n- [x] done\n\n"
                               "> Quoted words of someone else,\n> on two lines.\n\n```cpp\n#include <cstdio>\nint main() {\n    std::puts(\"a line "
                               "that is far longer than the column is wide, so that it has to be scrolled sideways by the person\");\n}\n```\n\n"
                               "| Format | Bits | Size |\n|---|---:|:-:|\n| Q4_K_M | 4.8 | 4.1 GB |\n| Q8_0 | 8.5 | 7.4 GB |\n\n---\n\n"
                               "مرحبا بالعالم، هذه جملة عربية.\n\n![a picture](http://127.0.0.1:9/p.png)");
        };
        m->ask("Show me everything");
        QTest::qWait(200);
        m->desk->session()->thread()->toggleThought(m->lastId());
        picture(QStringLiteral("blocks_light"));
        theme(QStringLiteral("dark"));
        picture(QStringLiteral("blocks_dark"));
        m->thread().setRaw(true);
        picture(QStringLiteral("raw_dark"));
    }

    void longRepliesAreFollowedUntilThePersonScrolls() {
        m->script.repliesAtOnce = false;
        type(QStringLiteral("go"));
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        QQuickItem* list = item("threadList");
        const auto fill = [&](int from, int to) {
            for (int i = from; i < to; ++i) {
                m->script.engine->write(m->script.requests[0].id, "Paragraph " + std::to_string(i) + " of a long reply.\n\n");
                QTest::qWait(5);
            }
        };
        fill(0, 60);
        QTRY_VERIFY(list->property("atYEnd").toBool());
        QVERIFY(list->property("contentHeight").toReal() > list->height());
        const double before = list->property("contentY").toDouble();
        QMetaObject::invokeMethod(list, "scrollBy", Q_ARG(double, -400));
        fill(60, 80);
        QVERIFY(list->property("contentY").toDouble() < before);
        QVERIFY(!list->property("following").toBool());
        picture(QStringLiteral("scrolled_light"));
    }

    void aFullContextAndAFailureShowTheirWayOn() {
        m->script.repliesAtOnce = false;
        m->session().setDraft(QStringLiteral("Tell a very long story"));
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "Once upon a time there was a window that was full.");
        m->script.engine->finish(m->script.requests[0].id, StopReason::ContextFull, "4,096 tokens");
        QTRY_VERIFY(!m->session().busy());
        picture(QStringLiteral("context_full_light"));
        m->script.loadFailure = "The file is cut off after 12 of 92 MB. Download it again.";
        m->session().setModelPath(QStringLiteral("/models/other.gguf"));
        QTRY_COMPARE(m->client->modelState(), EngineClient::ModelState::Failed);
        picture(QStringLiteral("load_failed_light"));
    }

    void theSheetSaysWhereTheTimeWent() {
        m->script.repliesAtOnce = false;
        m->session().setDraft(QStringLiteral("Repeat after me"));
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "So it was said, and so it was said, and so it was said again.");
        GenerationFinished finished;
        finished.id = m->script.requests[0].id;
        GenerationStatistics& statistics = finished.statistics;
        statistics.promptTokens = 2412;
        statistics.reusedTokens = 1808;
        statistics.generatedTokens = 120;
        statistics.reuseReason = "edited message";
        statistics.queueMs = 31;
        statistics.tokenizeMs = 4;
        statistics.reuseMs = 0.4;
        statistics.prefillMs = 1270;
        statistics.prefillTokensPerSecond = 475;
        statistics.ttftMs = 1330;
        statistics.itlP50Ms = 24;
        statistics.itlP95Ms = 31;
        statistics.decodeTokensPerSecond = 66;
        statistics.seed = 7;
        statistics.speculation = {38, 96, 71, 80, 62, 1.9, ""};
        statistics.droppedMessages = 4;
        statistics.droppedTokens = 911;
        statistics.prefillArithmeticShare = 0.41;
        statistics.decodeBandwidthShare = 0.63;
        statistics.reusedFromDisk = 1600;
        statistics.reusedFromMemory = 192;
        statistics.movedTokens = 640;
        statistics.transferTokens = 2412;
        statistics.transferBytes = 55'574'528;
        statistics.transferMs = 38;
        statistics.shiftedTokens = 512;
        m->script.engine->send({finished});
        QTRY_VERIFY(!m->session().busy());
        click("whyButton");
        QTRY_VERIFY(item("timingVerdict"));
        QCOMPARE(item("timingVerdict")->property("text").toString(), QStringLiteral("Slow to start"));
        QVERIFY(item("timingLongest")->property("text").toString().startsWith(QStringLiteral("Reading the prompt took longest")));
        QTRY_VERIFY(item("timingSheet")->hasActiveFocus());
        picture(QStringLiteral("sheet_light"));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QTRY_VERIFY(!shown("timingVerdict"));
        theme(QStringLiteral("dark"));
        click("whyButton");
        QTRY_VERIFY(shown("timingVerdict"));
        picture(QStringLiteral("sheet_dark"));
    }

    void aFullContextShowsWhatWouldGoBeforeAnythingGoes() {
        m->ask(QStringLiteral("What is a beam scale, and who used it first?"));
        m->ask(QStringLiteral("And what is a steelyard?"));
        m->askInFullContext(QStringLiteral("Tell me the whole story."), "Once upon a time", 4, 1290);
        QCOMPARE(m->script.requests.size(), size_t(3));
        QTRY_VERIFY(shown("dropOldestButton"));
        picture(QStringLiteral("full_light"));
        click("dropOldestButton");
        QTRY_VERIFY(item("wouldGoList"));
        QTRY_COMPARE(item("wouldGoList")->property("count").toInt(), 4);
        QVERIFY(item("wouldGoWords")->property("text").toString().contains(QStringLiteral("1,290")));
        QTRY_VERIFY(item("dropAndContinueButton")->hasActiveFocus());
        picture(QStringLiteral("full_sheet_light"));
        theme(QStringLiteral("dark"));
        picture(QStringLiteral("full_sheet_dark"));
        QCOMPARE(m->script.requests.size(), size_t(3));
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QTRY_COMPARE(m->script.requests.size(), size_t(4));
        QVERIFY(m->script.requests[3].overflow == Overflow::DropOldest);
        QCOMPARE(m->session().overflow(), static_cast<int>(Overflow::DropOldest));
        m->script.engine->finish(m->script.requests[3].id);
    }

    void guessingAndAFullContextAreChosenInTheInspector() {
        ModelEntry small;
        small.path = QStringLiteral("/models/small.gguf");
        small.name = QStringLiteral("Small");
        small.architecture = QStringLiteral("llama");
        small.sizeBytes = 20'000'000;
        m->models.put(small);
        QTRY_VERIFY(item("guessAhead"));
        QTRY_COMPARE(item("guessAhead")->property("count").toInt(), 3);
        QCOMPARE(item("guessAhead")->property("displayText").toString(), QStringLiteral("By looking up"));
        chooseBelow("guessAhead", 1);
        QTRY_COMPARE(m->desk->guesses()->draft(m->session().modelPath()), small.path);
        chooseBelow("contextFull", 1);
        QTRY_COMPARE(m->session().overflow(), static_cast<int>(Overflow::DropOldest));
        chooseBelow("contextFull", 1);
        QTRY_COMPARE(m->session().overflow(), static_cast<int>(Overflow::Shift));
        QVERIFY(item("contextFull")->property("displayText").toString().contains(QStringLiteral("approximate")));
        QVERIFY(item("contextFullWords")->property("text").toString().contains(QStringLiteral("may differ from an exact one")));
        picture(QStringLiteral("inspector_light"));
        QVERIFY(!item("guessExplanation")->property("text").toString().isEmpty());
    }

    void allSamplersAreBelowMore() {
        QTRY_VERIFY(shown("temperature"));
        QVERIFY(!shown("topK"));
        picture(QStringLiteral("sampling_folded_light"));
        click("moreSampling");
        QTRY_VERIFY(shown("topK"));
        QTRY_VERIFY(shown("seedText"));
        m->session().sampling()->setNumber("minP", 0.2);
        m->session().sampling()->setText("order", "sideways");
        QTRY_VERIFY(shown("resetSampling"));
        m->script.checkForm = [](const std::string&, const std::string&) { return Result<void>(Error{"The rule \"missing\" is used and not defined."}); };
        m->session().sampling()->setForm(3);
        m->session().sampling()->setFormText("root ::= \"yes\" | missing\n");
        QTRY_VERIFY(shown("replyFormProblem"));
        QTRY_VERIFY(item("replyFormProblem")->property("text").toString().contains("missing"));
        m_view->resize(1280, 2900);
        picture(QStringLiteral("sampling_light"));
        theme(QStringLiteral("dark"));
        picture(QStringLiteral("sampling_dark"));
        QTranslator russian;
        if (!russian.load(QStringLiteral(STEELYARD_RUSSIAN))) return; // built with the window's shell
        QCoreApplication::installTranslator(&russian);
        m_view->engine()->retranslate();
        m->session().retranslate();
        QTRY_COMPARE(item("replyForm")->property("displayText").toString(), QStringLiteral("По грамматике (GBNF)")); // another language is no other choice
        theme(QStringLiteral("light"));
        picture(QStringLiteral("sampling_russian"));
        QCoreApplication::removeTranslator(&russian);
    }

    void tokensAreTintedAndTheirAlternativesShown() {
        m->session().sampling()->setLogprobs(true);
        m->script.repliesAtOnce = false;
        m->session().setDraft(QStringLiteral("What is a steelyard?"));
        m->session().send();
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        const RequestId id = m->script.requests[0].id;
        const std::vector<std::string> words{"A", " steel", "yard", " is", " a", " balance", " with", " arms", " of", " unequal", " length", "."};
        TextDelta delta{id, {}, {}};
        for (size_t i = 0; i < words.size() * 8; ++i) {
            const std::string& word = words[i % words.size()];
            const float chosen = 0.02f + 0.95f * float((i * 7) % 11) / 11;
            delta.text += word;
            delta.ids.push_back(int32_t(i));
            TokenLogprobs& token = delta.logprobs.emplace_back();
            token.chosen = TokenProbability{1, std::log(chosen), word};
            token.top.push_back(token.chosen);
            token.top.push_back(TokenProbability{2, std::log((1 - chosen) * .6f), " scale"});
            token.top.push_back(TokenProbability{3, std::log((1 - chosen) * .3f), "\n"});
        }
        m->script.engine->send({delta});
        m->script.engine->finish(id);
        QTRY_VERIFY(!m->session().busy());
        click("tokensButton");
        QTRY_VERIFY(shown("tokenChosen"));
        QTRY_VERIFY(item("tokenList")->hasActiveFocus());
        const QString first = item("tokenChosen")->property("text").toString();
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QTRY_VERIFY(item("tokenChosen")->property("text").toString() != first);
        picture(QStringLiteral("tokens_light"));
        theme(QStringLiteral("dark"));
        picture(QStringLiteral("tokens_dark"));
    }

    void chatsThatAnswerAreMarked() {
        m->script.repliesAtOnce = false;
        const auto begin = [&](const QString& question) {
            m->desk->newChat();
            m->session().setDraft(question);
            m->session().send();
        };
        begin(QStringLiteral("What is a KV cache?"));
        QTRY_COMPARE(m->script.requests.size(), size_t(1));
        m->script.engine->write(m->script.requests[0].id, "It keeps the keys and values of attention.");
        begin(QStringLiteral("Write a story"));
        QTRY_COMPARE(m->script.requests.size(), size_t(2));
        Snapshot snapshot;
        snapshot.runningRequests = 1;
        snapshot.waitingRequests = 1;
        m->script.engine->setSnapshot(snapshot);
        QTRY_COMPARE(item("workStatus")->property("text").toString(), QStringLiteral("Replies: 1 running, 1 waiting"));
        QTRY_COMPARE(m->desk->list()->count(), 2);
        picture(QStringLiteral("two_chats_light"));
        theme(QStringLiteral("dark"));
        picture(QStringLiteral("two_chats_dark"));
        for (const GenerateRequest& request : m->script.requests) m->script.engine->finish(request.id);
        QTRY_COMPARE(item("workStatus")->property("text").toString(), QString());
    }

    void narrowWindowsFoldThePanels() {
        m->ask("What is a KV cache?");
        m_view->resize(900, 640);
        picture(QStringLiteral("narrow_light"));
        m_view->resize(720, 560);
        picture(QStringLiteral("narrowest_light"));
    }
};

QTEST_MAIN(TestChatPage)
#include "test_chat_page.moc"
