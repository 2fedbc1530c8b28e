#include "gui/settings/settings_schema.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace steelyard {

namespace {

using Kind = SettingSpec::Kind;
using Level = SettingSpec::Level;

constexpr SettingSpec::Choice kLanguages[] = {{"system", QT_TRANSLATE_NOOP("SettingsSchema", "As the system")},
                                              {"en", "English"},
                                              {"ru", "Русский"}};
constexpr SettingSpec::Choice kThemes[] = {{"system", QT_TRANSLATE_NOOP("SettingsSchema", "As the system")},
                                           {"light", QT_TRANSLATE_NOOP("SettingsSchema", "Light")},
                                           {"dark", QT_TRANSLATE_NOOP("SettingsSchema", "Dark")}};

// The engine's names of cache types; those that cost more than another of their size are left to the command line.
constexpr SettingSpec::Choice kCacheTypes[] = {{"f32", QT_TRANSLATE_NOOP("SettingsSchema", "32 bits: twice the memory")},
                                               {"f16", QT_TRANSLATE_NOOP("SettingsSchema", "16 bits: nothing is lost")},
                                               {"q8_0", QT_TRANSLATE_NOOP("SettingsSchema", "8 bits: half the memory, hardly any loss")},
                                               {"q5_1", QT_TRANSLATE_NOOP("SettingsSchema", "5 bits: three eighths of the memory, a small loss")},
                                               {"iq4_nl", QT_TRANSLATE_NOOP("SettingsSchema", "4 bits: a good quarter of the memory, replies may suffer")}};

constexpr const char* kAppearance = QT_TRANSLATE_NOOP("SettingsSchema", "Appearance");
constexpr const char* kEngine = QT_TRANSLATE_NOOP("SettingsSchema", "Engine");
constexpr const char* kReplies = QT_TRANSLATE_NOOP("SettingsSchema", "Replies");
constexpr const char* kChats = QT_TRANSLATE_NOOP("SettingsSchema", "Chats");
constexpr const char* kFiles = QT_TRANSLATE_NOOP("SettingsSchema", "Models");
constexpr const char* kTokens = QT_TRANSLATE_NOOP("SettingsSchema", "tokens");

// One row per setting.
const std::array kSchema = {
    SettingSpec{"language", Kind::Choice, Level::Basic, kAppearance, QT_TRANSLATE_NOOP("SettingsSchema", "Language"),
                QT_TRANSLATE_NOOP("SettingsSchema", "The language of the window; it changes at once."), "system", 0, 0, 0, "", kLanguages},
    SettingSpec{"theme", Kind::Choice, Level::Basic, kAppearance, QT_TRANSLATE_NOOP("SettingsSchema", "Theme"),
                QT_TRANSLATE_NOOP("SettingsSchema", "Light or dark."), "system", 0, 0, 0, "", kThemes},
    SettingSpec{"textScale", Kind::Integer, Level::Basic, kAppearance, QT_TRANSLATE_NOOP("SettingsSchema", "Text size"),
                QT_TRANSLATE_NOOP("SettingsSchema", "The size of all text in the window."), 100, 80, 200, 10, "%"},
    SettingSpec{"reducedMotion", Kind::Switch, Level::Basic, kAppearance, QT_TRANSLATE_NOOP("SettingsSchema", "Reduced motion"),
                QT_TRANSLATE_NOOP("SettingsSchema", "Nothing fades or slides; gauges jump to their value."), false},
    SettingSpec{"device", Kind::Device, Level::Basic, kEngine, QT_TRANSLATE_NOOP("SettingsSchema", "Device"),
                QT_TRANSLATE_NOOP("SettingsSchema", "Where models run. Automatic takes the fastest device that works; it counts from the next load."), "auto"},
    SettingSpec{"contextLength", Kind::Integer, Level::Basic, kEngine, QT_TRANSLATE_NOOP("SettingsSchema", "Context length"),
                QT_TRANSLATE_NOOP("SettingsSchema", "How much of a chat the model can see. Left empty, it is the model's own, up to 4,096 tokens. A longer context takes more memory for the KV cache; it counts from the next load."),
                0, 0, 1048576, 256, kTokens, {}, QT_TRANSLATE_NOOP("SettingsSchema", "up to 4,096")},
    SettingSpec{"kvType", Kind::Choice, Level::Basic, kEngine, QT_TRANSLATE_NOOP("SettingsSchema", "KV cache"),
                QT_TRANSLATE_NOOP("SettingsSchema", "How exactly the model keeps what it has read. Fewer bits leave room for longer chats; models that cannot bear it keep 16 bits. It counts from the next load."),
                "f16", 0, 0, 0, "", kCacheTypes},
    SettingSpec{"threads", Kind::Integer, Level::Full, kEngine, QT_TRANSLATE_NOOP("SettingsSchema", "Processor threads"),
                QT_TRANSLATE_NOOP("SettingsSchema", "How many threads work when a model runs on the processor; it counts from the next load."),
                0, 0, 256, 1, "", {}, QT_TRANSLATE_NOOP("SettingsSchema", "physical cores")},
    SettingSpec{"replyLimit", Kind::Integer, Level::Basic, kReplies, QT_TRANSLATE_NOOP("SettingsSchema", "Reply limit"),
                QT_TRANSLATE_NOOP("SettingsSchema", "A reply ends after so many tokens, unless its chat says otherwise."), 0, 0, 65536, 64, kTokens, {},
                QT_TRANSLATE_NOOP("SettingsSchema", "no limit")},
    SettingSpec{"guessAhead", Kind::Switch, Level::Basic, kReplies, QT_TRANSLATE_NOOP("SettingsSchema", "Guess ahead"),
                QT_TRANSLATE_NOOP("SettingsSchema", "Tokens that followed the same words before are guessed and checked together, which is faster where a text repeats itself. The text stays the same. The inspector of a chat chooses it for one model."), true},
    SettingSpec{"readAhead", Kind::Switch, Level::Basic, kReplies, QT_TRANSLATE_NOOP("SettingsSchema", "Read ahead while typing"),
                QT_TRANSLATE_NOOP("SettingsSchema", "When you pause, the model reads the chat and your draft so far, so that the reply starts sooner."), true},
    SettingSpec{"slowStream", Kind::Integer, Level::Full, kReplies, QT_TRANSLATE_NOOP("SettingsSchema", "Slow to stream above"),
                QT_TRANSLATE_NOOP("SettingsSchema", "A reply with more time than this between its tokens, in the median, is called slow to stream."), 100, 10, 2000, 10,
                QT_TRANSLATE_NOOP("SettingsSchema", "ms")},
    SettingSpec{"keepChats", Kind::Switch, Level::Basic, kChats, QT_TRANSLATE_NOOP("SettingsSchema", "Keep chats warm on disk"),
                QT_TRANSLATE_NOOP("SettingsSchema", "What a model has read of a chat is kept in a file when it must leave memory, so that the chat goes on at once when you return to it. Turning this off removes these files."),
                true},
    SettingSpec{"keptChatsSpace", Kind::Space, Level::Basic, kChats, QT_TRANSLATE_NOOP("SettingsSchema", "Space for warm chats"),
                QT_TRANSLATE_NOOP("SettingsSchema", "When the files take more, the chats that were used longest ago lose theirs. Deleting them loses no chat: the next answer only starts later."),
                4, 1, 1024, 1, QT_TRANSLATE_NOOP("SettingsSchema", "GB")},
    SettingSpec{"modelFolders", Kind::Folders, Level::Basic, kFiles, QT_TRANSLATE_NOOP("SettingsSchema", "Model folders"),
                QT_TRANSLATE_NOOP("SettingsSchema", "Folders whose GGUF files the library shows besides its own; the files stay where they are."), QStringList()},
    SettingSpec{"window.geometry", Kind::Text, Level::Hidden, "", "", "", ""},
    SettingSpec{"window.sidebarShown", Kind::Switch, Level::Hidden, "", "", "", true},
    SettingSpec{"window.inspectorShown", Kind::Switch, Level::Hidden, "", "", "", true},
    SettingSpec{"window.sidebarWidth", Kind::Integer, Level::Hidden, "", "", "", 260, 200, 480},
    SettingSpec{"window.inspectorWidth", Kind::Integer, Level::Hidden, "", "", "", 288, 256, 520},
    SettingSpec{"window.dismissedNotice", Kind::Text, Level::Hidden, "", "", "", ""},
    SettingSpec{"window.page", Kind::Text, Level::Hidden, "", "", "", "chat"},
};

} // namespace

