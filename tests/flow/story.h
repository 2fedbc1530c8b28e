// What the stories share: the program in a folder of its own with a small model in it, its window, and a person's hands.
//
// Pictures go to STEELYARD_TEST_ARTEFACTS, else to the working folder.
#pragma once

#include "gui/engine_client/comparison_port.h"
#include "gui/shell/program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QQuickItem>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace steelyard {

inline const QString kModelFile = QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf");
inline constexpr int kLongMs = 240000; // a hang limit, also under load and in slow builds

class Story : public QObject {
protected:
    explicit Story(const char* name) : m_name(QString::fromLatin1(name)) {}

    // --- The program
    static QString modelInCache() { return qEnvironmentVariable("STEELYARD_MODEL_CACHE") + u'/' + kModelFile; }
    static bool hasModel() { return qEnvironmentVariableIsSet("STEELYARD_MODEL_CACHE") && QFileInfo::exists(modelInCache()); }
    void takeModel() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkpath("models"));
        QVERIFY(QFile::copy(modelInCache(), m_folder->filePath("models/" + kModelFile)));
    }
    // `landmark`: an item of the page that was open last.
    void startProgram(const char* landmark = "composerInput") {
        m_program = std::make_unique<Program>(m_folder->path(), m_folder->filePath("log"), Program::Engines{[](LogSink log) { return realEngine(std::move(log)); }, [](LogSink log) { return realComparison(std::move(log)); }});
        m_program->start({});
        QTRY_VERIFY_WITH_TIMEOUT(m_program->window(), 60000);
        QVERIFY(QTest::qWaitForWindowExposed(m_program->window(), 60000));
        m_program->window()->requestActivate();
        QTRY_VERIFY_WITH_TIMEOUT(item(landmark), 30000);
    }
    ChatDesk& desk() { return *m_program->desk(); }
    ChatSession& session() { return *desk().session(); }
    ThreadModel& thread() { return *session().thread(); }
    MessageRecord lastMessage() { return thread().last() ? thread().last()->message : MessageRecord(); }

    // --- Its window
    QQuickItem* item(const char* name) { return find(m_program->window()->contentItem(), QString::fromLatin1(name)); }
    void click(const char* name) {
        QQuickItem* target = item(name);
        QVERIFY2(target, name);
        QTest::mouseClick(m_program->window(), Qt::LeftButton, {}, target->mapToScene({target->width() / 2, target->height() / 2}).toPoint());
    }
    // Types and sends, and waits until the reply has begun.
    void ask(const QString& question) {
        const qint64 before = lastMessage().id;
        click("composerInput");
        for (const QChar c : question) QTest::keyClick(m_program->window(), c.toLatin1());
        QTRY_COMPARE(session().draft(), question);
        QTest::keyClick(m_program->window(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(session().busy() && lastMessage().role == MessageRole::Assistant && lastMessage().id != before, 30000);
    }
    void picture(const QString& name) {
        QTest::qWait(300);
        const QString folder = qEnvironmentVariable("STEELYARD_TEST_ARTEFACTS", QStringLiteral("."));
        m_program->window()->grabWindow().save(QStringLiteral("%1/%2_%3.png").arg(folder, m_name, name));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Program> m_program;

private:
    static QQuickItem* find(QQuickItem* from, const QString& name) {
        if (from->objectName() == name && from->isVisible()) return from;
        for (QQuickItem* child : from->childItems())
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }

    QString m_name;
};

template <class Told>
int tell(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QUICK_BACKEND")) qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("steelyard"));
    Told story;
    return QTest::qExec(&story, argc, argv);
}

} // namespace steelyard
