// Shared-key attention: one key for all heads, which is the value too, so that attended values are turned back; layers with
// compression attend recent keys, and compressed keys of everything. Source: DeepSeek-AI, "DeepSeek-V4".
#include "engine/model/blocks/block.h"

#include <cmath>

namespace steelyard {

namespace {

// What compressed keys of one kind are made of.
struct Compressor {
    const Matrix& value;
    const Matrix& score;
    const Vector& bias;
    const Vector& norm;
    uint32_t dim, cacheLayer;
    uint64_t state; // of sequence state 0
};

// The last `dimensions` values of a head turn.
uint64_t turningPart(const RopeSpec& rope, uint64_t x, uint32_t headDim) { return x + uint64_t(headDim - rope.dimensions) * sizeof(float); }

// Compressed keys that the step's longest row may see, at most.
uint32_t visibleKeys(const StepContext& step, const CompressionSpec& spec) { return step.longest / spec.ratio; }

// Makes the keys of the groups that end in the step and stores them.
void compress(const StepContext& step, const CompressionSpec& spec, const RopeSpec& rope, const Compressor& compressor, const PreparedInput& x) {
    const uint32_t rows = step.rows;
    linear(step, x, compressor.value, rows, step.at.scratch[1]);
    linear(step, x, compressor.score, rows, step.at.scratch[2]);
    ops::CompressKeys op{};
    op.values = step.at.scratch[1];
    op.scores = step.at.scratch[2];
    op.bias = compressor.bias.address;
    op.y = step.at.value;
    op.state = compressor.state;
    op.positions = step.data.positions;
    op.runs = step.data.runs;
    op.stateStride = step.stateStride();
    op.sequences = step.shape.maxSequences;
    op.channels = compressor.dim;
    op.ratio = spec.ratio;
    op.overlap = spec.overlap;
    step.device.run(op);
    rmsNorm(step, compressor.norm, step.at.value, rows, compressor.dim, step.at.value);
    rotate(step, rope, turningPart(rope, step.at.value, compressor.dim), 1, compressor.dim, {spec.ratio});
    auto write = cacheWriteOf(step, compressor.cacheLayer);
    write.k = step.at.value;
    write.kvHeads = 1;
    write.headDimK = compressor.dim;
    step.device.run(write);
}

// step.at.indexIds of the compressed keys that each row attends; the index heads' weights are in step.at.routed.
void choose(const StepContext& step, const CompressionSpec& spec, const RopeSpec& rope, const PreparedInput& queries, const Matrix& query,
            uint32_t cacheLayer) {
    const auto& layout = step.cache.layout();
    const auto& place = layout.place(cacheLayer);
    const uint32_t rows = step.rows;
    linear(step, queries, query, rows, step.at.scratch[1]); // [R, heads, dim]
    rotate(step, rope, turningPart(rope, step.at.scratch[1], spec.index->dim), spec.index->heads, spec.index->dim);
    ops::IndexScores scores{};
    scores.q = step.at.scratch[1];
    scores.weights = step.at.routed;
    scores.cache = step.cache.groupAddress(place.group) + place.offsetK;
    scores.y = step.at.indexScores;
    scores.positions = step.data.positions;
    scores.sequences = step.data.sequences;
    scores.blockTable = step.blockTable(place.group);
    scores.blockStride = layout.groups()[place.group].blockBytes;
    scores.rows = rows;
    scores.heads = spec.index->heads;
    scores.dim = spec.index->dim;
    scores.entries = visibleKeys(step, spec);
    scores.tableStride = step.shape.tableStride;
    scores.ratio = spec.ratio;
    scores.type = layout.typeK();
    scores.scale = 1.0f / std::sqrt(static_cast<float>(spec.index->heads * spec.index->dim));
    step.device.run(scores);
    step.device.run(ops::SelectTop{scores.y, scores.positions, step.at.indexIds, rows, scores.entries, spec.index->count, spec.ratio});
}

void attendCompressed(const StepContext& step, const AttentionSpec& spec, uint32_t layer, uint32_t cacheLayer, uint64_t sinks, bool chosen) {
    const auto& layout = step.cache.layout();
    const auto& recent = layout.place(layer);
    const auto& distant = layout.place(cacheLayer);
    const auto& compression = *spec.sharedKey->compression;
    ops::CompressedAttention op{};
    op.q = step.at.query;
    op.y = step.at.attended;
    op.positions = step.data.positions;
    op.sequences = step.data.sequences;
    op.recentTable = step.blockTable(recent.group);
    op.distantTable = step.blockTable(distant.group);
    op.recentCache = step.cache.groupAddress(recent.group) + recent.offsetK;
    op.distantCache = step.cache.groupAddress(distant.group) + distant.offsetK;
    op.ids = chosen ? step.at.indexIds : 0;
    op.idCount = chosen ? compression.index->count : 0;
    op.sinks = sinks;
    op.recentStride = layout.groups()[recent.group].blockBytes;
    op.distantStride = layout.groups()[distant.group].blockBytes;
    op.rows = step.rows;
    op.heads = static_cast<uint16_t>(spec.heads);
    op.dim = static_cast<uint16_t>(spec.headDimK);
    op.tableStride = step.shape.tableStride;
    op.window = spec.window;
    op.ratio = compression.ratio;
    op.scale = spec.scale;
    op.type = layout.typeK();
    step.device.run(op);
}

} // namespace

void sharedKeyAttentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                             uint64_t input, Sink sink) {
    const auto& shared = *spec.sharedKey;
    const auto& rope = *spec.rope;
    const uint32_t rows = step.rows, dim = spec.headDimK;
    const uint32_t cacheLayer = step.spec.compressedLayer(layer);
    const auto x = prepare(step, input, rows, {&weights.queryDown, &weights.keyValueDown, &weights.compressValue, &weights.compressScore,
                                               &weights.indexValue, &weights.indexScore, &weights.indexWeight});
    linear(step, x, weights.queryDown, rows, step.at.scratch[0]);
    linear(step, x, weights.keyValueDown, rows, step.at.key);
    bool chosen = false;
    if (shared.compression) {
        const auto& compression = *shared.compression;
        const uint64_t state = step.state(layer), indexState = state + compressionState(compression, dim).keys * sizeof(float);
        compress(step, compression, rope, {weights.compressValue, weights.compressScore, weights.compressBias, weights.compressNorm, dim, cacheLayer, state}, x);
        if (compression.index) {
            compress(step, compression, rope, {weights.indexValue, weights.indexScore, weights.indexBias, weights.indexNorm, compression.index->dim,
                                               cacheLayer + 1, indexState}, x);
            chosen = visibleKeys(step, compression) > compression.index->count;
            if (chosen) linear(step, x, weights.indexWeight, rows, step.at.routed); // [R, index heads]
        }
    }
    rmsNorm(step, weights.keyValueNorm, step.at.key, rows, dim, step.at.key);
    rotate(step, rope, turningPart(rope, step.at.key, dim), 1, dim);
    storeKeys(step, spec, layer, step.at.key, 0);
    rmsNorm(step, weights.queryDownNorm, step.at.scratch[0], rows, shared.queryRank, step.at.scratch[0]);
    const auto queries = prepare(step, step.at.scratch[0], rows, {&weights.query, &weights.indexQuery});
    linear(step, queries, weights.query, rows, step.at.query); // [R, heads, dim]
    if (chosen) choose(step, *shared.compression, rope, queries, weights.indexQuery, cacheLayer + 1);
    rmsNorm(step, {}, step.at.query, rows * spec.heads, dim, step.at.query);
    rotate(step, rope, turningPart(rope, step.at.query, dim), spec.heads, dim);
    if (shared.compression) attendCompressed(step, spec, layer, cacheLayer, weights.sinks.address, chosen);
    else attend(step, spec, layer, weights.sinks.address);
    rotate(step, rope, turningPart(rope, step.at.attended, dim), spec.heads, dim, {1, true});
    const auto attended = prepare(step, step.at.attended, rows * shared.outputGroups, {&weights.outputDown});
    expertLinear(step, attended, weights.outputDown, rows, shared.outputGroups, step.at.scratch[0], {0, 0, shared.outputGroups, 0}); // [R, groups, rank]
    linear(step, prepare(step, step.at.scratch[0], rows, {&weights.output}), weights.output, rows, sink.y, {0, sink.residual});
}

} // namespace steelyard
