// The running program: builds its objects in their order, wires them, and opens the window.
//
// Invariant: an object only knows what was built before it and is told of later ones by signals; they go in reverse order, so
// that the store is the last to finish. start() returns at once: the window opens when the settings are there. Knows nothing of
// how the parts work inside.
#pragma once

#include "gui/chat/chat_desk.h"
#include "gui/compare/compare_desk.h"
#include "gui/engine_client/comparison_client.h"
#include "gui/engine_client/engine_client.h"
#include "gui/hub/downloader.h"
#include "gui/library/library.h"
#include "gui/memory/memory_model.h"
#include "gui/settings/settings.h"
#include "gui/settings/settings_model.h"
#include "gui/shell/language_switch.h"
#include "gui/shell/log_file.h"
#include "gui/shell/problem_list.h"
#include "gui/shell/system_look.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QObject>
#include <QPointer>
#include <QQmlApplicationEngine>
#include <QQuickWindow>
#include <QStringList>

namespace steelyard {

class Program : public QObject {
    Q_OBJECT

public:
    // The real engine and comparison, or in tests ones that answer by script.
    struct Engines {
        std::function<EngineFactory(LogSink)> engine;
        std::function<ComparisonFactory(LogSink)> comparison;
    };
    Program(const QString& dataFolder, const QString& logFolder, const Engines& engines);
    ~Program() override;

    void start(const QStringList& files);
    // Brings the window forward; files are added to the library.
    void comeForward(const QStringList& files);

    QQuickWindow* window() const { return m_window; } // null until it is open
    Settings* settings() { return &m_settings; }
    MemoryModel* memory() { return &m_memory; }
    ChatDesk* desk() { return &m_desk; }
    Library* library() { return &m_library; }
    CompareDesk* compare() { return &m_compare; }
    EngineClient* engine() { return &m_engine; }
    Store* store() { return &m_store; }
    ProblemList* problems() { return &m_problems; }

signals:
    void windowOpened();

private:
    void openWindow();
    void wire();
    void applySetting(const QString& key);
    void applyLoadDefaults();
    void chooseForGauges();
    void keepChats(bool turnedOff);
    void showKeptChats(bool removes);
    void addToLibrary(const QStringList& files);
    void showStoreState();
    void lookAtDevices();
    void actOn(const QString& problem);

    LogFile m_log;
    Store m_store;
    EngineClient m_engine;
    ComparisonClient m_comparison;
    ModelList m_models;
    Downloader m_downloader;
    Library m_library;
    CompareDesk m_compare;
    ChatDesk m_desk;
    Settings m_settings;
    MemoryModel m_memory;
    SettingsModel m_settingsModel;
    SystemLook m_look;
    ProblemList m_problems;
    LanguageSwitch m_language;
    QQmlApplicationEngine m_qml;
    QPointer<QQuickWindow> m_window;
    QStringList m_files;
    QString m_dataFolder, m_deviceNotice;
};

} // namespace steelyard
