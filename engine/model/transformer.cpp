#include "engine/model/transformer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint32_t kRecordedRows = 16; // steps of more rows are prefill chunks, which are not worth a recording
constexpr size_t kMaxRecordings = 32;
constexpr uint32_t kWaits = 4; // of a long step that may be stopped: a device that works behind its launches is not further behind than that

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

Transformer::Transformer(std::vector<Part> parts, const Placement& placement, ModelSpec spec, KvCache cache, StepShape shape)
    : m_parts(std::move(parts)), m_placement(placement), m_spec(std::move(spec)), m_cache(std::move(cache)), m_shape(shape),
      m_stateOffsets(layOutStates(m_spec, placement).offsets), m_dataLayout(layOutStepData(shape)), m_staging(m_dataLayout.bytes / 4) {
    makeSegments();
}

Result<std::unique_ptr<Transformer>> Transformer::create(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights,
                                                         CacheLayout cacheLayout, StepShape shape) {
    std::vector<DeviceWeights> parts;
    parts.push_back({&device, std::move(weights)});
    return create(std::move(parts), {}, std::move(spec), std::move(cacheLayout), shape);
}

Result<std::unique_ptr<Transformer>> Transformer::create(std::vector<DeviceWeights> given, const Placement& placement, ModelSpec spec,
                                                         CacheLayout cacheLayout, StepShape shape) {
    shape.tableStride = cacheLayout.tableStride();
    shape.groups = static_cast<uint32_t>(cacheLayout.groups().size());
    std::vector<Device*> devices;
    for (const auto& part : given) devices.push_back(part.device);
    auto cache = KvCache::create(devices, std::move(cacheLayout));
    if (!cache) return cache.error();
    std::vector<Part> parts;
    for (uint32_t number = 0; number < given.size(); ++number) {
        Part part{given[number].device, std::move(given[number].weights), {}, {}, {}};
        part.activations = layOutActivations(spec, shape, *part.device, {placement, number});
        auto arena = part.device->allocate(part.activations.bytes);
        if (!arena) return arena.error();
        auto stepData = part.device->allocate(layOutStepData(shape).bytes);
        if (!stepData) return stepData.error();
        part.arena = std::move(*arena);
        part.stepData = std::move(*stepData);
        parts.push_back(std::move(part));
    }
    return std::unique_ptr<Transformer>(new Transformer(std::move(parts), placement, std::move(spec), std::move(*cache), shape));
}

// Neighbouring parts on one device are one segment.
void Transformer::makeSegments() {
    m_segments.push_back({m_placement.input, 0, 0, true, false});
    for (uint32_t half = 0; half < 2 * m_spec.layers.size(); ++half) {
        const uint32_t device = half % 2 == 0 ? m_placement.mixerOf(half / 2) : m_placement.feedForwardOf(half / 2);
        if (device != m_segments.back().device) m_segments.push_back({device, half, half, false, false});
        m_segments.back().end = half + 1;
    }
    if (m_placement.output != m_segments.back().device) m_segments.push_back({m_placement.output, 0, 0, false, false});
    m_segments.back().ends = true;
}

uint64_t Transformer::weightsBytes() const {
    uint64_t bytes = 0;
    for (const auto& part : m_parts) bytes += part.weights->bytes;
    return bytes;
}

uint64_t Transformer::computeBytes() const {
    uint64_t bytes = 0;
    for (const auto& part : m_parts) bytes += part.arena.bytes() + part.stepData.bytes();
    return bytes;
}

StepContext Transformer::context(uint32_t device, uint32_t longest, bool longFactors) const {
    const Part& part = m_parts[device];
    return {*part.device, m_spec, *part.weights, m_cache, part.activations.at(part.arena.address()), m_dataLayout.at(part.stepData.address()),
            m_rows, longest, longFactors, m_shape, m_stateOffsets, device};
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
    for (auto& part : m_parts) part.device->write(part.stepData, 0, {reinterpret_cast<const uint8_t*>(m_staging.data()), m_staging.size() * 4});
}

