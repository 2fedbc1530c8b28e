// What the blocks of a layer share: where values lie, and the few ways in which ops are put together.
//
// A block is a sequence of op calls over a StepContext; it decides nothing about memory. Shapes: R = rows of the step,
// E = embedding length.
#pragma once

#include "engine/backend/backend.h"
#include "engine/cache/kv_cache.h"
#include "engine/model/activations.h"
#include "engine/model/model_spec.h"
#include "engine/model/weights.h"

#include <initializer_list>

namespace steelyard {

// The device addresses of one step.
struct StepContext {
    Device& device;
    const ModelSpec& spec;
    const KvCache& cache;
    ActivationLayout at;      // already moved to the arena's address
    StepDataLayout data;      // likewise
    uint32_t rows = 0;
    uint32_t longest = 0;     // longest position + 1 of the step, rounded up to its bucket
    uint32_t tableStride = 0;
    uint32_t maxSequences = 1;
    uint64_t ropeFactors = 0;

    uint64_t blockTable(uint32_t group) const { return data.tables + uint64_t(group) * maxSequences * tableStride * 4; }
};

// An activation that products read: as floats, and as 8-bit codes when one of its readers wants them.
struct PreparedInput {
    uint64_t values = 0, codes = 0, scales = 0, sums = 0;
    uint32_t columns = 0;
};

// Quantizes x [rows, columns] if one of the matrices multiplies with 8-bit activations.
PreparedInput prepare(const StepContext& step, uint64_t x, uint32_t rows, std::initializer_list<const Matrix*> readers);

// y [rows, matrix.rows] = input * matrix^T (+ bias) (+ residual).
struct LinearExtras {
    uint64_t bias = 0, residual = 0;
};
void linear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint64_t y,
            LinearExtras extras = {});

// y [rows, columns] = RMS norm of x; y may be x.
void norm(const StepContext& step, uint64_t x, const Vector& weight, uint32_t rows, uint32_t columns, uint64_t y);

// hidden += attention(norm(hidden)); writes the layer's keys and values to the cache first.
void attentionBlock(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer);

// hidden += feed-forward(norm(hidden)).
void feedForwardBlock(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights);

} // namespace steelyard
