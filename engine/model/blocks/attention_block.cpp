// Grouped-query attention over the paged cache, with optional biases, head norms, window, soft cap and post norm.
#include "engine/model/blocks/block.h"

namespace steelyard {

namespace {

void rotate(const StepContext& step, const RopeSpec& rope, uint64_t x, uint32_t heads, uint32_t headDim) {
    ops::Rotary op{};
    op.x = x;
    op.positions = step.data.positions;
    op.factors = rope.usesFactors ? step.ropeFactors : 0;
    op.rows = step.rows;
    op.heads = heads;
    op.headDim = headDim;
    op.dimensions = rope.dimensions;
    op.mode = rope.mode;
    op.base = rope.base;
    op.frequencyScale = rope.frequencyScale;
    op.extrapolation = rope.extrapolation;
    op.magnitude = rope.magnitude;
    op.correctionLow = rope.correctionLow;
    op.correctionHigh = rope.correctionHigh;
    step.device.run(op);
}

// Stores the step's keys and values, then attends: attended [R, heads * headDimV].
void attend(const StepContext& step, const AttentionSpec& spec, uint32_t layer) {
    const auto& layout = step.cache.layout();
    const auto& place = layout.place(layer);
    const uint64_t block0 = step.cache.groupAddress(place.group);
    ops::CacheWrite write{};
    write.k = step.at.key;
    write.v = step.at.value;
    write.positions = step.data.positions;
    write.sequences = step.data.sequences;
    write.blockTable = step.blockTable(place.group);
    write.cacheK = block0 + place.offsetK;
    write.cacheV = block0 + place.offsetV;
    write.blockStride = layout.groups()[place.group].blockBytes;
    write.rows = step.rows;
    write.kvHeads = spec.kvHeads;
    write.headDimK = spec.headDimK;
    write.headDimV = spec.headDimV;
    write.tableStride = step.tableStride;
    write.typeK = layout.typeK();
    write.typeV = layout.typeV();
    step.device.run(write);

    ops::Attention op{};
    op.q = step.at.query;
    op.y = step.at.attended;
    op.positions = step.data.positions;
    op.sequences = step.data.sequences;
    op.blockTable = write.blockTable;
    op.cacheK = write.cacheK;
    op.cacheV = write.cacheV;
    op.blockStride = write.blockStride;
    op.rows = step.rows;
    op.heads = static_cast<uint16_t>(spec.heads);
    op.kvHeads = static_cast<uint16_t>(spec.kvHeads);
    op.headDimK = static_cast<uint16_t>(spec.headDimK);
    op.headDimV = op.valueStride = static_cast<uint16_t>(spec.headDimV);
    op.tableStride = step.tableStride;
    op.window = spec.window;
    op.scale = spec.scale;
    op.softCap = spec.softCap;
    op.splits = static_cast<uint16_t>(step.device.attentionSplits(step.rows, spec.heads, step.longest));
    op.partials = op.splits > 1 ? step.at.partials : 0;
    op.typeK = static_cast<uint8_t>(layout.typeK());
    op.typeV = static_cast<uint8_t>(layout.typeV());
    step.device.run(op);
}

} // namespace

void attentionBlock(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer) {
    const auto& attention = spec.attention;
    const uint32_t rows = step.rows, embedding = step.spec.embedding;
    norm(step, step.at.hidden, weights.attentionNorm, rows, embedding, step.at.normed);
    const auto input = prepare(step, step.at.normed, rows, {&weights.query, &weights.key, &weights.value});
    linear(step, input, weights.query, rows, step.at.query, {weights.queryBias.address, 0}); // [R, heads * headDimK]
    linear(step, input, weights.key, rows, step.at.key, {weights.keyBias.address, 0});       // [R, kvHeads * headDimK]
    linear(step, input, weights.value, rows, step.at.value, {weights.valueBias.address, 0}); // [R, kvHeads * headDimV]
    if (attention.headNorms) {
        norm(step, step.at.query, weights.queryNorm, rows * attention.heads, attention.headDimK, step.at.query);
        norm(step, step.at.key, weights.keyNorm, rows * attention.kvHeads, attention.headDimK, step.at.key);
    }
    rotate(step, attention.rope, step.at.query, attention.heads, attention.headDimK);
    rotate(step, attention.rope, step.at.key, attention.kvHeads, attention.headDimK);
    attend(step, attention, layer);
    const auto attended = prepare(step, step.at.attended, rows, {&weights.output});
    if (!spec.postNorms) {
        linear(step, attended, weights.output, rows, step.at.hidden, {weights.outputBias.address, step.at.hidden});
        return;
    }
    linear(step, attended, weights.output, rows, step.at.branch, {weights.outputBias.address, 0});
    norm(step, step.at.branch, weights.attentionPostNorm, rows, embedding, step.at.branch);
    step.device.run(ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, rows, embedding));
}

} // namespace steelyard