// hidden = mix * [norm(embedding of the token), norm(given state)].
void Transformer::joinGiven(const StepContext& step) {
    const uint32_t embedding = m_spec.embedding;
    const auto place = [&](uint64_t x, uint64_t offset) {
        step.device.run(ops::Add{x, 0, step.at.joined + offset * sizeof(float), step.rows, embedding, embedding, 0, 2 * embedding, 1.0f, 0.0f, 0});
    };
    lookUp(step, step.weights.table, step.data.ids, step.rows, m_spec.vocabulary, m_spec.embeddingScale, step.at.branch);
    rmsNorm(step, step.weights.predictorTokenNorm, step.at.branch, step.rows, embedding, step.at.branch);
    place(step.at.branch, 0);
    rmsNorm(step, step.weights.predictorStateNorm, step.at.given, step.rows, embedding, step.at.branch);
    place(step.at.branch, embedding);
    linear(step, prepare(step, step.at.joined, step.rows, {&step.weights.predictorMix}), step.weights.predictorMix, step.rows, step.at.hidden);
}

void Transformer::launchInput(const StepContext& step) {
    if (m_spec.predicts) return joinGiven(step);
    lookUp(step, step.weights.table, step.data.ids, step.rows, m_spec.vocabulary, m_spec.embeddingScale, step.at.hidden); // hidden [R, E]
    if (m_spec.positionTable) {
        lookUp(step, step.weights.positions, step.data.positions, step.rows, m_spec.trainedContext, 1.0f, step.at.branch);
        step.device.run(ops::sumOf(step.at.hidden, step.at.branch, step.at.hidden, step.rows, m_spec.embedding));
    }
    if (m_spec.embeddingNorm) norm(step, step.weights.embeddingNorm, step.at.hidden, step.rows, m_spec.embedding, step.at.hidden);
    if (!m_spec.layers.empty() && m_spec.layers[0].perLayerInput > 0) perLayerEmbeddings(step);
    if (m_spec.hyper) beginStreams(step);
}

// A layer of several streams is not parted: it runs in the place of its mixer.
void Transformer::launchHalf(const StepContext& step, uint32_t half) {
    const uint32_t layer = half / 2;
    const auto& spec = m_spec.layers[layer];
    const auto& weights = step.weights.layers[layer];
    if (m_spec.hyper) {
        if (half % 2 == 0) runHyperLayer(step, spec, weights, layer);
    } else {
        (half % 2 == 0 ? runMixer : runFeedForward)(step, spec, weights, layer);
    }
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
    if (m_spec.outputNorm) norm(step, step.weights.outputNorm, step.at.outputHidden, outputs, m_spec.embedding, step.at.outputHidden);
    const auto input = prepare(step, step.at.outputHidden, outputs, {&step.weights.output});
    linear(step, input, step.weights.output, outputs, step.at.logits, {step.weights.outputBias.address, 0}); // [O, V]
    const uint32_t vocabulary = m_spec.vocabulary;
    if (m_spec.logitScale != 1.0f)
        step.device.run(ops::Add{step.at.logits, 0, step.at.logits, outputs, vocabulary, vocabulary, 0, vocabulary, m_spec.logitScale, 0.0f, 0});
    if (m_spec.logitSoftCap > 0) step.device.run(ops::SoftCap{step.at.logits, step.at.logits, outputs, vocabulary, m_spec.logitSoftCap, 0});
}

Result<void> Transformer::run(const Step& step) {
    const auto rows = static_cast<uint32_t>(step.ids.size()), outputs = static_cast<uint32_t>(step.outputRows.size());
    assert(rows > 0 && rows <= m_shape.maxRows && outputs <= m_shape.maxOutputs && step.tables.size() <= m_shape.maxSequences);
    m_rows = rows;
    m_outputs = outputs;
    m_stopped = false;
    uploadStep(step);
    if (m_spec.predicts) {
        assert(step.given.size() == size_t(rows) * m_spec.embedding);
        const Part& first = m_parts[m_placement.input];
        first.device->write(first.arena, first.activations.given, {reinterpret_cast<const uint8_t*>(step.given.data()), step.given.size_bytes()});
    }
    const auto longest = lengthBucket(static_cast<uint32_t>(*std::max_element(step.positions.begin(), step.positions.end())) + 1);
    for (size_t index = 0; index < m_segments.size() && !m_stopped; ++index) {
        if (index > 0)
            if (auto done = handOver(m_segments[index - 1].device, m_segments[index].device); !done) return done;
        if (auto done = runSegment(index, longest, step); !done) return done;
    }
    return {};
}

