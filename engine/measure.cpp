// Scoring and benchmarking: whole sequences through the transformer without sampling.
#include "engine/engine_thread.h"

#include "engine/core/percentile.h"
#include "engine/sampling/random.h"

#include <algorithm>
#include <numeric>

namespace steelyard {

namespace {

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

// Sequences that are given back whatever happens.
class ScratchSequences {
public:
    ScratchSequences(LoadedModel& model, size_t count) : m_model(model), sequences(count) {}
    ~ScratchSequences() {
        for (auto& sequence : sequences) m_model.transformer->cache().release(sequence);
    }
    ScratchSequences(const ScratchSequences&) = delete;
    ScratchSequences& operator=(const ScratchSequences&) = delete;

    Result<void> extend(size_t index, uint32_t length) {
        if (!m_model.prefixes->makeRoom(sequences[index], length))
            return Error{"The context of " + std::to_string(m_model.facts.contextLength) + " tokens has no room for " + std::to_string(length) + "."};
        return {};
    }

private:
    LoadedModel& m_model;

public:
    std::vector<CachedSequence> sequences;
};

// A step of rows [from, to) of one sequence.
Step stepOf(const std::vector<int32_t>& ids, uint32_t from, uint32_t to, const CachedSequence& sequence, bool lastHasLogits, bool longFactors) {
    Step step;
    for (uint32_t position = from; position < to; ++position) {
        step.ids.push_back(ids[position]);
        step.positions.push_back(static_cast<int32_t>(position));
        step.sequences.push_back(0);
    }
    step.tables = {&sequence};
    if (lastHasLogits) step.outputRows = {static_cast<int32_t>(to - from - 1)};
    step.longFactors = longFactors;
    return step;
}

// Reads ids [sequence length, to) in chunks; the last row gets logits. The factors of the rotation are those of all ids.
Result<void> readTokens(LoadedModel& model, ScratchSequences& scratch, size_t index, const std::vector<int32_t>& ids, uint32_t to) {
    auto& transformer = *model.transformer;
    auto& sequence = scratch.sequences[index];
    const bool longFactors = transformer.spec().takesLongFactors(static_cast<uint32_t>(ids.size()));
    while (sequence.length < to) {
        const uint32_t end = std::min(to, sequence.length + transformer.shape().maxRows);
        if (auto done = scratch.extend(index, end); !done) return done;
        if (auto done = transformer.run(stepOf(ids, sequence.length, end, sequence, end == to, longFactors)); !done) return done;
        transformer.cache().commit(sequence, end);
    }
    return transformer.device().synchronize();
}

std::vector<int32_t> randomIds(uint32_t count, uint32_t vocabulary) {
    std::vector<int32_t> ids(count);
    for (uint32_t i = 0; i < count; ++i) ids[i] = static_cast<int32_t>(mixedBits(i) % vocabulary);
    return ids;
}

// Milliseconds of each decode step of `parallel` sequences that hold `depth` tokens.
Result<std::vector<double>> decodeTimes(LoadedModel& model, ScratchSequences& scratch, const BenchmarkRequest& request) {
    auto& transformer = *model.transformer;
    const auto ids = randomIds(request.depth + request.generatedTokens + 1, transformer.spec().vocabulary);
    std::vector<double> times;
    for (uint32_t token = 0; token < request.generatedTokens; ++token) {
        const auto start = Clock::now();
        const uint32_t position = request.depth + token;
        if (!request.kvCache) { // everything again
            transformer.cache().release(scratch.sequences[0]);
            if (auto done = readTokens(model, scratch, 0, ids, position + 1); !done) return done.error();
        } else {
            Step step;
            step.longFactors = transformer.spec().takesLongFactors(static_cast<uint32_t>(ids.size()));
            for (uint32_t sequence = 0; sequence < request.parallel; ++sequence) {
                if (auto done = scratch.extend(sequence, position + 1); !done) return done.error();
                step.ids.push_back(ids[position]);
                step.positions.push_back(static_cast<int32_t>(position));
                step.sequences.push_back(static_cast<int32_t>(sequence));
                step.outputRows.push_back(static_cast<int32_t>(sequence));
                step.tables.push_back(&scratch.sequences[sequence]);
            }
            if (auto done = transformer.run(step); !done) return done.error();
            for (uint32_t sequence = 0; sequence < request.parallel; ++sequence)
                transformer.cache().commit(scratch.sequences[sequence], position + 1);
        }
        if (const auto logits = transformer.logits(); !logits) return logits.error();
        times.push_back(millisecondsSince(start));
    }
    return times;
}

} // namespace

Result<void> scoreSequence(LoadedModel& model, const ScoreRequest& request,
                           const std::function<void(uint32_t, std::span<const float>)>& each, const std::atomic<bool>* cancelled) {
    auto& transformer = *model.transformer;
    const uint32_t vocabulary = transformer.spec().vocabulary;
    for (const int32_t id : request.ids)
        if (id < 0 || static_cast<uint32_t>(id) >= vocabulary)
            return Error{"The token id " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary) + "."};
    const auto count = static_cast<uint32_t>(request.ids.size());
    const uint32_t chunk = request.batchRows ? std::min(request.batchRows, transformer.shape().maxRows) : transformer.shape().maxRows;
    ScratchSequences scratch(model, 1);
    auto& sequence = scratch.sequences[0];
    const bool longFactors = transformer.spec().takesLongFactors(count);
    while (sequence.length < count) {
        const uint32_t from = sequence.length, to = std::min(count, from + chunk);
        if (cancelled && *cancelled) return Error{"The measurement was cancelled."};
        if (auto done = scratch.extend(0, to); !done) return done;
        if (auto done = transformer.run(stepOf(request.ids, from, to, sequence, false, longFactors)); !done) return done;
        for (uint32_t row = std::max(from, request.from); row < to;) {
            if (cancelled && *cancelled) return Error{"The measurement was cancelled."};
            std::vector<int32_t> rows(std::min(transformer.shape().maxOutputs, to - row));
            std::iota(rows.begin(), rows.end(), static_cast<int32_t>(row - from));
            if (auto done = transformer.runHead(rows); !done) return done;
            const auto logits = transformer.logits();
            if (!logits) return logits.error();
            for (size_t i = 0; i < rows.size(); ++i, ++row) each(row, logits->subspan(i * vocabulary, vocabulary));
        }
        transformer.cache().commit(sequence, to);
    }
    return transformer.device().synchronize();
}

