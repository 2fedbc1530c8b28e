// The declaration of a layer's recurrent part: what it carries from token to token instead of a growing cache.
#pragma once

#include "kernels/ops/causal_conv.h"

#include <cstdint>
#include <variant>

namespace steelyard {

using ops::kMaxConvWidth;

// Mamba 2: a convolution and a state space (kernels/ops/ssm_scan.h).
struct Mamba2Spec {
    uint32_t heads = 0, headDim = 0, stateDim = 0, groups = 1, convWidth = 4;
    bool norm = false; // of the gated output, per group
    bool convBias = false;
    uint32_t inner() const { return heads * headDim; }
    uint32_t channels() const { return inner() + 2 * groups * stateDim; } // of the convolution: x, B, C
};

// A gated short convolution (LFM2).
struct ShortConvSpec {
    uint32_t channels = 0, width = 3;
};

// The gated delta rule (kernels/ops/delta_rule.h), with a convolution before queries, keys and values.
struct DeltaSpec {
    // How the file lays out the projections.
    enum class Form { QwenNext, QwenNextByHead, Qwen35, Kimi } form = Form::QwenNext;
    uint32_t keyHeads = 0, valueHeads = 0, headDimK = 0, headDimV = 0, convWidth = 4;
    uint32_t keys() const { return keyHeads * headDimK; }
    uint32_t values() const { return valueHeads * headDimV; }
};

using RecurrentSpec = std::variant<Mamba2Spec, ShortConvSpec, DeltaSpec>;

// Floats that one sequence keeps of the part: the convolution's last inputs, and the state behind them.
struct StateSize {
    uint64_t conv = 0, state = 0;
    uint64_t bytes() const { return (conv + state) * sizeof(float); }
};

inline StateSize stateSize(const RecurrentSpec& spec) {
    if (const auto* mamba = std::get_if<Mamba2Spec>(&spec))
        return {uint64_t(mamba->convWidth - 1) * mamba->channels(), uint64_t(mamba->inner()) * mamba->stateDim};
    if (const auto* conv = std::get_if<ShortConvSpec>(&spec)) return {uint64_t(conv->width - 1) * conv->channels, 0};
    const auto& delta = std::get<DeltaSpec>(spec);
    return {uint64_t(delta.convWidth - 1) * (2 * delta.keys() + delta.values()),
            uint64_t(delta.valueHeads) * delta.headDimV * delta.headDimK};
}

} // namespace steelyard
