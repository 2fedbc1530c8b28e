// Grouped-query attention over the paged cache, with the variants of AttentionSpec.
#include "engine/model/blocks/block.h"

namespace steelyard {

namespace {

// Norm of the heads of queries or keys x [R, heads, dim].
void normHeads(const StepContext& step, const HeadNormSpec& spec, const Vector& weight, uint64_t x, uint32_t heads, uint32_t dim) {
    const bool whole = spec.scope == HeadNormScope::Whole;
    const uint32_t rows = whole ? step.rows : step.rows * heads, columns = whole ? heads * dim : dim;
    const uint32_t weightRows = spec.scope == HeadNormScope::PerHead ? heads : 1;
    if (spec.kind == HeadNormKind::Layer) {
        step.device.run(ops::LayerNorm{x, weight.address, 0, x, rows, columns, weightRows, step.spec.normEpsilon});
        return;
    }
    auto op = ops::rmsNormOf(x, weight.address, x, rows, columns, step.spec.normEpsilon);
    op.weightRows = weightRows;
    step.device.run(op);
}

// Rows of heads x [R, heads, dim] before they enter a rotated cache or meet its keys, and after they met its values.
void turnHeads(const StepContext& step, uint64_t x, uint32_t heads, uint32_t dim, uint32_t block) {
    if (block > 1) step.device.run(ops::Hadamard{x, step.rows, heads * dim, block, 0});
}

// How many values turn together. Values that are part of the keys turn with them.
struct Turns {
    uint32_t k, v; // 1: none
};
Turns turnsOf(const StepContext& step, const AttentionSpec& spec) {
    const auto& layout = step.cache.layout();
    if (spec.valuesInKeys()) {
        const uint32_t both = layout.rotatesK() ? ops::hadamardBlock(spec.headDimK | spec.headDimV) : 1;
        return {both, both};
    }
    return {layout.rotatesK() ? ops::hadamardBlock(spec.headDimK) : 1, layout.rotatesV() ? ops::hadamardBlock(spec.headDimV) : 1};
}

uint32_t cacheLayerOf(const AttentionSpec& spec, uint32_t layer) { return spec.cacheOf ? *spec.cacheOf : layer; }

} // namespace

ops::CacheWrite cacheWriteOf(const StepContext& step, uint32_t cacheLayer) {
    const auto& layout = step.cache.layout();
    const auto& place = layout.place(cacheLayer);
    const uint64_t block0 = step.cache.groupAddress(place.group);
    ops::CacheWrite write{};
    write.positions = step.data.positions;
    write.sequences = step.data.sequences;
    write.blockTable = step.blockTable(place.group);
    write.cacheK = block0 + place.offsetK;
    write.cacheV = block0 + place.offsetV;
    write.blockStride = layout.groups()[place.group].blockBytes;
    write.rows = step.rows;
    write.tableStride = step.shape.tableStride;
    write.typeK = layout.typeK();
    write.typeV = layout.typeV();
    write.ratio = layout.groups()[place.group].ratio;
    return write;
}

void storeKeys(const StepContext& step, const AttentionSpec& spec, uint32_t layer, uint64_t key, uint64_t value) {
    auto write = cacheWriteOf(step, layer);
    write.k = key;
    write.v = value;
    write.kvHeads = spec.kvHeads;
    write.headDimK = spec.headDimK;
    write.headDimV = spec.headDimV;
    const Turns turns = turnsOf(step, spec);
    turnHeads(step, key, spec.kvHeads, spec.headDimK, turns.k);
    if (value) turnHeads(step, value, spec.kvHeads, spec.headDimV, turns.v);
    step.device.run(write);
}

void attend(const StepContext& step, const AttentionSpec& spec, uint32_t layer, uint64_t sinks) {
    const auto& layout = step.cache.layout();
    const auto& place = layout.place(cacheLayerOf(spec, layer));
    const uint64_t block0 = step.cache.groupAddress(place.group);
    ops::Attention op{};
    op.q = step.at.query;
    op.y = step.at.attended;
    op.positions = step.spec.causal ? step.data.positions : step.data.lastPositions;
    op.sequences = step.data.sequences;
    op.blockTable = step.blockTable(place.group);
    op.cacheK = block0 + place.offsetK;
    op.cacheV = spec.valuesInKeys() ? op.cacheK : block0 + place.offsetV;
    op.sinks = sinks;
    op.blockStride = layout.groups()[place.group].blockBytes;
    op.rows = step.rows;
    op.heads = static_cast<uint16_t>(spec.heads);
    op.kvHeads = static_cast<uint16_t>(spec.kvHeads);
    op.headDimK = static_cast<uint16_t>(spec.headDimK);
    op.headDimV = static_cast<uint16_t>(spec.headDimV);
    op.valueStride = spec.valuesInKeys() ? op.headDimK : op.headDimV;
    op.tableStride = step.shape.tableStride;
    op.window = spec.window;
    op.chunk = spec.chunk;
    op.scale = spec.scale;
    op.softCap = spec.softCap;
    op.temperatureScale = spec.temperatureScale;
    op.temperatureLength = spec.temperatureLength;
    op.temperatureOffset = static_cast<uint16_t>(spec.temperatureOffset);
    op.splits = static_cast<uint16_t>(step.device.attentionSplits(step.rows, spec.heads, step.longest));
    op.partials = op.splits > 1 ? step.at.partials : 0;
    op.typeK = static_cast<uint8_t>(layout.typeK());
    op.typeV = static_cast<uint8_t>(spec.valuesInKeys() ? layout.typeK() : layout.typeV());
    const Turns turns = turnsOf(step, spec);
    turnHeads(step, op.q, spec.heads, spec.headDimK, turns.k);
    step.device.run(op);
    turnHeads(step, op.y, spec.heads, spec.headDimV, turns.v);
}

void attentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                    uint64_t input, Sink sink) {
    const uint32_t rows = step.rows;
    const auto x = prepare(step, input, rows, {&weights.query, &weights.key, &weights.value, &weights.gate});
    linear(step, x, weights.query, rows, step.at.query, {weights.queryBias.address, 0}); // [R, heads * headDimK]
    if (spec.outputGate) linear(step, x, weights.gate, rows, step.at.scratch[0]);
    if (!spec.cacheOf) {
        linear(step, x, weights.key, rows, step.at.key, {weights.keyBias.address, 0}); // [R, kvHeads * headDimK]
        if (spec.valueFromKey) {
            const uint32_t columns = spec.kvHeads * spec.headDimK;
            step.device.run(ops::Add{step.at.key, 0, step.at.value, rows, columns, columns, 0, columns, 1.0f, 0.0f, 0});
        } else {
            linear(step, x, weights.value, rows, step.at.value, {weights.valueBias.address, 0}); // [R, kvHeads * headDimV]
        }
        if (spec.valueNorm) rmsNorm(step, {}, step.at.value, rows * spec.kvHeads, spec.headDimV, step.at.value);
    }
    const auto normAll = [&] {
        normHeads(step, *spec.headNorms, weights.queryNorm, step.at.query, spec.heads, spec.headDimK);
        if (!spec.cacheOf) normHeads(step, *spec.headNorms, weights.keyNorm, step.at.key, spec.kvHeads, spec.headDimK);
    };
    if (spec.headNorms && !spec.headNorms->afterRotation) normAll();
    if (spec.rope) {
        rotate(step, *spec.rope, step.at.query, spec.heads, spec.headDimK);
        if (!spec.cacheOf) rotate(step, *spec.rope, step.at.key, spec.kvHeads, spec.headDimK);
    }
    if (spec.headNorms && spec.headNorms->afterRotation) normAll();
    if (!spec.cacheOf) storeKeys(step, spec, layer, step.at.key, step.at.value);
    attend(step, spec, layer, weights.sinks.address);
    if (spec.outputGate) {
        const ActivationSpec sigmoid{ops::GateFunction::Sigmoid};
        activate(step, sigmoid, step.at.scratch[0], step.at.attended, step.at.attended, rows, spec.heads * spec.headDimV);
    }
    const auto attended = prepare(step, step.at.attended, rows, {&weights.output});
    linear(step, attended, weights.output, rows, sink.y, {weights.outputBias.address, sink.residual});
}

} // namespace steelyard
