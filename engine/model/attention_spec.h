// The declaration of an attention layer: heads, window, rotation, and the variants that models have.
#pragma once

#include "kernels/ops/rotary.h"

#include <cstdint>
#include <optional>

namespace steelyard {

// Which of the file's tensors divide the rotation's frequencies.
enum class RopeFactors { None, Plain, LongOrShort };

// How positions enter queries and keys.
struct RopeSpec {
    ops::RotaryMode mode = ops::RotaryMode::Adjacent;
    uint32_t dimensions = 0;     // of each head that turn
    float base = 10000.0f;
    float frequencyScale = 1.0f; // 1 / factor of linear or YaRN scaling
    float extrapolation = 0.0f;  // 1 with YaRN
    float magnitude = 1.0f;      // of the rotated values
    float correctionLow = 0.0f, correctionHigh = 0.0f; // YaRN's ramp, in pairs
    RopeFactors factors = RopeFactors::None; // rope_freqs, or rope_factors_long and rope_factors_short
};

// The op that turns by a rotation; what is turned, by which positions and factors, is left to the caller.
inline ops::Rotary rotaryOf(const RopeSpec& rope) {
    ops::Rotary op{};
    op.dimensions = rope.dimensions;
    op.mode = rope.mode;
    op.base = rope.base;
    op.frequencyScale = rope.frequencyScale;
    op.extrapolation = rope.extrapolation;
    op.magnitude = rope.magnitude;
    op.correctionLow = rope.correctionLow;
    op.correctionHigh = rope.correctionHigh;
    op.direction = 1.0f;
    op.ratio = 1;
    return op;
}

enum class HeadNormKind { Rms, Layer };
// What one query or key norm covers: a head with weights shared by all, a head with its own weights, or all heads at once.
enum class HeadNormScope { Shared, PerHead, Whole };

struct HeadNormSpec {
    HeadNormKind kind = HeadNormKind::Rms;
    HeadNormScope scope = HeadNormScope::Shared;
    bool afterRotation = false;
    bool weightless = false; // no tensors (Llama 4)
};

// Latent attention: keys and values come from one small vector per token, which is all that the cache holds.
// Source: DeepSeek-AI, "DeepSeek-V2", section 2.1.
struct LatentSpec {
    uint32_t queryRank = 0;   // 0: queries are projected directly
    uint32_t rank = 0;        // of the vector that keys and values share
    uint32_t rotatedDim = 0;  // values of a head that turn, one key part for all heads
    uint32_t plainDim = 0;    // values of a query head that do not turn
    uint32_t valueDim = 0;    // of a head, after the vector is expanded
};

// One key per group of tokens besides the recent tokens' own keys (kernels/ops/compress_keys.h).
struct CompressionSpec {
    uint32_t ratio = 0;      // tokens of a group
    bool overlap = false;    // a key also sees the group before its own
    // Which of them a token attends: those of the largest scores by index heads of their own (kernels/ops/index_scores.h).
    struct Index {
        uint32_t heads = 0, dim = 0, count = 0;
    };
    std::optional<Index> index; // none: all
};

// Floats that one sequence keeps of a layer's keys that are not compressed yet: of the keys, and behind them of the index keys.
struct CompressionState {
    uint64_t keys = 0, index = 0;
    uint64_t bytes() const { return (keys + index) * sizeof(float); }
};
CompressionState compressionState(const CompressionSpec& spec, uint32_t headDim);

// Shared-key attention: all heads have one key, which is the value too. Queries and outputs pass through vectors of lower rank,
// the output by groups of heads. Source: DeepSeek-AI, "DeepSeek-V4".
struct SharedKeySpec {
    uint32_t queryRank = 0;
    uint32_t outputGroups = 1, outputRank = 0; // the rank of each group
    std::optional<CompressionSpec> compression;
};

struct AttentionSpec {
    uint32_t heads = 0, kvHeads = 0, headDimK = 0, headDimV = 0;
    uint32_t window = 0;         // 0 = all positions
    uint32_t chunk = 0;          // attends within chunks of so many positions; 0 = no chunks
    float scale = 0;             // of the scores
    float softCap = 0;           // 0 = none
    float temperatureScale = 0;  // the scores' scale grows with the position (Llama 4); 0 = it does not
    uint32_t temperatureLength = 1, temperatureOffset = 0;
    bool fused = false;          // attn_qkv instead of three tensors
    bool queryBias = false, keyBias = false, valueBias = false, outputBias = false;
    bool sinks = false;
    bool outputGate = false;     // attn_q holds a gate of the output beside each head's query (Qwen 3 Next)
    bool valueFromKey = false;   // no attn_v: the value is the key before norm and rotation (Gemma 4)
    bool valueNorm = false;      // RMS norm of each value head, without weights (Gemma 4)
    std::optional<uint32_t> cacheOf; // reads the cache of this earlier layer and has no keys and values of its own
    std::optional<HeadNormSpec> headNorms;
    std::optional<LatentSpec> latent; // then heads query one cache head: kvHeads is 1, headDimK rank + rotatedDim
    std::optional<SharedKeySpec> sharedKey; // then kvHeads is 1, and headDimK and headDimV are the same
    std::optional<RopeSpec> rope;     // none: positions do not enter

    // The cache holds keys only: values are part of them.
    bool valuesInKeys() const { return latent || sharedKey; }
};

} // namespace steelyard
