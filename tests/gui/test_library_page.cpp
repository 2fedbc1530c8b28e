// The library page as a person uses it: words when it is empty, rows, the address field, downloads, undo. Pictures of it in light
// and dark are left in the folder "screenshots" beside the test.
#include "gui/library/library.h"
#include "tests/gui/fake_hub.h"
#include "tests/gui/fake_shelf.h"

#include <QQmlApplicationEngine>
#include <QQmlComponent>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace steelyard;
using namespace steelyard::guitest;

namespace {

constexpr int kPatienceMs = 60'000; // a hang, never a measurement

const char* const kWindow = R"(
import QtQuick
import QtQuick.Window
import Steelyard.Library
import Steelyard.Theme

Window {
    id: window
    required property Library library
    property string asked
    property alias scheme: schemeOf.value
    width: 1100; height: 760; visible: true
    color: Theme.window
    Binding { id: schemeOf; target: Theme; property: "scheme"; value: "light" }
    Binding { target: Theme; property: "reducedMotion"; value: true }
    LibraryPage { objectName: "page"; anchors.fill: parent; library: window.library; onChatRequested: path => window.asked = path }
}
)";

} // namespace

class TestLibraryPage : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeHub> m_hub;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<EngineClient> m_engine;
    std::unique_ptr<ModelList> m_models;
    std::unique_ptr<Downloader> m_downloader;
    std::unique_ptr<Library> m_library;
    std::unique_ptr<QQmlApplicationEngine> m_qml;
    QQuickWindow* m_window = nullptr;

    QString own(const QString& name) const { return m_folder->filePath(QStringLiteral("models/") + name); }
    bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatienceMs); }

    void open() {
        DownloaderOptions options;
        options.folder = own(QString());
        options.hub = m_hub->url();
        options.transfer.firstRetryMs = 1;
        options.transfer.retries = 1;
        m_store = std::make_unique<Store>(m_folder->path());
        m_engine = std::make_unique<EngineClient>([](std::function<void()>) { return std::make_unique<ShelfEngine>(std::make_shared<std::atomic<int>>(0)); });
        m_models = std::make_unique<ModelList>();
        m_downloader = std::make_unique<Downloader>(options);
        m_library = std::make_unique<Library>(m_folder->filePath(QStringLiteral("models")), m_engine.get(), m_store.get(), m_downloader.get(), m_models.get());
        m_qml = std::make_unique<QQmlApplicationEngine>();
        m_qml->addImportPath(QStringLiteral("qrc:/"));
        m_qml->setInitialProperties({{QStringLiteral("library"), QVariant::fromValue(m_library.get())}});
        m_qml->loadData(kWindow, QUrl(QStringLiteral("qrc:/test/Window.qml")));
        QVERIFY(!m_qml->rootObjects().isEmpty());
        m_window = qobject_cast<QQuickWindow*>(m_qml->rootObjects().first());
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
    }
    void close() {
        m_qml.reset();
        m_library.reset();
        m_downloader.reset();
        m_models.reset();
        m_engine.reset();
        m_store.reset();
    }

    // Whole texts that are on the screen, and the items that show them.
    static void collect(QQuickItem* item, QVector<QQuickItem*>& items) {
        if (!item->isVisible()) return;
        if (!item->property("text").toString().isEmpty()) items.append(item);
        for (QQuickItem* child : item->childItems()) collect(child, items);
    }
    QQuickItem* find(const QString& text, const char* type = "") {
        QVector<QQuickItem*> items;
        collect(m_window->contentItem(), items);
        for (QQuickItem* item : items)
            if (item->property("text").toString() == text && QString::fromLatin1(item->metaObject()->className()).contains(QLatin1String(type))) return item;
        return nullptr;
    }
    bool isShown(const QString& text) { return find(text) != nullptr; }
    bool isShownPart(const QString& part) {
        QVector<QQuickItem*> items;
        collect(m_window->contentItem(), items);
        return std::any_of(items.begin(), items.end(), [&](QQuickItem* item) { return item->property("text").toString().contains(part); });
    }
    void press(const QString& text) {
        // Where it comes to rest: a row may be built anew when its file is read, and layouts are done with the next frame.
        QPoint place, before;
        QVERIFY2(waitFor([&] {
            QTest::qWait(30);
            QQuickItem* item = find(text, "Button");
            if (item == nullptr) item = find(text, "MenuItem");
            before = place;
            place = item == nullptr ? QPoint() : item->mapToScene({item->width() / 2, item->height() / 2}).toPoint();
            return !place.isNull() && place == before;
        }), qPrintable(text));
        QTest::mouseClick(m_window, Qt::LeftButton, Qt::NoModifier, place);
    }
    QQuickItem* field() {
        for (QQuickItem* item : m_window->findChildren<QQuickItem*>())
            if (item->property("label").toString() == QStringLiteral("Address of a model")) return item;
        return nullptr;
    }
    void enter(const QString& text) {
        field()->forceActiveFocus();
        field()->setProperty("text", text);
        QTest::keyClick(m_window, Qt::Key_Return);
    }
    void picture(const QString& name) {
        QTest::qWait(50); // the last frame
        QDir().mkpath(QStringLiteral("screenshots"));
        const QImage image = m_window->grabWindow();
        QVERIFY(!image.isNull());
        image.save(QStringLiteral("screenshots/%1.png").arg(name));
    }
    void fillShelf() {
        putStarter(own(QString()));
        putFile(own(QStringLiteral("gemma-3-270m-Q4_K_M.gguf")), "GGUF Gemma 3 270M|Q4_K_M\n" + QByteArray(500'000, 'w'));
        putFile(own(QStringLiteral("huge-model-with-a-very-long-name-that-nobody-would-type-by-hand-Q8_0.gguf")),
                "GGUF Huge Model With A Very Long Name That Nobody Would Type By Hand Instruct 2507|Q8_0\n" + QByteArray(900'000, 'w'));
        putFile(own(QStringLiteral("page.gguf")), "<!DOCTYPE html>");
    }

private slots:
    void init() {
        close();
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<FakeHub>();
    }
    void cleanup() { close(); }

    void anEmptyLibrarySaysWhatToDo() {
        open();
        QVERIFY(waitFor([&] { return isShown(QStringLiteral("No models yet")); }));
        picture(QStringLiteral("library-empty-light"));
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        QVERIFY(waitFor([&] { return !isShown(QStringLiteral("No models yet")) && isShown(QStringLiteral("A")); }));
    }

    void modelsAreShownWithFactsAndFit() {
        fillShelf();
        open();
        QVERIFY(waitFor([&] { return m_models->usableCount() == 3 && isShown(QStringLiteral("fits")) && isShown(QStringLiteral("will not fit")); }));
        QVERIFY(isShown(QStringLiteral("Small test model, mainly English, often wrong.")));
        QVERIFY(isShownPart(QStringLiteral("not a GGUF file")));
        QVERIFY(isShownPart(QStringLiteral("5.85 bits per weight")));
        QVERIFY(isShown(QStringLiteral("4 models")) || isShownPart(QStringLiteral("4 model")));
        picture(QStringLiteral("library-models-light"));
        m_window->setProperty("scheme", QStringLiteral("dark"));
        picture(QStringLiteral("library-models-dark"));
        m_window->resize(720, 640);
        picture(QStringLiteral("library-models-narrow"));
    }

    void chatAsksForTheModelOfItsRow() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        open();
        press(QStringLiteral("Chat"));
        QVERIFY(waitFor([&] { return m_window->property("asked").toString() == own(QStringLiteral("a.gguf")); }));
    }

    void theStarterOffersABetterOne() {
        putStarter(own(QString()));
        open();
        press(QStringLiteral("Get a better one"));
        QVERIFY(waitFor([&] { return field()->hasActiveFocus(); }));
    }

    void aBadAddressIsExplainedBelowTheField() {
        open();
        enter(QStringLiteral("owner/name"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("names a repository")); }));
        QCOMPARE(field()->property("text").toString(), QStringLiteral("owner/name")); // kept, to be mended
        picture(QStringLiteral("library-address-light"));
        QVERIFY(m_hub->requests().isEmpty());
    }

    void aDownloadIsFollowedToItsChat() {
        const QByteArray bytes = "GGUF Fetched|Q8_0\n" + QByteArray(400'000, 'w');
        bool isSlow = true;
        m_hub->on(QStringLiteral("/owner/name/resolve/main/x.gguf"), [&](const FakeRequest& r) {
            FakeAnswer answer = FakeHub::file(r, bytes, FakeHub::digestOf(bytes));
            if (isSlow) {
                answer.headers += qMakePair(QByteArray("Content-Length"), QByteArray::number(bytes.size()));
                answer.body = bytes.left(150'000);
                answer.hang = true;
            }
            return answer;
        });
        putStarter(own(QString()));
        open();
        enter(QStringLiteral("owner/name/x.gguf"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("150 kB of 400 kB")); }));
        enter(QStringLiteral("owner/other/y.gguf"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("There is no file at this address")); }));
        QVERIFY(field()->property("text").toString().isEmpty());
        picture(QStringLiteral("library-download-light"));
        press(QStringLiteral("Pause x.gguf"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("paused")); }));
        isSlow = false;
        press(QStringLiteral("Continue x.gguf"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("SHA-256 as published")) && isShown(QStringLiteral("Fetched")); }));
        QVERIFY(isShown(QStringLiteral("x is ready.")));
        picture(QStringLiteral("library-arrived-light"));
        press(QStringLiteral("Take x.gguf off this list"));
        press(QStringLiteral("Cancel y.gguf and delete what is there"));
        QVERIFY(waitFor([&] { return m_library->downloads()->count() == 0; }));
    }

    void removingFromTheListCanBeUndone() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        open();
        press(QStringLiteral("More for A"));
        QVERIFY(waitFor([&] { return isShown(QStringLiteral("Remove from the list")); }));
        picture(QStringLiteral("library-menu-light"));
        press(QStringLiteral("Remove from the list"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("is off the list")); }));
        QVERIFY(QFile::exists(own(QStringLiteral("a.gguf"))));
        press(QStringLiteral("Undo"));
        QVERIFY(waitFor([&] { return m_models->usableCount() == 1; }));
    }

    void theQuestionBeforeDeletingNamesWhatIsLost() {
        putFile(own(QStringLiteral("a.gguf")), "GGUF A\n");
        open();
        QVERIFY(waitFor([&] { return m_models->usableCount() == 1; }));
        emit m_library->deletionAsked(own(QStringLiteral("a.gguf")), QStringLiteral("A"), QStringLiteral("2.3 GB"));
        QVERIFY(waitFor([&] { return isShownPart(QStringLiteral("A (2.3 GB) would be deleted for good")); }));
        picture(QStringLiteral("library-question-light"));
        QTest::keyClick(m_window, Qt::Key_Return); // keeping has the focus
        QVERIFY(waitFor([&] { return !isShownPart(QStringLiteral("would be deleted")); }));
        QVERIFY(QFile::exists(own(QStringLiteral("a.gguf"))));
        emit m_library->deletionAsked(own(QStringLiteral("a.gguf")), QStringLiteral("A"), QStringLiteral("2.3 GB"));
        press(QStringLiteral("Delete for good"));
        QVERIFY(waitFor([&] { return !QFile::exists(own(QStringLiteral("a.gguf"))); }));
    }
};

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software"); // pictures need no graphics card
    QGuiApplication application(argc, argv);
    TestLibraryPage test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_library_page.moc"
