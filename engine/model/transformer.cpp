#include "engine/model/transformer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint32_t kRecordedRows = 16; // steps of more rows are prefill chunks, which are not worth a recording
constexpr size_t kMaxRecordings = 32;

// Lengths that share a recording: the next power of two, at least a segment.
uint32_t lengthBucket(uint32_t length) {
    uint32_t bucket = ops::kSegmentTokens;
    while (bucket < length) bucket *= 2;
    return bucket;
}

void moveBy(uint64_t address, std::initializer_list<uint64_t*> offsets) {
    for (uint64_t* offset : offsets) *offset += address;
}

} // namespace

Transformer::Transformer(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights, KvCache cache, StepShape shape)
    : m_device(device), m_spec(std::move(spec)), m_weights(std::move(weights)), m_cache(std::move(cache)), m_shape(shape),
      m_activations(layOutActivations(m_spec, shape, device)), m_dataLayout(layOutStepData(shape)) {}

Result<std::unique_ptr<Transformer>> Transformer::create(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights,
                                                         CacheLayout cacheLayout, StepShape shape) {
    shape.tableStride = cacheLayout.tableStride();
    shape.groups = static_cast<uint32_t>(cacheLayout.groups().size());
    auto cache = KvCache::create(device, std::move(cacheLayout));
    if (!cache) return cache.error();
    std::unique_ptr<Transformer> transformer(new Transformer(device, std::move(spec), std::move(weights), std::move(*cache), shape));
    auto arena = device.allocate(transformer->m_activations.bytes);
    if (!arena) return arena.error();
    auto stepData = device.allocate(transformer->m_dataLayout.bytes);
    if (!stepData) return stepData.error();
    transformer->m_arena = std::move(*arena);
    transformer->m_stepData = std::move(*stepData);
    transformer->m_staging.resize(transformer->m_dataLayout.bytes / 4);
    return transformer;
}

StepContext Transformer::context(uint32_t rows, uint32_t longest) const {
    StepContext step{m_device, m_spec, m_cache, m_activations, m_dataLayout, rows, longest, m_shape.tableStride, m_shape.maxSequences,
                     m_weights->ropeFactors.address};
    auto& a = step.at;
    moveBy(m_arena.address(), {&a.hidden, &a.normed, &a.branch, &a.query, &a.key, &a.value, &a.attended, &a.gate, &a.up, &a.codes,
                               &a.scales, &a.sums, &a.partials, &a.outputHidden, &a.logits});
    auto& d = step.data;
    moveBy(m_stepData.address(), {&d.ids, &d.positions, &d.sequences, &d.outputRows, &d.tables});
    return step;
}

void Transformer::uploadStep(const Step& step) {
    std::fill(m_staging.begin(), m_staging.end(), 0);
    const auto place = [&](uint64_t offset, const std::vector<int32_t>& values) {
        std::copy(values.begin(), values.end(), m_staging.begin() + static_cast<ptrdiff_t>(offset / 4));
    };
    place(m_dataLayout.ids, step.ids);
    place(m_dataLayout.positions, step.positions);
    place(m_dataLayout.sequences, step.sequences);
    place(m_dataLayout.outputRows, step.outputRows);
    for (uint32_t group = 0; group < m_shape.groups; ++group)
        for (size_t sequence = 0; sequence < step.tables.size(); ++sequence)
            place(m_dataLayout.tables + (uint64_t(group) * m_shape.maxSequences + sequence) * m_shape.tableStride * 4,
                  step.tables[sequence]->tables[group]);
    m_device.write(m_stepData, 0, {reinterpret_cast<const uint8_t*>(m_staging.data()), m_staging.size() * 4});
}

void Transformer::launchLayers(const StepContext& step) {
    ops::GetRows embed{};
    embed.table = m_weights->table.address;
    embed.ids = step.data.ids;
    embed.y = step.at.hidden;
    embed.rows = step.rows;
    embed.columns = m_spec.embedding;
    embed.tableRows = m_spec.vocabulary;
    embed.type = static_cast<uint32_t>(m_weights->table.type);
    embed.scale = m_spec.embeddingScale;
    embed.layout = m_weights->table.layout;
    m_device.run(embed); // hidden [R, E]
    for (uint32_t layer = 0; layer < m_spec.layers.size(); ++layer) {
        attentionBlock(step, m_spec.layers[layer], m_weights->layers[layer], layer);
        feedForwardBlock(step, m_spec.layers[layer], m_weights->layers[layer]);
    }
}

void Transformer::launchHead(const StepContext& step, uint32_t outputs) {
    ops::GetRows choose{};
    choose.table = step.at.hidden;
    choose.ids = step.data.outputRows;
    choose.y = step.at.outputHidden;
    choose.rows = outputs;
    choose.columns = m_spec.embedding;
    choose.tableRows = step.rows;
    choose.type = static_cast<uint32_t>(TensorType::F32);
    choose.scale = 1.0f;
    m_device.run(choose); // [O, E]
    norm(step, step.at.outputHidden, m_weights->outputNorm, outputs, m_spec.embedding, step.at.outputHidden);
    const auto input = prepare(step, step.at.outputHidden, outputs, {&m_weights->output});
    linear(step, input, m_weights->output, outputs, step.at.logits); // [O, V]
    if (m_spec.logitSoftCap > 0)
        m_device.run(ops::SoftCap{step.at.logits, step.at.logits, outputs, m_spec.vocabulary, m_spec.logitSoftCap, 0});
}

Result<void> Transformer::run(const Step& step) {
    const auto rows = static_cast<uint32_t>(step.ids.size()), outputs = static_cast<uint32_t>(step.outputRows.size());
    assert(rows > 0 && rows <= m_shape.maxRows && outputs <= m_shape.maxOutputs && step.tables.size() <= m_shape.maxSequences);
    m_rows = rows;
    m_outputs = outputs;
    uploadStep(step);
    const auto longest = lengthBucket(static_cast<uint32_t>(*std::max_element(step.positions.begin(), step.positions.end())) + 1);
    const auto body = [&] {
        const StepContext now = context(rows, longest);
        launchLayers(now);
        if (outputs > 0) launchHead(now, outputs);
    };
    if (rows > kRecordedRows) {
        body();
        return {};
    }
    auto& recording = m_recordings[{rows, outputs, longest}];
    if (!recording) recording = m_device.record(body);
    if (!recording) return m_device.synchronize();
    m_device.replay(*recording);
    if (m_recordings.size() > kMaxRecordings) {
        if (auto done = m_device.synchronize(); !done) return done;
        m_recordings.clear();
    }
    return {};
}

Result<void> Transformer::runHead(const std::vector<int32_t>& outputRows) {
    assert(!outputRows.empty() && outputRows.size() <= m_shape.maxOutputs);
    m_outputs = static_cast<uint32_t>(outputRows.size());
    m_device.write(m_stepData, m_dataLayout.outputRows, {reinterpret_cast<const uint8_t*>(outputRows.data()), outputRows.size() * 4});
    launchHead(context(m_rows, 1), m_outputs);
    return {};
}

Result<std::span<const float>> Transformer::logits() {
    m_logits.resize(uint64_t(m_outputs) * m_spec.vocabulary);
    const auto read = m_device.read(m_arena, m_activations.logits, {reinterpret_cast<uint8_t*>(m_logits.data()), m_logits.size() * 4});
    if (!read) return read.error();
    return std::span<const float>(m_logits);
}

} // namespace steelyard