Result<BenchmarkResult> runBenchmark(LoadedModel& model, const BenchmarkRequest& request) {
    auto& transformer = *model.transformer;
    if (request.parallel < 1 || request.parallel > transformer.shape().maxSequences)
        return Error{"At most " + std::to_string(transformer.shape().maxSequences) + " sequences can be measured at once."};
    BenchmarkResult result;
    result.device = model.facts.deviceId;
    result.threads = model.threads;
    result.loadMs = model.loadMs;
    result.weightsBytes = transformer.weightsBytes();
    result.kvBytesPerToken = model.facts.kvBytesPerToken;
    const uint32_t vocabulary = transformer.spec().vocabulary;
    const uint32_t warm = std::min(request.promptTokens, 16u);
    for (uint32_t repetition = 0; repetition <= request.repetitions; ++repetition) {
        const bool counts = repetition > 0; // the first round warms up
        if (request.promptTokens > 0) {
            ScratchSequences scratch(model, 1);
            const auto ids = randomIds(request.depth + request.promptTokens, vocabulary);
            if (auto done = readTokens(model, scratch, 0, ids, request.depth); !done) return done.error();
            const auto start = Clock::now();
            const uint32_t tokens = counts ? request.promptTokens : warm;
            if (auto done = readTokens(model, scratch, 0, ids, request.depth + tokens); !done) return done.error();
            if (counts) result.prefillTokensPerSecond.push_back(tokens * 1000.0 / millisecondsSince(start));
        }
        if (request.generatedTokens > 0) {
            ScratchSequences scratch(model, request.parallel);
            const auto ids = randomIds(request.depth, vocabulary);
            for (uint32_t sequence = 0; sequence < request.parallel; ++sequence)
                if (auto done = readTokens(model, scratch, sequence, ids, request.depth); !done) return done.error();
            BenchmarkRequest round = request;
            if (!counts) round.generatedTokens = std::min(request.generatedTokens, 4u);
            const auto times = decodeTimes(model, scratch, round);
            if (!times) return times.error();
            if (!counts) continue;
            const double total = std::accumulate(times->begin(), times->end(), 0.0);
            result.firstStepMs.push_back(times->front());
            result.decodeTokensPerSecond.push_back(static_cast<double>(times->size()) * request.parallel * 1000.0 / total);
        }
    }
    const double cached = request.depth + 0.5 * request.generatedTokens;
    result.arithmeticShare = median(result.prefillTokensPerSecond) * model.ideal.promptTokenMs / 1000;
    if (request.kvCache) // a step reads the weights once for all
        result.bandwidthShare = median(result.decodeTokensPerSecond) * (model.ideal.stepMs / request.parallel + cached * model.ideal.cachedTokenMs) / 1000;
    return result;
}

} // namespace steelyard
