#include "gui/shell/program.h"

#include "gui/engine_client/engine_words.h"
#include "gui/store/data_folder.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QUrl>

namespace steelyard {

namespace {

DownloaderOptions downloadsInto(const QString& folder) {
    DownloaderOptions options;
    options.folder = folder;
    return options;
}

} // namespace

Program::Program(const QString& dataFolder, const QString& logFolder, const Engines& engines)
    : m_log(logFolder), m_store(dataFolder), m_engine(engines.engine(m_log.sink())), m_comparison(engines.comparison(m_log.sink())), m_downloader(downloadsInto(dataFolder + QStringLiteral("/models"))),
      m_library(dataFolder + QStringLiteral("/models"), &m_engine, &m_store, &m_downloader, &m_models),
      m_compare(dataFolder, &m_comparison, &m_engine, &m_store, &m_models),
      m_desk(&m_engine, &m_store, &m_models), m_settings(&m_store), m_memory(&m_engine, &m_models), m_settingsModel(&m_settings, &m_engine),
      m_dataFolder(dataFolder) {
    m_qml.addImportPath(QStringLiteral("qrc:/"));
    wire();
}

Program::~Program() {
    delete m_window;
    m_desk.close();
}

// What one part tells another; the parts do not know each other.
void Program::wire() {
    connect(&m_settings, &Settings::changed, this, &Program::applySetting);
    connect(&m_store, &Store::stateChanged, this, &Program::showStoreState);
    connect(&m_store, &Store::failed, this, [this](const QString& sentence) {
        m_problems.set({QStringLiteral("storing"), QStringLiteral("bad"), sentence, tr("Show folder")});
    });
    connect(&m_problems, &ProblemList::acted, this, &Program::actOn);
    connect(&m_problems, &ProblemList::dismissed, this, [this](const QString& key) {
        if (key == QLatin1String("devices")) m_settings.set(QStringLiteral("window.dismissedNotice"), m_deviceNotice);
    });
    connect(&m_library, &Library::folderAdded, this, [this](const QString& folder) {
        const QString key = QStringLiteral("modelFolders");
        m_settings.set(key, m_settings.value(key).toStringList() << folder);
    });
    connect(&m_settingsModel, &SettingsModel::takenAsked, this, [this] { showKeptChats(false); });
    connect(&m_settingsModel, &SettingsModel::freeAsked, this, [this] { showKeptChats(true); });
    connect(m_desk.session(), &ChatSession::settingsChanged, this, &Program::chooseForGauges);
    connect(m_desk.session(), &ChatSession::opened, this, &Program::chooseForGauges);
    connect(m_desk.session(), &ChatSession::chatChanged, this, &Program::chooseForGauges);
}

void Program::start(const QStringList& files) {
    m_files = files;
    if (m_settings.ready()) openWindow();
    else connect(&m_settings, &Settings::readyChanged, this, &Program::openWindow);
}

void Program::openWindow() {
    m_language.use(m_settings.value(QStringLiteral("language")).toString(), &m_qml);
    applyLoadDefaults();
    keepChats(false);
    m_library.setFolders(m_settings.value(QStringLiteral("modelFolders")).toStringList());
    m_desk.restore();
    showStoreState();
    m_qml.setInitialProperties({{QStringLiteral("settings"), QVariant::fromValue(&m_settings)},
                                {QStringLiteral("settingsModel"), QVariant::fromValue(&m_settingsModel)},
                                {QStringLiteral("memory"), QVariant::fromValue(&m_memory)},
                                {QStringLiteral("problems"), QVariant::fromValue(&m_problems)},
                                {QStringLiteral("look"), QVariant::fromValue(&m_look)},
                                {QStringLiteral("desk"), QVariant::fromValue(&m_desk)},
                                {QStringLiteral("compare"), QVariant::fromValue(&m_compare)},
                                {QStringLiteral("library"), QVariant::fromValue(&m_library)},
                                {QStringLiteral("fontFamily"), QGuiApplication::font().family()},
                                {QStringLiteral("monospace"), QFontDatabase::systemFont(QFontDatabase::FixedFont).family()}});
    m_qml.load(QUrl(QStringLiteral("qrc:/Steelyard/Shell/MainWindow.qml")));
    if (!m_qml.rootObjects().isEmpty()) m_window = qobject_cast<QQuickWindow*>(m_qml.rootObjects().constFirst());
    emit windowOpened();
    if (!m_window) return;
    if (!m_files.isEmpty()) addToLibrary(m_files);
    lookAtDevices();
}

void Program::comeForward(const QStringList& files) {
    if (!m_window) {
        m_files << files; // opened with the window
        return;
    }
    QMetaObject::invokeMethod(m_window, "comeForward");
    if (!files.isEmpty()) addToLibrary(files);
}

void Program::addToLibrary(const QStringList& files) {
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath());
    QMetaObject::invokeMethod(m_window, "open", Q_ARG(QString, QStringLiteral("library")));
    m_library.addFiles(urls);
}

