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

// The runs of rows of each sequence (kernels/ops/sequence_runs.h), [maxSequences] as int32.
std::vector<int32_t> runsOf(const Step& step, uint32_t maxSequences) {
    std::vector<int32_t> runs(size_t(maxSequences) * 4, 0);
    for (size_t row = 0; row < step.sequences.size(); ++row) {
        int32_t* run = runs.data() + static_cast<size_t>(step.sequences[row]) * 4;
        if (run[1]++ > 0) continue;
        run[0] = static_cast<int32_t>(row);
        run[2] = static_cast<int32_t>(step.tables[static_cast<size_t>(step.sequences[row])]->state.value_or(0));
        run[3] = step.positions[row] > 0;
    }
    return runs;
}

// The last position of each row's sequence in the step.
std::vector<int32_t> lastPositionsOf(const Step& step) {
    std::vector<int32_t> last(step.positions.size());
    for (size_t row = 0; row < last.size(); ++row)
        for (size_t other = 0; other < last.size(); ++other)
            if (step.sequences[other] == step.sequences[row]) last[row] = std::max(last[row], step.positions[other]);
    return last;
}

} // namespace

Transformer::Transformer(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights, KvCache cache, StepShape shape)
    : m_device(device), m_spec(std::move(spec)), m_weights(std::move(weights)), m_cache(std::move(cache)), m_shape(shape),
      m_stateOffsets(m_spec.stateOffsets()),
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

StepContext Transformer::context(uint32_t rows, uint32_t longest, bool longFactors) const {
    return {m_device, m_spec, *m_weights, m_cache, m_activations.at(m_arena.address()), m_dataLayout.at(m_stepData.address()),
            rows, longest, longFactors, m_shape, m_stateOffsets};
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
    if (m_cache.layout().states() > 0) place(m_dataLayout.runs, runsOf(step, m_shape.maxSequences));
    if (!m_spec.causal) place(m_dataLayout.lastPositions, lastPositionsOf(step));
    for (uint32_t group = 0; group < m_shape.groups; ++group)
        for (size_t sequence = 0; sequence < step.tables.size(); ++sequence)
            place(m_dataLayout.tables + (uint64_t(group) * m_shape.maxSequences + sequence) * m_shape.tableStride * 4,
                  step.tables[sequence]->tables[group]);
    m_device.write(m_stepData, 0, {reinterpret_cast<const uint8_t*>(m_staging.data()), m_staging.size() * 4});
}

// hidden = mix * [norm(embedding of the token), norm(given state)].
void Transformer::joinGiven(const StepContext& step) {
    const uint32_t embedding = m_spec.embedding;
    const auto place = [&](uint64_t x, uint64_t offset) {
        step.device.run(ops::Add{x, 0, step.at.joined + offset * sizeof(float), step.rows, embedding, embedding, 0, 2 * embedding, 1.0f, 0.0f, 0});
    };
    lookUp(step, m_weights->table, step.data.ids, step.rows, m_spec.vocabulary, m_spec.embeddingScale, step.at.branch);
    rmsNorm(step, m_weights->predictorTokenNorm, step.at.branch, step.rows, embedding, step.at.branch);
    place(step.at.branch, 0);
    rmsNorm(step, m_weights->predictorStateNorm, step.at.given, step.rows, embedding, step.at.branch);
    place(step.at.branch, embedding);
    linear(step, prepare(step, step.at.joined, step.rows, {&m_weights->predictorMix}), m_weights->predictorMix, step.rows, step.at.hidden);
}

void Transformer::launchLayers(const StepContext& step) {
    if (m_spec.predicts) {
        joinGiven(step);
        return runLayer(step, m_spec.layers[0], m_weights->layers[0], 0);
    }
    lookUp(step, m_weights->table, step.data.ids, step.rows, m_spec.vocabulary, m_spec.embeddingScale, step.at.hidden); // hidden [R, E]
    if (m_spec.positionTable) {
        lookUp(step, m_weights->positions, step.data.positions, step.rows, m_spec.trainedContext, 1.0f, step.at.branch);
        m_device.run(ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, step.rows, m_spec.embedding));
    }
    if (m_spec.embeddingNorm) norm(step, m_weights->embeddingNorm, step.at.hidden, step.rows, m_spec.embedding, step.at.hidden);
    if (!m_spec.layers.empty() && m_spec.layers[0].perLayerInput > 0) perLayerEmbeddings(step);
    if (m_spec.hyper) beginStreams(step);
    for (uint32_t layer = 0; layer < m_spec.layers.size(); ++layer)
        (m_spec.hyper ? runHyperLayer : runLayer)(step, m_spec.layers[layer], m_weights->layers[layer], layer);
}

