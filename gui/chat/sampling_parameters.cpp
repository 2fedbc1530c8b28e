#include "gui/chat/sampling_parameters.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <limits>

namespace steelyard {
namespace {

constexpr int kShownLogprobs = 5; // the alternatives that the tokens view shows

bool applySeed(const QString& text, SamplingOptions& options) {
    bool isNumber = false;
    const qulonglong seed = text.trimmed().toULongLong(&isNumber);
    if (isNumber) options.seed = seed;
    return isNumber;
}

// "1678=-100, 42=false".
bool applyBiases(const QString& text, SamplingOptions& options) {
    std::vector<LogitBias> biases;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        static const QRegularExpression kBias(QStringLiteral(R"(^\s*(\d{1,9})\s*[=:]\s*(-?\d{1,4}(?:\.\d{1,6})?|false)\s*$)"));
        const auto match = kBias.match(part);
        if (!match.hasMatch()) return false;
        const bool banned = match.captured(2) == QLatin1String("false");
        biases.push_back({match.captured(1).toInt(), banned ? -std::numeric_limits<float>::infinity() : match.captured(2).toFloat()});
    }
    options.logitBias = std::move(biases);
    return true;
}

bool applyOrder(const QString& text, SamplingOptions& options) {
    static const QStringList kStages = {QStringLiteral("penalties"), QStringLiteral("dry"),   QStringLiteral("top_n_sigma"), QStringLiteral("top_k"), QStringLiteral("typical"),
                                        QStringLiteral("top_p"),     QStringLiteral("min_p"), QStringLiteral("xtc"),         QStringLiteral("temperature")};
    std::vector<std::string> order;
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[\\s,;]+")), Qt::SkipEmptyParts)) {
        const std::string name = part.toStdString();
        if (!kStages.contains(part) || std::find(order.begin(), order.end(), name) != order.end()) return false;
        order.push_back(name);
    }
    options.order = std::move(order);
    return true;
}

} // namespace

const std::vector<SamplingParameter>& samplingParameters() {
    using O = SamplingOptions;
    static constexpr const char *kCut = QT_TRANSLATE_NOOP("SamplingModel", "Leaving tokens out"), *kRepeat = QT_TRANSLATE_NOOP("SamplingModel", "Repetition"),
                                *kTemperature = QT_TRANSLATE_NOOP("SamplingModel", "Changing temperature"), *kMirostat = QT_TRANSLATE_NOOP("SamplingModel", "Even surprise");
    static const std::vector<SamplingParameter> kRows = {
        {"temperature", QT_TRANSLATE_NOOP("SamplingModel", "Temperature"), QT_TRANSLATE_NOOP("SamplingModel", "0 always takes the most probable token; higher values vary more."), nullptr, 0, 2, 0.05, &O::temperature},
        {"topP", QT_TRANSLATE_NOOP("SamplingModel", "Top-p"), QT_TRANSLATE_NOOP("SamplingModel", "Only the most probable tokens that together reach this share are drawn from; 1 is off."), nullptr, 0, 1, 0.01, &O::topP},
        {"topK", QT_TRANSLATE_NOOP("SamplingModel", "Top-k"), QT_TRANSLATE_NOOP("SamplingModel", "Only so many of the most probable tokens are drawn from; 0 is off."), kCut, 0, 200, 1, nullptr, &O::topK},
        {"minP", QT_TRANSLATE_NOOP("SamplingModel", "Min-p"), QT_TRANSLATE_NOOP("SamplingModel", "Tokens less probable than this share of the best one are left out; 0 is off."), kCut, 0, 1, 0.01, &O::minP},
        {"typicalP", QT_TRANSLATE_NOOP("SamplingModel", "Typical-p"), QT_TRANSLATE_NOOP("SamplingModel", "Keeps the tokens that surprise about as much as expected, up to this share; 1 is off."), kCut, 0, 1, 0.01, &O::typicalP},
        {"topNSigma", QT_TRANSLATE_NOOP("SamplingModel", "Top-n-sigma"), QT_TRANSLATE_NOOP("SamplingModel", "Leaves out tokens that lie more than so many standard deviations below the best one; 0 is off."), kCut, 0, 10, 0.1, &O::topNSigma},
        {"xtcProbability", QT_TRANSLATE_NOOP("SamplingModel", "XTC probability"), QT_TRANSLATE_NOOP("SamplingModel", "How often the obvious choices are left out, for more unusual text; 0 is off."), kCut, 0, 1, 0.01, &O::xtcProbability},
        {"xtcThreshold", QT_TRANSLATE_NOOP("SamplingModel", "XTC threshold"), QT_TRANSLATE_NOOP("SamplingModel", "From this probability on a choice counts as obvious; above 0.5 nothing is left out."), kCut, 0, 1, 0.01, &O::xtcThreshold},
        {"minKeep", QT_TRANSLATE_NOOP("SamplingModel", "Keep at least"), QT_TRANSLATE_NOOP("SamplingModel", "So many tokens stay, whatever would be left out."), kCut, 1, 20, 1, nullptr, &O::minKeep},
        {"repeatPenalty", QT_TRANSLATE_NOOP("SamplingModel", "Repetition penalty"), QT_TRANSLATE_NOOP("SamplingModel", "Above 1, tokens of the question and the reply become less likely; 1 is off."), kRepeat, 0.5, 2, 0.01, &O::repeatPenalty},
        {"repeatLastN", QT_TRANSLATE_NOOP("SamplingModel", "Looks back"), QT_TRANSLATE_NOOP("SamplingModel", "So many of the last tokens count for the three penalties; -1 is all, 0 is off."), kRepeat, -1, 2048, 1, nullptr, &O::repeatLastN},
        {"frequencyPenalty", QT_TRANSLATE_NOOP("SamplingModel", "Frequency penalty"), QT_TRANSLATE_NOOP("SamplingModel", "Makes a token less likely each time it stands in the reply; 0 is off."), kRepeat, -2, 2, 0.05, &O::frequencyPenalty},
        {"presencePenalty", QT_TRANSLATE_NOOP("SamplingModel", "Presence penalty"), QT_TRANSLATE_NOOP("SamplingModel", "Makes a token less likely once it stands in the reply; 0 is off."), kRepeat, -2, 2, 0.05, &O::presencePenalty},
        {"dryMultiplier", QT_TRANSLATE_NOOP("SamplingModel", "DRY strength"), QT_TRANSLATE_NOOP("SamplingModel", "Makes it less likely that a whole passage is written again; 0 is off, 0.8 is usual."), kRepeat, 0, 5, 0.05, &O::dryMultiplier},
        {"dryBase", QT_TRANSLATE_NOOP("SamplingModel", "DRY growth"), QT_TRANSLATE_NOOP("SamplingModel", "How fast that grows with the length of the passage."), kRepeat, 1, 4, 0.05, &O::dryBase},
        {"dryAllowedLength", QT_TRANSLATE_NOOP("SamplingModel", "DRY free length"), QT_TRANSLATE_NOOP("SamplingModel", "Passages shorter than this may repeat freely."), kRepeat, 1, 20, 1, nullptr, &O::dryAllowedLength},
        {"dryLastN", QT_TRANSLATE_NOOP("SamplingModel", "DRY looks back"), QT_TRANSLATE_NOOP("SamplingModel", "So many of the last tokens are searched for the passage; -1 is all, 0 is off."), kRepeat, -1, 4096, 1, nullptr, &O::dryLastN},
        {"temperatureRange", QT_TRANSLATE_NOOP("SamplingModel", "Range"), QT_TRANSLATE_NOOP("SamplingModel", "The temperature falls by up to this where the model is sure and rises where it is not; 0 is off."), kTemperature, 0, 2, 0.05, &O::temperatureRange},
        {"temperatureExponent", QT_TRANSLATE_NOOP("SamplingModel", "Exponent"), QT_TRANSLATE_NOOP("SamplingModel", "Above 1 the temperature stays low for longer, below 1 it rises sooner."), kTemperature, 0.1, 5, 0.1, &O::temperatureExponent},
        {"mirostatTau", QT_TRANSLATE_NOOP("SamplingModel", "Mirostat surprise"), QT_TRANSLATE_NOOP("SamplingModel", "Keeps the text at this surprise, in bits, in place of the numbers that leave tokens out; 0 is off, 5 is usual."), kMirostat, 0, 10, 0.1, &O::mirostatTau},
        {"mirostatEta", QT_TRANSLATE_NOOP("SamplingModel", "Mirostat pace"), QT_TRANSLATE_NOOP("SamplingModel", "How fast it corrects itself."), kMirostat, 0, 1, 0.01, &O::mirostatEta},
    };
    return kRows;
}

