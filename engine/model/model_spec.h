// The declaration of a model: everything that the transformer needs to know to run it, as plain data.
//
// An architecture (model/architectures/<name>.cpp) turns a file's metadata into a ModelSpec and does no arithmetic of the
// forward pass; transformer.cpp runs any spec and knows no architecture. Tensor names are GGUF's.
#pragma once

#include "engine/cache/cache_layout.h"
#include "kernels/ops/gated_activation.h"
#include "kernels/ops/rotary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace steelyard {

// How positions enter queries and keys.
struct RopeSpec {
    ops::RotaryMode mode = ops::RotaryMode::Adjacent;
    uint32_t dimensions = 0;     // of each head that turn
    float base = 10000.0f;
    float frequencyScale = 1.0f; // 1 / factor of linear or YaRN scaling
    float extrapolation = 0.0f;  // 1 with YaRN
    float magnitude = 1.0f;      // of the rotated values
    float correctionLow = 0.0f, correctionHigh = 0.0f; // YaRN's ramp, in pairs
    bool usesFactors = false;    // the file's rope_freqs tensor divides the frequencies
};

struct AttentionSpec {
    uint32_t heads = 0, kvHeads = 0, headDimK = 0, headDimV = 0;
    uint32_t window = 0;         // 0 = all positions
    float scale = 0;             // of the scores
    float softCap = 0;           // 0 = none
    bool bias = false;           // on q, k and v
    bool outputBias = false;
    bool headNorms = false;      // RMS norm of each query and key head before the rotation
    RopeSpec rope;
};

struct FeedForwardSpec {
    uint32_t length = 0;
    ops::GateFunction function = ops::GateFunction::Silu;
    bool bias = false;           // on gate, up and down
};

struct LayerSpec {
    AttentionSpec attention;
    FeedForwardSpec feedForward;
    bool postNorms = false;      // RMS norms after attention and after the feed-forward, before the residual sums
};

struct ModelSpec {
    std::string architecture;
    uint32_t vocabulary = 0, embedding = 0, trainedContext = 0;
    float normEpsilon = 1e-5f;
    float embeddingScale = 1.0f;
    float logitSoftCap = 0.0f;   // 0 = none
    bool tiedOutput = false;     // no output.weight: the embedding table serves
    std::vector<LayerSpec> layers;

    std::vector<CacheLayer> cacheLayers() const {
        std::vector<CacheLayer> result;
        for (const auto& layer : layers)
            result.push_back({layer.attention.kvHeads, layer.attention.headDimK, layer.attention.headDimV,
                              layer.attention.window});
        return result;
    }
};

} // namespace steelyard