// Launches half after half, and asks between them where it may be stopped.
Result<void> Transformer::launchSegment(const Segment& segment, const StepContext& context, const std::function<bool()>& stops) {
    const uint32_t stretch = std::max<uint32_t>(1, static_cast<uint32_t>(2 * m_spec.layers.size() + kWaits - 1) / kWaits);
    if (segment.begins) launchInput(context);
    for (uint32_t half = segment.first; half < segment.end; ++half) {
        if (stops && half > segment.first && (half - segment.first) % stretch == 0)
            if (auto done = context.device.synchronize(); !done) return done;
        m_stopped = stops && stops();
        if (m_stopped) return context.device.synchronize();
        launchHalf(context, half);
    }
    if (segment.ends && m_outputs > 0) launchHead(context, m_outputs);
    return {};
}

Result<void> Transformer::runSegment(size_t index, uint32_t longest, const Step& step) {
    const Segment& segment = m_segments[index];
    const uint32_t outputs = segment.ends ? m_outputs : 0;
    if (!segment.begins && segment.first == segment.end && outputs == 0) return {}; // a head that nobody asks
    Device& device = *m_parts[segment.device].device;
    const StepContext now = context(segment.device, longest, step.longFactors);
    if (m_rows > kRecordedRows) return launchSegment(segment, now, step.stops);
    const auto body = [&] { (void)launchSegment(segment, now, {}); }; // which waits for nothing and cannot fail
    auto& recording = m_recordings[{index, m_rows, outputs, longest, step.longFactors}];
    if (!recording) recording = device.record(body);
    if (!recording) {
        if (auto done = device.synchronize(); !done) return done;
        body(); // there is no memory for a recording
        return {};
    }
    device.replay(*recording);
    if (m_recordings.size() > kMaxRecordings * m_segments.size()) {
        for (auto& part : m_parts)
            if (auto done = part.device->synchronize(); !done) return done;
        m_recordings.clear();
    }
    return {};
}

// The residual stream, or streams, and what layers add of their own, from one device to the next.
Result<void> Transformer::handOver(uint32_t from, uint32_t to) {
    const Part &source = m_parts[from], &target = m_parts[to];
    const auto copy = [&](uint64_t ActivationLayout::*place, uint64_t columns) -> Result<void> {
        m_transfer.resize(m_rows * columns * sizeof(float));
        if (auto done = source.device->read(source.arena, source.activations.*place, m_transfer); !done) return done;
        target.device->write(target.arena, target.activations.*place, m_transfer);
        return {};
    };
    const uint64_t embedding = m_spec.embedding;
    auto done = m_spec.hyper ? copy(&ActivationLayout::streams, m_spec.hyper->streams * embedding) : copy(&ActivationLayout::hidden, embedding);
    const uint64_t own = m_spec.layers.empty() ? 0 : uint64_t(m_spec.layers[0].perLayerInput) * m_spec.layers.size();
    return done && own > 0 ? copy(&ActivationLayout::perLayer, own) : done;
}

Result<void> Transformer::runHead(const std::vector<int32_t>& outputRows) {
    assert(!outputRows.empty() && outputRows.size() <= m_shape.maxOutputs);
    m_outputs = static_cast<uint32_t>(outputRows.size());
    const Part& part = m_parts[m_placement.output];
    part.device->write(part.stepData, m_dataLayout.outputRows, {reinterpret_cast<const uint8_t*>(outputRows.data()), outputRows.size() * 4});
    launchHead(context(m_placement.output, 1, false), m_outputs);
    return {};
}

Result<std::vector<float>> Transformer::hidden() {
    const Part& part = m_parts[m_placement.output];
    const StepContext now = context(m_placement.output, 1, false);
    uint64_t from = part.activations.hidden;
    if (m_spec.outputNorm) {
        norm(now, now.weights.outputNorm, now.at.hidden, m_rows, m_spec.embedding, now.at.normed);
        from = part.activations.normed;
    }
    std::vector<float> states(size_t(m_rows) * m_spec.embedding);
    if (auto read = part.device->read(part.arena, from, {reinterpret_cast<uint8_t*>(states.data()), states.size() * sizeof(float)}); !read) return read.error();
    return states;
}

Result<std::span<const float>> Transformer::logits() {
    m_logits.resize(uint64_t(m_outputs) * m_spec.vocabulary);
    const Part& part = m_parts[m_placement.output];
    const auto read = part.device->read(part.arena, part.activations.logits, {reinterpret_cast<uint8_t*>(m_logits.data()), m_logits.size() * 4});
    if (!read) return read.error();
    return std::span<const float>(m_logits);
}

} // namespace steelyard