std::span<const SettingSpec> settingsSchema() { return kSchema; }

const SettingSpec* findSetting(const QString& key) {
    const auto found = std::find_if(kSchema.begin(), kSchema.end(), [&](const SettingSpec& spec) { return key == QLatin1String(spec.key); });
    return found == kSchema.end() ? nullptr : &*found;
}

QVariant acceptedValue(const SettingSpec& spec, const QVariant& value) {
    switch (spec.kind) {
    case Kind::Choice: {
        const QString text = value.toString();
        const bool known = std::any_of(spec.choices.begin(), spec.choices.end(),
                                       [&](const SettingSpec::Choice& choice) { return text == QLatin1String(choice.value); });
        return known ? QVariant(text) : QVariant();
    }
    case Kind::Integer:
    case Kind::Space:
    case Kind::Number: {
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        if (!isNumber || !std::isfinite(number)) return {};
        const double inside = std::clamp(number, spec.minimum, spec.maximum);
        if (spec.kind == Kind::Number) return inside;
        return static_cast<qint64>(std::llround(inside));
    }
    case Kind::Switch:
        return value.typeId() == QMetaType::Bool ? value : QVariant();
    case Kind::Folders:
        return value.canConvert<QStringList>() ? QVariant(value.toStringList()) : QVariant();
    case Kind::Device:
    case Kind::Text:
        return value.canConvert<QString>() ? QVariant(value.toString()) : QVariant();
    }
    return {};
}

QString settingText(const char* text) {
    return *text ? QCoreApplication::translate("SettingsSchema", text) : QString();
}

} // namespace steelyard