const std::vector<SamplingText>& samplingTexts() {
    static const std::vector<SamplingText> kRows = {
        {"seed", QT_TRANSLATE_NOOP("SamplingModel", "Seed"), QT_TRANSLATE_NOOP("SamplingModel", "The same seed makes the same choices again; empty is a new one each time. The one used stands under \"why?\"."), QT_TRANSLATE_NOOP("SamplingModel", "random"), applySeed},
        {"logitBias", QT_TRANSLATE_NOOP("SamplingModel", "Token biases"), QT_TRANSLATE_NOOP("SamplingModel", "Numbers of tokens and what is added to their score: 1678=-5. The word false bans a token: 1678=false."), QT_TRANSLATE_NOOP("SamplingModel", "none"), applyBiases},
        {"order", QT_TRANSLATE_NOOP("SamplingModel", "Order of stages"), QT_TRANSLATE_NOOP("SamplingModel", "Stages that are not named are off. Usual: penalties, dry, top_n_sigma, top_k, typical, top_p, min_p, xtc, temperature."), QT_TRANSLATE_NOOP("SamplingModel", "usual"), applyOrder},
    };
    return kRows;
}

ReplyForm replyFormOf(const QJsonObject& own) {
    return static_cast<ReplyForm>(std::clamp(own.value(QLatin1String(kFormKey)).toInt(), 0, static_cast<int>(ReplyForm::Grammar)));
}

void applyOwnSampling(const QJsonObject& own, GenerateRequest& request) {
    for (const auto& row : samplingParameters()) {
        const QJsonValue value = own.value(QLatin1String(row.key));
        if (!value.isDouble()) continue;
        const double number = std::clamp(value.toDouble(), row.from, row.to);
        if (row.real) request.sampling.*row.real = static_cast<float>(number);
        else request.sampling.*row.whole = static_cast<int32_t>(number);
    }
    for (const auto& row : samplingTexts())
        if (const QString text = own.value(QLatin1String(row.key)).toString(); !text.trimmed().isEmpty()) (void)row.apply(text, request.sampling);
    const std::string form = own.value(QLatin1String(kFormTextKey)).toString().toStdString();
    switch (replyFormOf(own)) {
    case ReplyForm::AnyText: break;
    case ReplyForm::Json: request.jsonSchema = R"({"type": "object"})"; break;
    case ReplyForm::JsonSchema: request.jsonSchema = form; break;
    case ReplyForm::Grammar: request.grammar = form; break;
    }
    if (own.value(QLatin1String(kLogprobsKey)).toBool()) request.logprobs = kShownLogprobs;
}

} // namespace steelyard
