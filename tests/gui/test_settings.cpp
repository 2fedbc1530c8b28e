// Settings: every row of the schema is whole, values survive a restart, what is not acceptable changes nothing, and the page's
// list can be searched.

#include "gui/settings/settings_model.h"
#include "gui/store/store.h"

#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace steelyard;

namespace {

// A value of the setting that is acceptable and not the default.
QVariant another(const SettingSpec& spec) {
    switch (spec.kind) {
    case SettingSpec::Kind::Choice: return QString::fromUtf8(spec.choices.back().value);
    case SettingSpec::Kind::Integer:
    case SettingSpec::Kind::Space: return qint64(spec.maximum);
    case SettingSpec::Kind::Number: return spec.maximum;
    case SettingSpec::Kind::Switch: return !spec.standard.toBool();
    case SettingSpec::Kind::Folders: return QStringList{"/models/a", "/models/\u0431"};
    case SettingSpec::Kind::Device:
    case SettingSpec::Kind::Text: return QStringLiteral("other");
    }
    return {};
}

void waitUntilReady(Settings& settings) { QTRY_VERIFY(settings.ready()); }

} // namespace

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsWhole();
    void everyValueSurvivesARestart();
    void refusesWhatTheSchemaRefuses();
    void resetGoesBackToTheDefault();
    void mapFollowsValues();
    void listShowsLevelsAndSearch();
    void refusedDevicesSayWhy();
    void foldersCountOnce();
    void aSpaceSaysWhatIsTaken();
};

void TestSettings::everyRowIsWhole() {
    QSet<QString> keys;
    for (const SettingSpec& spec : settingsSchema()) {
        QVERIFY2(!keys.contains(spec.key), spec.key);
        keys << spec.key;
        QVERIFY2(acceptedValue(spec, spec.standard).isValid(), spec.key);
        QCOMPARE(findSetting(spec.key), &spec);
        if (spec.level == SettingSpec::Level::Hidden) continue;
        QVERIFY2(*spec.title && *spec.help && *spec.section, spec.key);
        if (spec.kind == SettingSpec::Kind::Choice) QVERIFY2(!spec.choices.empty(), spec.key);
        if (spec.kind == SettingSpec::Kind::Integer) QVERIFY2(spec.step > 0 && spec.minimum < spec.maximum, spec.key);
    }
}

void TestSettings::everyValueSurvivesARestart() {
    QTemporaryDir folder;
    {
        Store store(folder.path());
        Settings settings(&store);
        waitUntilReady(settings);
        for (const SettingSpec& spec : settingsSchema()) settings.set(spec.key, another(spec));
    }
    Store store(folder.path());
    Settings settings(&store);
    waitUntilReady(settings);
    for (const SettingSpec& spec : settingsSchema()) {
        QVERIFY2(settings.value(spec.key) == acceptedValue(spec, another(spec)), spec.key);
        QVERIFY2(!settings.isDefault(spec.key), spec.key);
    }
}

void TestSettings::refusesWhatTheSchemaRefuses() {
    Settings settings(nullptr);
    QSignalSpy changed(&settings, &Settings::changed);
    settings.set("theme", "pink");
    settings.set("textScale", "large");
    settings.set("reducedMotion", "yes");
    settings.set("no such key", 1);
    QCOMPARE(changed.count(), 0);
    settings.set("textScale", 1000);
    QCOMPARE(settings.value("textScale").toInt(), 200);
    settings.set("textScale", 10);
    QCOMPARE(settings.value("textScale").toInt(), 80);
}

void TestSettings::resetGoesBackToTheDefault() {
    QTemporaryDir folder;
    {
        Store store(folder.path());
        Settings settings(&store);
        waitUntilReady(settings);
        settings.set("theme", "dark");
        settings.reset("theme");
        QVERIFY(settings.isDefault("theme"));
    }
    Store store(folder.path());
    Settings settings(&store);
    waitUntilReady(settings);
    QCOMPARE(settings.value("theme").toString(), QString("system"));
}

void TestSettings::mapFollowsValues() {
    Settings settings(nullptr);
    settings.set("theme", "dark");
    settings.set("window.page", "library");
    QCOMPARE(settings.values()->value("theme").toString(), QString("dark"));
    QCOMPARE(settings.values()->value("window_page").toString(), QString("library"));
}

void TestSettings::listShowsLevelsAndSearch() {
    Settings settings(nullptr);
    SettingsModel model(&settings, nullptr);
    const int basic = model.count();
    QVERIFY(basic > 4);
    model.setFull(true);
    QVERIFY(model.count() > basic);
    model.setFull(false);
    model.setSearch("threads");
    QCOMPARE(model.count(), 1);
    QCOMPARE(model.data(model.index(0), SettingsModel::KeyRole).toString(), QString("threads"));
    model.setSearch("no such words");
    QCOMPARE(model.count(), 0);
    for (const SettingSpec& spec : settingsSchema()) {
        if (spec.level == SettingSpec::Level::Hidden) continue;
        model.setSearch(spec.key);
        QVERIFY2(model.count() >= 1, spec.key);
        QVERIFY2(!model.data(model.index(0), SettingsModel::DefaultTextRole).toString().isEmpty(), spec.key);
    }
}

void TestSettings::refusedDevicesSayWhy() {
    Settings settings(nullptr);
    SettingsModel model(&settings, nullptr);
    DeviceInfo refused;
    refused.id = "vulkan:0";
    refused.name = "Old card";
    refused.usable = false;
    refused.reason = "It lacks buffer device addresses.";
    model.setDevices({refused});
    model.setSearch("device");
    QVariantList choices;
    for (int row = 0; row < model.count(); ++row)
        if (model.data(model.index(row), SettingsModel::KeyRole) == "device") choices = model.data(model.index(row), SettingsModel::ChoicesRole).toList();
    QCOMPARE(choices.size(), 2);
    QCOMPARE(choices[1].toMap().value("enabled").toBool(), false);
    QCOMPARE(choices[1].toMap().value("note").toString(), QString("It lacks buffer device addresses."));
}

void TestSettings::foldersCountOnce() {
    Settings settings(nullptr);
    SettingsModel model(&settings, nullptr);
    model.addFolder("modelFolders", QUrl::fromLocalFile("/models/a/"));
    model.addFolder("modelFolders", QUrl::fromLocalFile("/models/a"));
    QCOMPARE(settings.value("modelFolders").toStringList(), QStringList{"/models/a"});
    model.removeFolder("modelFolders", "/models/a");
    QVERIFY(settings.isDefault("modelFolders"));
}

void TestSettings::aSpaceSaysWhatIsTaken() {
    Settings settings(nullptr);
    SettingsModel model(&settings, nullptr);
    QSignalSpy asked(&model, &SettingsModel::takenAsked), freed(&model, &SettingsModel::freeAsked);
    model.refreshSpaces();
    QCOMPARE(asked.count(), 1);
    const QString key = asked[0][0].toString();
    model.setSearch(key);
    QCOMPARE(model.count(), 1);
    QCOMPARE(model.data(model.index(0), SettingsModel::KindRole).toString(), QString("space"));
    QVERIFY(model.data(model.index(0), SettingsModel::TakenTextRole).toString().isEmpty());
    model.setTaken(key, 1'500'000'000);
    QVERIFY(model.data(model.index(0), SettingsModel::TakenTextRole).toString().contains("1.5"));
    model.freeSpace(key);
    QCOMPARE(freed.count(), 1);
}

QTEST_MAIN(TestSettings)
#include "test_settings.moc"
