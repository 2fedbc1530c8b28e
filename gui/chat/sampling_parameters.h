// What a person can set about how tokens are chosen: one row per number, with its name, its range and where the engine keeps it.
//
// Invariant: only what was chosen for a chat is stored with it; the rest is what suits the model. Knows nothing of chats or of how it is
// shown.
#pragma once

#include "engine/request.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace steelyard {

struct SamplingParameter {
    const char* key;         // as it is stored with the chat
    const char *label, *tip; // to be translated in the context "SamplingModel"
    const char* group;       // likewise; none = always shown
    double from, to, step;
    float SamplingOptions::* real = nullptr;
    int32_t SamplingOptions::* whole = nullptr;

    double of(const SamplingOptions& options) const { return real ? double(options.*real) : double(options.*whole); }
};
const std::vector<SamplingParameter>& samplingParameters();

// The same for what is written as text: a seed, biases, the order of stages.
struct SamplingText {
    const char* key;
    const char *label, *tip, *example;
    // Takes a text into the options; false when it cannot be read.
    bool (*apply)(const QString& text, SamplingOptions& options);
};
const std::vector<SamplingText>& samplingTexts();

// The form of a reply, as it is stored: what kind, and its text.
enum class ReplyForm { AnyText = 0, Json = 1, JsonSchema = 2, Grammar = 3 };
ReplyForm replyFormOf(const QJsonObject& own);
inline constexpr const char *kFormKey = "form", *kFormTextKey = "formText", *kLogprobsKey = "logprobs";

// Puts what was chosen for a chat into a request, over what suits the model.
void applyOwnSampling(const QJsonObject& own, GenerateRequest& request);

} // namespace steelyard
