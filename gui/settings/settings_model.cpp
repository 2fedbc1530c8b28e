#include "gui/settings/settings_model.h"

#include "gui/engine_client/engine_words.h"
#include "gui/store/model_list.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QLocale>
#include <QUrl>

namespace steelyard {

SettingsModel::SettingsModel(Settings* settings, EngineClient* engine, QObject* parent)
    : QAbstractListModel(parent), m_settings(settings), m_engine(engine) {
    connect(m_settings, &Settings::changed, this, [this](const QString& key) {
        for (int row = 0; row < count(); ++row)
            if (key == QLatin1String(m_rows[size_t(row)]->key)) emit dataChanged(index(row), index(row));
    });
    QCoreApplication::instance()->installEventFilter(this);
    rebuild();
}

void SettingsModel::setSearch(const QString& search) {
    if (search == m_search) return;
    m_search = search;
    rebuild();
    emit searchChanged();
}

void SettingsModel::setFull(bool full) {
    if (full == m_full) return;
    m_full = full;
    rebuild();
    emit fullChanged();
}

int SettingsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QVariant SettingsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= count()) return {};
    const SettingSpec& spec = *m_rows[size_t(index.row())];
    const QString key = QLatin1String(spec.key);
    static constexpr const char* kKinds[] = {"choice", "integer", "switch", "folders", "device", "text", "number", "space"};
    switch (role) {
    case KeyRole: return key;
    case KindRole: return QLatin1String(kKinds[size_t(spec.kind)]);
    case SectionRole: return settingText(spec.section);
    case TitleRole: return settingText(spec.title);
    case HelpRole: return settingText(spec.help);
    case ValueRole: return m_settings->value(key);
    case DefaultTextRole: return defaultText(spec);
    case IsDefaultRole: return m_settings->isDefault(key);
    case MinimumRole: return spec.minimum;
    case MaximumRole: return spec.maximum;
    case StepRole: return spec.step;
    case UnitRole: return settingText(spec.unit);
    case ChoicesRole: return choicesOf(spec);
    case ZeroTextRole: return settingText(spec.zeroMeans);
    case TakenTextRole: return m_taken.contains(key) ? bytesInWords(m_taken.value(key)) : QString();
    default: return {};
    }
}

QHash<int, QByteArray> SettingsModel::roleNames() const {
    return {{KeyRole, "key"}, {KindRole, "kind"}, {SectionRole, "section"}, {TitleRole, "title"}, {HelpRole, "help"},
            {ValueRole, "value"}, {DefaultTextRole, "defaultText"}, {IsDefaultRole, "isDefault"}, {MinimumRole, "minimum"},
            {MaximumRole, "maximum"}, {StepRole, "step"}, {UnitRole, "unit"}, {ChoicesRole, "choices"}, {ZeroTextRole, "zeroText"}, {TakenTextRole, "takenText"}};
}

void SettingsModel::addFolder(const QString& key, const QUrl& folder) {
    const QString path = folder.isLocalFile() ? folder.toLocalFile() : folder.toString();
    if (path.isEmpty()) return;
    QStringList folders = m_settings->value(key).toStringList();
    const QString clean = QDir::cleanPath(path);
    if (folders.contains(clean)) return;
    m_settings->set(key, folders << clean);
}

void SettingsModel::removeFolder(const QString& key, const QString& folder) {
    QStringList folders = m_settings->value(key).toStringList();
    folders.removeAll(folder);
    m_settings->set(key, folders);
}

void SettingsModel::refreshDevices() {
    if (!m_engine) return;
    m_engine->devices(this, [this](const std::vector<DeviceInfo>& devices) { setDevices(devices); });
}

void SettingsModel::setDevices(const std::vector<DeviceInfo>& devices) {
    m_devices = devices;
    for (int row = 0; row < count(); ++row)
        if (m_rows[size_t(row)]->kind == SettingSpec::Kind::Device) emit dataChanged(index(row), index(row), {ChoicesRole});
}

void SettingsModel::refreshSpaces() {
    for (const SettingSpec& spec : settingsSchema())
        if (spec.kind == SettingSpec::Kind::Space) emit takenAsked(QLatin1String(spec.key));
}

