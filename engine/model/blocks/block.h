// What the blocks of a layer share: where values lie, and the few ways in which ops are put together.
//
// A block is a sequence of op calls over a StepContext; it decides nothing about memory. A block reads its input and gives
// its output into a Sink, so that one product can add to the residual stream. Shapes: R = rows of the step, E = embedding
// length.
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
    const ModelWeights& weights;
    const KvCache& cache;
    ActivationLayout at;      // already moved to the arena's address
    StepDataLayout data;      // likewise
    uint32_t rows = 0;
    uint32_t longest = 0;     // longest position + 1 of the step, rounded up to its bucket
    bool longFactors = false; // of the rotation, where a model has two kinds
    StepShape shape;
    const std::vector<uint64_t>& stateOffsets; // of each layer on its device
    uint32_t deviceNumber = 0;                 // among those of the model

    uint64_t blockTable(uint32_t group) const { return data.tables + uint64_t(group) * shape.maxSequences * shape.tableStride * 4; }
    // Address of a layer's state of sequence state 0, and how far states lie apart.
    uint64_t state(uint32_t layer) const { return cache.stateAddress(deviceNumber) + stateOffsets[layer]; }
    uint64_t stateStride() const { return cache.layout().arena(deviceNumber).stateBytes; }
};

// Where a block's output goes: y [R, E] = output (+ residual).
struct Sink {
    uint64_t y = 0, residual = 0;
};

// An activation that products read: as floats, and as 8-bit codes when one of its readers wants them.
struct PreparedInput {
    uint64_t values = 0, codes = 0, scales = 0, sums = 0;
    uint32_t columns = 0;
};

// Quantizes x [rows, columns] if one of the matrices multiplies with 8-bit activations. Matrices that the model lacks
// (no rows) do not count.
PreparedInput prepare(const StepContext& step, uint64_t x, uint32_t rows, std::initializer_list<const Matrix*> readers);

// y [rows, matrix.rows] = input * matrix^T (+ bias) (+ residual).
struct LinearExtras {
    uint64_t bias = 0, residual = 0;
};
void linear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint64_t y,
            LinearExtras extras = {});

// y [rows, slots, matrix.rows] = the product of each row with the matrices that ids [rows, slots] name; ids 0: one after the
// other. The input has rows * inputSlots rows. yStride 0 means contiguous.
struct ExpertExtras {
    uint64_t ids = 0, bias = 0;
    uint32_t inputSlots = 1, yStride = 0;
};
void expertLinear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint32_t slots, uint64_t y,
                  ExpertExtras extras);

// y [rows, columns] = norm of x of the model's kind; y may be x.
void norm(const StepContext& step, const NormWeights& weights, uint64_t x, uint32_t rows, uint32_t columns, uint64_t y);
// The same, always RMS.
void rmsNorm(const StepContext& step, const Vector& weight, uint64_t x, uint32_t rows, uint32_t columns, uint64_t y);

// y [rows, columns] = f(gate) (* up, where it is not 0).
void activate(const StepContext& step, const ActivationSpec& spec, uint64_t gate, uint64_t up, uint64_t y, uint32_t rows, uint32_t columns);

// The rotation of x [rows, heads, stride], of which `dimensions` values from the start turn; `back` undoes it. Compressed keys
// turn by the position at which their group of `ratio` begins.
struct RotateExtras {
    uint32_t ratio = 1;
    bool back = false;
};
void rotate(const StepContext& step, const RopeSpec& rope, uint64_t x, uint32_t heads, uint32_t stride, RotateExtras extras = {});

// y [rows, table.columns] = scale * rows of a table by ids.
void lookUp(const StepContext& step, const Matrix& table, uint64_t ids, uint32_t rows, uint32_t tableRows, float scale, uint64_t y);
// step.at.perLayer [R, layers, width]: what each layer adds of its own for the step's tokens (Gemma 4).
void perLayerEmbeddings(const StepContext& step);

// A write to one of the layers of ModelSpec::cacheLayers, without what is written and its shape.
ops::CacheWrite cacheWriteOf(const StepContext& step, uint32_t cacheLayer);
// Stores the step's keys and values for the layer (unless it reads another's) and attends: step.at.attended.
void storeKeys(const StepContext& step, const AttentionSpec& spec, uint32_t layer, uint64_t key, uint64_t value);
void attend(const StepContext& step, const AttentionSpec& spec, uint32_t layer, uint64_t sinks);

// The parts of a layer; `input` is [R, E].
void attentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                    uint64_t input, Sink sink);
void latentAttentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                          uint64_t input, Sink sink);
void sharedKeyAttentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                             uint64_t input, Sink sink);
void recurrentBlock(const StepContext& step, const RecurrentSpec& spec, const RecurrentWeights& weights, uint32_t layer,
                    uint64_t input, Sink sink);
void mamba2Block(const StepContext& step, const Mamba2Spec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink);
void shortConvBlock(const StepContext& step, const ShortConvSpec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink);
void deltaBlock(const StepContext& step, const DeltaSpec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink);
void feedForwardBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input, Sink sink);
void expertsBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input, Sink sink);
// Dense part and experts side by side, each with norms of its own; `hidden` is what the router reads.
void pairedFeedForwardBlock(const StepContext& step, const FeedForwardSpec& spec, const FeedForwardWeights& weights, uint64_t input,
                            uint64_t hidden, uint64_t y);

// One layer: mixer, then feed-forward, around the residual stream step.at.hidden. Unless a layer's parts are parallel, only
// the residual stream goes from one to the other.
void runMixer(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer);
void runFeedForward(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer);

// Hyper-connections: the streams begin as copies of step.at.hidden; a layer reads and feeds them; the head reads those of some
// rows into step.at.outputHidden [outputs, E].
void beginStreams(const StepContext& step);
void runHyperLayer(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer);
void readStreams(const StepContext& step, uint32_t outputs);

} // namespace steelyard
