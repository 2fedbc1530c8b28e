// How well a model predicts a text, and how far it is from a reference: perplexity, and the divergence of every predicted
// token's distribution. By the rules of the field: the second half of each window is scored, logarithms are natural.
//
// Nothing grows with the text but one number for each token. Both models are loaded by the caller and take turns within a
// window. A reference that is kept in memory costs its weights; storing its distributions instead would take two bytes for
// each entry of the vocabulary and token, which is more than the weights for all but the shortest texts.
#pragma once

#include "engine/engine.h"
#include "engine/evaluate/text_windows.h"

namespace steelyard {

// A model that is loaded.
struct MeasuredModel {
    Engine& engine;
    ModelId model;
};

struct Divergence {
    double meanKl = 0, klP99 = 0; // KL(reference || model) in nats: the mean, and what 99 of 100 tokens stay below
    double sameTop = 0;           // share of the tokens at which both think the same one most probable
    double referencePerplexity = 0;
};

struct PerplexityResult {
    double perplexity = 0;
    uint64_t tokens = 0; // scored
    std::optional<Divergence> divergence;
};

struct PerplexityProgress {
    size_t windows = 0, allWindows = 0;
    double perplexity = 0; // so far
};

// `reference` may be null. `progress` is called after each window; `cancelled` ends the work within a step. The caller waits.
Result<PerplexityResult> measurePerplexity(const MeasuredModel& model, const MeasuredModel* reference, const TextWindows& windows,
                                           const std::function<void(const PerplexityProgress&)>& progress,
                                           const std::atomic<bool>& cancelled);

} // namespace steelyard