void Program::applySetting(const QString& key) {
    if (key == QLatin1String("language") && m_window) {
        m_language.use(m_settings.value(key).toString(), &m_qml);
        showStoreState();
        lookAtDevices();
    }
    if (key == QLatin1String("modelFolders")) m_library.setFolders(m_settings.value(key).toStringList());
    static const QStringList kOfLoads = {QStringLiteral("device"), QStringLiteral("contextLength"), QStringLiteral("kvType"),
                                         QStringLiteral("threads"), QStringLiteral("replyLimit"),
                                         QStringLiteral("guessAhead"), QStringLiteral("readAhead"), QStringLiteral("slowStream")};
    if (kOfLoads.contains(key)) applyLoadDefaults();
    if (key == QLatin1String("device") && m_window) lookAtDevices();
    if ((key == QLatin1String("keepChats") || key == QLatin1String("keptChatsSpace")) && m_window) keepChats(true);
}

// Where the engine keeps chats, and how many gigabytes of them; who turns it off wants nothing left.
void Program::keepChats(bool turnedOff) {
    const bool keeps = m_settings.value(QStringLiteral("keepChats")).toBool();
    const quint64 mostBytes = m_settings.value(QStringLiteral("keptChatsSpace")).toULongLong() * 1'000'000'000u;
    m_engine.keepChats(keeps ? keptChatsFolder(m_dataFolder) : QString(), mostBytes);
    if (turnedOff && !keeps) showKeptChats(true);
}

void Program::showKeptChats(bool removes) {
    m_engine.keptChats(keptChatsFolder(m_dataFolder), removes, this,
                       [this](qint64 bytes) { m_settingsModel.setTaken(QStringLiteral("keptChatsSpace"), bytes); });
}

void Program::applyLoadDefaults() {
    LoadDefaults defaults;
    defaults.device = m_settings.value(QStringLiteral("device")).toString();
    defaults.contextLength = m_settings.value(QStringLiteral("contextLength")).toUInt();
    defaults.threads = m_settings.value(QStringLiteral("threads")).toUInt();
    defaults.kvType = m_settings.value(QStringLiteral("kvType")).toString();
    defaults.replyLimit = m_settings.value(QStringLiteral("replyLimit")).toInt();
    defaults.guessAhead = m_settings.value(QStringLiteral("guessAhead")).toBool();
    defaults.readAhead = m_settings.value(QStringLiteral("readAhead")).toBool();
    defaults.slowStreamMs = m_settings.value(QStringLiteral("slowStream")).toDouble();
    m_desk.setLoadDefaults(defaults);
    const LoadOptions loads{QString(), defaults.device, defaults.contextLength, defaults.threads, QString(), defaults.kvType};
    m_library.setPlanOptions(loads);
    m_compare.setLoadDefaults(loads);
    chooseForGauges();
}

// The gauges predict the model of the open chat.
void Program::chooseForGauges() {
    const ChatSession* session = m_desk.session();
    LoadOptions options{session->modelPath(), m_settings.value(QStringLiteral("device")).toString(),
                        m_settings.value(QStringLiteral("contextLength")).toUInt(), m_settings.value(QStringLiteral("threads")).toUInt(), m_desk.guesses()->draft(session->modelPath()),
                        m_settings.value(QStringLiteral("kvType")).toString()};
    if (session->contextLength() > 0) options.contextLength = quint32(session->contextLength());
    options.predictor = m_desk.guesses()->usesPredictor(session->modelPath());
    m_memory.choose(options);
}

void Program::showStoreState() {
    const bool notSaving = m_store.state() == Store::State::NotSaving;
    m_problems.set({QStringLiteral("store"), QStringLiteral("bad"), notSaving ? inWords(m_store.problem()) : QString(), tr("Show folder")});
}

// A device that the settings name and that cannot be used is a problem; no Vulkan at all is news, told once.
void Program::lookAtDevices() {
    m_engine.devices(this, [this](const std::vector<DeviceInfo>& devices) {
        const QString wanted = m_settings.value(QStringLiteral("device")).toString();
        QString refusal, notice;
        bool known = wanted == QLatin1String("auto");
        for (const DeviceInfo& device : devices) {
            const QString id = QString::fromStdString(device.id);
            known = known || id == wanted;
            if (id == wanted && !device.usable) refusal = tr("%1 cannot be used: %2").arg(shownDeviceName(device.name), inWords(device.reason));
            if (id == QLatin1String("vulkan") && !device.usable && wanted == QLatin1String("auto")) notice = QString::fromStdString(device.reason);
        }
        if (!known) refusal = tr("The device %1 that the settings name is not in this computer.").arg(wanted);
        m_deviceNotice = notice; // dismissed in one language, it does not come back in the other
        if (notice == m_settings.value(QStringLiteral("window.dismissedNotice")).toString()) notice.clear();
        if (!notice.isEmpty()) notice = tr("Graphics cards other than NVIDIA's are not used: %1").arg(inWords(notice));
        m_problems.set({QStringLiteral("device"), QStringLiteral("warn"), refusal, tr("Settings")});
        m_problems.set({QStringLiteral("devices"), QStringLiteral("info"), notice, tr("Settings")});
    });
}

void Program::actOn(const QString& problem) {
    const bool devices = problem == QLatin1String("device") || problem == QLatin1String("devices");
    if (!devices) QDesktopServices::openUrl(QUrl::fromLocalFile(m_dataFolder));
    else if (m_window) QMetaObject::invokeMethod(m_window, "open", Q_ARG(QString, QStringLiteral("settings")));
}

} // namespace steelyard