void SettingsModel::setTaken(const QString& key, qint64 bytes) {
    m_taken.insert(key, bytes);
    for (int row = 0; row < count(); ++row)
        if (key == QLatin1String(m_rows[size_t(row)]->key)) emit dataChanged(index(row), index(row), {TakenTextRole});
}

bool SettingsModel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance()) rebuild();
    return false;
}

void SettingsModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    for (const SettingSpec& spec : settingsSchema())
        if (matches(spec)) m_rows.push_back(&spec);
    endResetModel();
    emit countChanged();
}

// A search looks through all levels: who names a setting wants to find it.
bool SettingsModel::matches(const SettingSpec& spec) const {
    if (spec.level == SettingSpec::Level::Hidden) return false;
    if (m_search.trimmed().isEmpty()) return m_full || spec.level == SettingSpec::Level::Basic;
    QString text = settingText(spec.title) + u' ' + settingText(spec.help) + u' ' + settingText(spec.section) + u' ' + QLatin1String(spec.key);
    for (const SettingSpec::Choice& choice : spec.choices) text += u' ' + settingText(choice.words);
    const QStringList words = m_search.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

QVariantList SettingsModel::choicesOf(const SettingSpec& spec) const {
    if (spec.kind == SettingSpec::Kind::Device) return deviceChoices();
    QVariantList list;
    for (const SettingSpec::Choice& choice : spec.choices) {
        list << QVariantMap{{QStringLiteral("value"), QString::fromUtf8(choice.value)},
                            {QStringLiteral("text"), settingText(choice.words)},
                            {QStringLiteral("note"), QString()},
                            {QStringLiteral("enabled"), true}};
    }
    return list;
}

QVariantList SettingsModel::deviceChoices() const {
    const QString chosen = m_settings->value(QStringLiteral("device")).toString();
    QVariantList list{QVariantMap{{QStringLiteral("value"), QStringLiteral("auto")},
                                  {QStringLiteral("text"), tr("Automatic")},
                                  {QStringLiteral("note"), tr("The fastest device that works")},
                                  {QStringLiteral("enabled"), true}}};
    bool known = chosen == QLatin1String("auto");
    for (const DeviceInfo& device : m_devices) {
        if (device.kind == DeviceKind::Emulated) continue; // for the program's own tests
        const QString id = QString::fromStdString(device.id);
        known = known || id == chosen;
        list << QVariantMap{{QStringLiteral("value"), id},
                            {QStringLiteral("text"), shownDeviceName(device.name.empty() ? device.id : device.name)},
                            {QStringLiteral("note"), inWords(device.reason)},
                            {QStringLiteral("enabled"), device.usable}};
    }
    if (!known) {
        list << QVariantMap{{QStringLiteral("value"), chosen},
                            {QStringLiteral("text"), chosen},
                            {QStringLiteral("note"), tr("Not found on this computer")},
                            {QStringLiteral("enabled"), true}};
    }
    return list;
}

QString SettingsModel::defaultText(const SettingSpec& spec) const {
    const QLocale locale;
    switch (spec.kind) {
    case SettingSpec::Kind::Choice:
        for (const SettingSpec::Choice& choice : spec.choices)
            if (spec.standard.toString() == QLatin1String(choice.value)) return settingText(choice.words);
        return {};
    case SettingSpec::Kind::Integer:
    case SettingSpec::Kind::Space: {
        if (spec.standard.toLongLong() == 0 && *spec.zeroMeans) return settingText(spec.zeroMeans);
        const QString unit = settingText(spec.unit);
        return locale.toString(spec.standard.toLongLong()) + (unit.isEmpty() ? QString() : u'\u00A0' + unit);
    }
    case SettingSpec::Kind::Number: return locale.toString(spec.standard.toDouble(), 'f', 2);
    case SettingSpec::Kind::Switch: return spec.standard.toBool() ? tr("on") : tr("off");
    case SettingSpec::Kind::Folders: return tr("none");
    case SettingSpec::Kind::Device: return tr("Automatic");
    case SettingSpec::Kind::Text: return spec.standard.toString();
    }
    return {};
}

} // namespace steelyard
