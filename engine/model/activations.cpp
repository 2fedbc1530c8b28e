#include "engine/model/activations.h"

#include "engine/core/checked_math.h"

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

} // namespace

ActivationLayout layOutActivations(const ModelSpec& spec, const StepShape& shape, const Device& device) {
    uint64_t query = 0, key = 0, value = 0, attended = 0, length = 0, partials = 0;
    for (const auto& layer : spec.layers) {
        const auto& attention = layer.attention;
        query = std::max<uint64_t>(query, uint64_t(attention.heads) * attention.headDimK);
        key = std::max<uint64_t>(key, uint64_t(attention.kvHeads) * attention.headDimK);
        value = std::max<uint64_t>(value, uint64_t(attention.kvHeads) * attention.headDimV);
        attended = std::max<uint64_t>(attended, uint64_t(attention.heads) * attention.headDimV);
        length = std::max<uint64_t>(length, layer.feedForward.length);
        for (uint32_t rows = 1;; rows = std::min(rows * 2, shape.maxRows)) {
            const uint64_t splits = device.attentionSplits(rows, attention.heads, shape.contextTokens);
            if (splits > 1) partials = std::max(partials, uint64_t(rows) * attention.heads * splits * (attention.headDimV + 2u));
            if (rows == shape.maxRows) break;
        }
    }
    const uint64_t rows = shape.maxRows, outputs = shape.maxOutputs, embedding = spec.embedding;
    const uint64_t depth = std::max({embedding, attended, length});
    Ranges arena;
    ActivationLayout layout;
    layout.hidden = arena.take(rows * embedding * 4);
    layout.normed = arena.take(rows * embedding * 4);
    layout.branch = arena.take(rows * embedding * 4);
    layout.query = arena.take(rows * query * 4);
    layout.key = arena.take(rows * key * 4);
    layout.value = arena.take(rows * value * 4);
    layout.attended = arena.take(rows * attended * 4);
    layout.gate = arena.take(rows * length * 4);
    layout.up = arena.take(rows * length * 4);
    layout.codes = arena.take(std::max(rows, outputs) * depth * 2); // two planes
    layout.scales = arena.take(std::max(rows, outputs) * (depth / 32 + 1) * 4);
    layout.sums = arena.take(std::max(rows, outputs) * (depth / 32 + 1) * 4);
    layout.partials = arena.take(partials * 4);
    layout.outputHidden = arena.take(outputs * embedding * 4);
    layout.logits = arena.take(outputs * uint64_t(spec.vocabulary) * 4);
    layout.bytes = arena.bytes;
    return layout;
}

StepDataLayout layOutStepData(const StepShape& shape) {
    StepDataLayout layout;
    const uint64_t rows = uint64_t(shape.maxRows) * 4;
    layout.ids = 0;
    layout.positions = rows;
    layout.sequences = 2 * rows;
    layout.outputRows = 3 * rows;
    layout.tables = layout.outputRows + uint64_t(shape.maxOutputs) * 4;
    layout.bytes = alignUp(layout.tables + uint64_t(shape.groups) * shape.maxSequences * shape.tableStride * 4, 256);
    return layout;
}

} // namespace steelyard