void Transformer::launchHead(const StepContext& step, uint32_t outputs) {
    if (m_spec.hyper) {
        readStreams(step, outputs);
    } else {
        Matrix hidden;
        hidden.address = step.at.hidden;
        hidden.columns = m_spec.embedding;
        lookUp(step, hidden, step.data.outputRows, outputs, step.rows, 1.0f, step.at.outputHidden); // [O, E]
    }
    if (m_spec.outputNorm) norm(step, m_weights->outputNorm, step.at.outputHidden, outputs, m_spec.embedding, step.at.outputHidden);
    const auto input = prepare(step, step.at.outputHidden, outputs, {&m_weights->output});
    linear(step, input, m_weights->output, outputs, step.at.logits, {m_weights->outputBias.address, 0}); // [O, V]
    const uint32_t vocabulary = m_spec.vocabulary;
    if (m_spec.logitScale != 1.0f)
        m_device.run(ops::Add{step.at.logits, 0, step.at.logits, outputs, vocabulary, vocabulary, 0, vocabulary, m_spec.logitScale, 0.0f, 0});
    if (m_spec.logitSoftCap > 0) m_device.run(ops::SoftCap{step.at.logits, step.at.logits, outputs, vocabulary, m_spec.logitSoftCap, 0});
}

Result<void> Transformer::run(const Step& step) {
    const auto rows = static_cast<uint32_t>(step.ids.size()), outputs = static_cast<uint32_t>(step.outputRows.size());
    assert(rows > 0 && rows <= m_shape.maxRows && outputs <= m_shape.maxOutputs && step.tables.size() <= m_shape.maxSequences);
    m_rows = rows;
    m_outputs = outputs;
    uploadStep(step);
    if (m_spec.predicts) {
        assert(step.given.size() == size_t(rows) * m_spec.embedding);
        m_device.write(m_arena, m_activations.given, {reinterpret_cast<const uint8_t*>(step.given.data()), step.given.size_bytes()});
    }
    const auto longest = lengthBucket(static_cast<uint32_t>(*std::max_element(step.positions.begin(), step.positions.end())) + 1);
    const auto body = [&] {
        const StepContext now = context(rows, longest, step.longFactors);
        launchLayers(now);
        if (outputs > 0) launchHead(now, outputs);
    };
    if (rows > kRecordedRows) {
        body();
        return {};
    }
    auto& recording = m_recordings[{rows, outputs, longest, step.longFactors}];
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
    launchHead(context(m_rows, 1, false), m_outputs);
    return {};
}

Result<std::vector<float>> Transformer::hidden() {
    const StepContext now = context(m_rows, 1, false);
    uint64_t from = m_activations.hidden;
    if (m_spec.outputNorm) {
        norm(now, m_weights->outputNorm, now.at.hidden, m_rows, m_spec.embedding, now.at.normed);
        from = m_activations.normed;
    }
    std::vector<float> states(size_t(m_rows) * m_spec.embedding);
    if (auto read = m_device.read(m_arena, from, {reinterpret_cast<uint8_t*>(states.data()), states.size() * sizeof(float)}); !read) return read.error();
    return states;
}

Result<std::span<const float>> Transformer::logits() {
    m_logits.resize(uint64_t(m_outputs) * m_spec.vocabulary);
    const auto read = m_device.read(m_arena, m_activations.logits, {reinterpret_cast<uint8_t*>(m_logits.data()), m_logits.size() * 4});
    if (!read) return read.error();
    return std::span<const float>(m_logits);
}

} // namespace steelyard
