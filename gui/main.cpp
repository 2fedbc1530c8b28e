// Starts the window: one process per data folder, one Program, one event loop.

#include "gui/engine_client/comparison_port.h"
#include "gui/shell/program.h"
#include "gui/shell/single_instance.h"
#include "gui/store/data_folder.h"

#include <QGuiApplication>
#include <QIcon>
#include <QQuickStyle>

#include <cstdio>

int main(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("steelyard"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Steelyard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.steelyard.Steelyard"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/steelyard.svg")));
    QQuickStyle::setStyle(QStringLiteral("Basic")); // of the file dialogs where the desktop has none

    const QStringList files = QGuiApplication::arguments().mid(1);
    const QString folder = steelyard::dataFolder();
    steelyard::SingleInstance instance(folder);
    if (!instance.claim(files)) return 0;

    steelyard::Program program(folder, steelyard::logFolder(), {[](steelyard::LogSink log) { return steelyard::realEngine(std::move(log)); },
                                                                          [](steelyard::LogSink log) { return steelyard::realComparison(std::move(log)); }});
    QObject::connect(&instance, &steelyard::SingleInstance::raiseRequested, &program, &steelyard::Program::comeForward);
    QObject::connect(&program, &steelyard::Program::windowOpened, &application, [&program] {
        if (program.window()) return;
        std::fputs("steelyard: the window could not be built; the Qt modules that it needs are not all installed.\n", stderr);
        QGuiApplication::exit(1);
    });
    program.start(files);
    return QGuiApplication::exec();
}
