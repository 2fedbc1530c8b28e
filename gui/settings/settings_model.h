// The rows of the settings page: the schema filtered by level and search, with the values of now.
//
// Invariant: one row per shown setting, in the schema's order, so that a section's rows stand together. Knows nothing of
// the page's look.
#pragma once

#include "gui/engine_client/engine_client.h"
#include "gui/settings/settings.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class SettingsModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(QString search READ search WRITE setSearch NOTIFY searchChanged FINAL)
    Q_PROPERTY(bool full READ full WRITE setFull NOTIFY fullChanged FINAL) // the level: everything, or Basic only
    Q_PROPERTY(int count READ count NOTIFY countChanged FINAL)

public:
    enum Role {
        KeyRole = Qt::UserRole + 1, KindRole, SectionRole, TitleRole, HelpRole, ValueRole, DefaultTextRole, IsDefaultRole,
        MinimumRole, MaximumRole, StepRole, UnitRole, ChoicesRole, ZeroTextRole, TakenTextRole
    };

    SettingsModel(Settings* settings, EngineClient* engine, QObject* parent = nullptr);

    QString search() const { return m_search; }
    void setSearch(const QString& search);
    bool full() const { return m_full; }
    void setFull(bool full);
    int count() const { return int(m_rows.size()); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    Q_INVOKABLE void set(const QString& key, const QVariant& value) { m_settings->set(key, value); }
    Q_INVOKABLE void reset(const QString& key) { m_settings->reset(key); }
    // The same folder twice counts once.
    Q_INVOKABLE void addFolder(const QString& key, const QUrl& folder);
    Q_INVOKABLE void removeFolder(const QString& key, const QString& folder);
    // Asks again which devices there are.
    Q_INVOKABLE void refreshDevices();

    // Asks how much is taken of each space; asks for one to be freed.
    Q_INVOKABLE void refreshSpaces();
    Q_INVOKABLE void freeSpace(const QString& key) { emit freeAsked(key); }
    // The answer, in bytes.
    void setTaken(const QString& key, qint64 bytes);

    // For tests, and for whoever knows the devices already.
    void setDevices(const std::vector<DeviceInfo>& devices);

    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void searchChanged();
    void fullChanged();
    void countChanged();
    void takenAsked(const QString& key);
    void freeAsked(const QString& key);

private:
    void rebuild();
    bool matches(const SettingSpec& spec) const;
    QVariantList choicesOf(const SettingSpec& spec) const;
    QVariantList deviceChoices() const;
    QString defaultText(const SettingSpec& spec) const;

    Settings* m_settings;
    EngineClient* m_engine;
    QString m_search;
    bool m_full = false;
    std::vector<const SettingSpec*> m_rows;
    std::vector<DeviceInfo> m_devices;
    QHash<QString, qint64> m_taken;
};

} // namespace steelyard
