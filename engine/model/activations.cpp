#include "engine/model/activations.h"

#include "engine/core/checked_math.h"
#include "kernels/ops/compress_keys.h"

#include <algorithm>

namespace steelyard {

namespace {

// Hands out aligned ranges of an arena.
struct Ranges {
    uint64_t bytes = 0;
    uint64_t take(uint64_t size) {
        const uint64_t offset = bytes;
        bytes = alignUp(bytes + size, 256);
        return offset;
    }
};

// The largest of each width over all layers, in values of a row.
struct Widths {
    uint64_t query = 0, key = 0, value = 0, attended = 0, scratch[3] = {}, length = 0;
    uint64_t experts = 0, used = 0, expertOutputs = 0, perLayer = 0, partials = 0;
    uint64_t depth = 0; // of a quantized activation

    static void grow(uint64_t& width, uint64_t value) { width = std::max(width, value); }

    void add(const AttentionSpec& spec) {
        grow(query, uint64_t(spec.heads) * spec.headDimK);
        grow(key, uint64_t(spec.kvHeads) * spec.headDimK);
        grow(value, uint64_t(spec.kvHeads) * spec.headDimV);
        grow(attended, uint64_t(spec.heads) * spec.headDimV);
        if (spec.sharedKey) add(*spec.sharedKey, spec.headDimK);
        if (spec.outputGate) grow(scratch[0], uint64_t(spec.heads) * spec.headDimK);
        if (!spec.latent) return;
        grow(scratch[0], std::max<uint64_t>(spec.latent->queryRank, uint64_t(spec.heads) * spec.latent->valueDim));
        grow(scratch[1], uint64_t(spec.heads) * spec.latent->plainDim);
        grow(scratch[2], uint64_t(spec.heads) * spec.latent->rotatedDim);
    }
    void add(const SharedKeySpec& spec, uint32_t dim) {
        grow(scratch[0], std::max(spec.queryRank, spec.outputGroups * spec.outputRank));
        if (!spec.compression) return;
        const auto& compression = *spec.compression;
        const uint64_t width = ops::compressWidth(dim, compression.overlap);
        grow(scratch[1], width);
        grow(scratch[2], width);
        if (!compression.index) return;
        const auto& index = *compression.index;
        const uint64_t indexWidth = ops::compressWidth(index.dim, compression.overlap);
        grow(value, index.dim);
        grow(scratch[1], std::max<uint64_t>(indexWidth, uint64_t(index.heads) * index.dim));
        grow(scratch[2], indexWidth);
        grow(gateOfHeads, index.heads);
        grow(chosen, index.count);
        if (compressed == 0 || compression.ratio < compressed) compressed = compression.ratio;
    }
    void add(const Mamba2Spec& spec) {
        grow(scratch[0], spec.channels()); // before the convolution
        grow(scratch[1], spec.channels()); // after it
        grow(scratch[2], spec.inner());    // the gate
        grow(attended, spec.inner());
        grow(gateOfHeads, spec.heads);
    }
    void add(const ShortConvSpec& spec) {
        for (uint64_t& width : scratch) grow(width, spec.channels);
        grow(attended, spec.channels);
    }
    void add(const DeltaSpec& spec) {
        grow(query, spec.keys());
        grow(key, spec.keys());
        grow(value, spec.values());
        grow(attended, spec.values());
        grow(scratch[0], std::max(spec.keys(), spec.values()));
        grow(scratch[1], std::max(spec.keys(), spec.values()));
        grow(scratch[2], std::max({spec.values(), spec.headDimK, spec.keys()}));
        grow(gateOfHeads, spec.valueHeads);
    }
    void add(const FeedForwardSpec& spec) {
        grow(length, spec.length);
        if (!spec.experts) return;
        const auto& parts = *spec.experts;
        grow(experts, parts.count);
        grow(used, parts.used);
        grow(length, std::max<uint64_t>(uint64_t(parts.used) * parts.length, parts.sharedLength));
    }
    uint64_t gateOfHeads = 0; // one value per head; shares `routed`
    uint64_t chosen = 0;      // compressed keys that a row attends
    uint64_t compressed = 0;  // smallest number of tokens of a key among which some are chosen; 0 = none
};

} // namespace

ActivationLayout layOutActivations(const ModelSpec& spec, const StepShape& shape, const Device& device, const DeviceShare& share) {
    Widths widths;
    const uint64_t embedding = spec.embedding;
    uint64_t usedInputs = 0;
    for (uint32_t number = 0; number < spec.layers.size(); ++number) {
        const auto& layer = spec.layers[number];
        const bool mixes = share.holds({WeightPlace::Part::Mixer, number}), feeds = share.holds({WeightPlace::Part::FeedForward, number});
        if (mixes && layer.attention) {
            widths.add(*layer.attention);
            const auto& attention = *layer.attention;
            for (uint32_t rows = 1;; rows = std::min(rows * 2, shape.maxRows)) {
                const uint64_t splits = device.attentionSplits(rows, attention.heads, shape.contextTokens);
                if (splits > 1) Widths::grow(widths.partials, uint64_t(rows) * attention.heads * splits * (attention.headDimV + 2u));
                if (rows == shape.maxRows) break;
            }
        }
        if (mixes && layer.recurrent) std::visit([&](const auto& part) { widths.add(part); }, *layer.recurrent);
        if (layer.perLayerInput) Widths::grow(widths.perLayer, uint64_t(layer.perLayerInput) * spec.layers.size());
        if (!feeds || !layer.feedForward) continue;
        widths.add(*layer.feedForward);
        if (layer.feedForward->experts && layer.feedForward->experts->weighInput)
            Widths::grow(usedInputs, layer.feedForward->experts->used * embedding);
        if (layer.feedForward->experts && layer.feedForward->experts->ownNorms) Widths::grow(widths.attended, embedding);
    }
    widths.expertOutputs = std::max(widths.used * embedding, usedInputs);
    const uint64_t streams = spec.hyper ? spec.hyper->streams : 0;
    const uint64_t scored = widths.compressed ? (shape.contextTokens + uint64_t(shape.maxRows)) / widths.compressed + 1 : 0;
    for (const uint64_t width : {embedding, streams * embedding, widths.attended, widths.length, widths.scratch[0], widths.scratch[1], widths.scratch[2], usedInputs, spec.predicts ? 2 * embedding : 0})
        Widths::grow(widths.depth, width);
    const uint64_t rows = shape.maxRows, outputs = share.holds({WeightPlace::Part::Output, 0}) ? shape.maxOutputs : 0, coded = std::max(rows, outputs);
    Ranges arena;
    ActivationLayout layout;
    const auto floats = [&](uint64_t width) { return arena.take(rows * width * 4); };
    layout.hidden = floats(embedding);
    layout.normed = floats(embedding);
    layout.branch = floats(std::max(embedding, widths.perLayer));
    layout.query = floats(widths.query);
    layout.key = floats(widths.key);
    layout.value = floats(widths.value);
    layout.attended = floats(widths.attended);
    for (int i = 0; i < 3; ++i) layout.scratch[i] = floats(widths.scratch[i]);
    layout.gate = floats(widths.length);
    layout.up = floats(widths.length);
    layout.routed = floats(std::max(widths.experts, 2 * widths.gateOfHeads));
    layout.expertIds = floats(widths.used);
    layout.expertWeights = floats(std::max<uint64_t>(widths.used, 1));
    layout.expertOutputs = floats(widths.expertOutputs);
    layout.streams = floats(streams * embedding);
    layout.streamsNormed = floats(streams * embedding);
    layout.mixes = floats((2 + streams) * streams);
    layout.hyperGates = floats(streams * (1 + streams));
    // Where a row never sees more keys than it may attend, none are scored.
    layout.indexScores = floats(scored > widths.chosen ? scored : 0);
    layout.indexIds = floats(scored > widths.chosen ? widths.chosen : 0);
    layout.given = floats(spec.predicts ? embedding : 0);
    layout.joined = floats(spec.predicts ? 2 * embedding : 0);
    layout.perLayer = floats(widths.perLayer);
    layout.codes = arena.take(coded * widths.depth * 2); // two planes
    layout.scales = arena.take(coded * (widths.depth / 32 + 1) * 4);
    layout.sums = arena.take(coded * (widths.depth / 32 + 1) * 4);
    layout.partials = arena.take(widths.partials * 4);
    layout.outputHidden = arena.take(outputs * embedding * 4);
    layout.outputStreams = arena.take(outputs * 2 * streams * embedding * 4);
    layout.outputMixes = arena.take(outputs * streams * 4);
    layout.logits = arena.take(outputs * uint64_t(spec.vocabulary) * 4);
    layout.bytes = arena.bytes;
    return layout;
}

ActivationLayout ActivationLayout::at(uint64_t address) const {
    ActivationLayout moved = *this;
    for (uint64_t* offset : {&moved.hidden, &moved.normed, &moved.branch, &moved.query, &moved.key, &moved.value, &moved.attended,
                             &moved.scratch[0], &moved.scratch[1], &moved.scratch[2], &moved.gate, &moved.up, &moved.routed,
                             &moved.expertIds, &moved.expertWeights, &moved.expertOutputs, &moved.streams, &moved.streamsNormed,
                             &moved.mixes, &moved.hyperGates, &moved.indexScores, &moved.indexIds, &moved.given, &moved.joined, &moved.perLayer, &moved.codes,
                             &moved.scales, &moved.sums, &moved.partials, &moved.outputHidden, &moved.outputStreams, &moved.outputMixes,
                             &moved.logits})
        *offset += address;
    return moved;
}

StepDataLayout layOutStepData(const StepShape& shape) {
    StepDataLayout layout;
    const uint64_t rows = alignUp(uint64_t(shape.maxRows) * 4, 16);
    layout.ids = 0;
    layout.positions = rows;
    layout.sequences = 2 * rows;
    layout.lastPositions = 3 * rows;
    layout.runs = 4 * rows;
    layout.outputRows = layout.runs + uint64_t(shape.maxSequences) * sizeof(ops::SequenceRun);
    layout.tables = layout.outputRows + uint64_t(shape.maxOutputs) * 4;
    layout.bytes = alignUp(layout.tables + uint64_t(shape.groups) * shape.maxSequences * shape.tableStride * 4, 256);
    return layout;
}

StepDataLayout StepDataLayout::at(uint64_t address) const {
    StepDataLayout moved = *this;
    for (uint64_t* offset : {&moved.ids, &moved.positions, &moved.sequences, &moved.outputRows, &moved.lastPositions, &moved.runs, &moved.tables})
        *offset += address;
    return moved;
}

} // namespace steelyard
