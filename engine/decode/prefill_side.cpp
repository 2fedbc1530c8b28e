#include "engine/decode/prefill_side.h"

#include "engine/cache/move_rule.h"

#include <algorithm>
#include <chrono>

namespace steelyard {

namespace {

using Time = std::chrono::steady_clock;

constexpr uint64_t kSlice = 32ull << 20; // bytes between two steps

double millisecondsSince(Time::time_point start) { return std::chrono::duration<double, std::milli>(Time::now() - start).count(); }

} // namespace

PrefillSide::PrefillSide(std::unique_ptr<Device> device, std::unique_ptr<Transformer> transformer)
    : m_device(std::move(device)), m_transformer(std::move(transformer)), m_prefixes(m_transformer->cache()), m_watch(m_transformer->cache()) {}

PrefillSide::~PrefillSide() { end(); }

std::optional<PromptProgress> PrefillSide::progress(RequestId id) const {
    if (!m_job || m_job->id != id) return std::nullopt;
    const uint32_t reused = m_job->done.reusedTokens;
    return PromptProgress{id, m_job->tokens, reused, m_job->sequence.length - std::min(m_job->sequence.length, reused)};
}

Result<void> PrefillSide::readChunk(const std::vector<int32_t>& ids, bool longFactors) {
    auto& sequence = m_job->sequence;
    const uint32_t from = sequence.length;
    const uint32_t to = std::min(static_cast<uint32_t>(ids.size()) - 1, from + m_transformer->shape().maxRows);
    if (!m_prefixes.makeRoom(sequence, to)) return Error{"The cache has no room for this prompt; load the model with a longer context."};
    Step step;
    for (uint32_t position = from; position < to; ++position) {
        step.ids.push_back(ids[position]);
        step.positions.push_back(static_cast<int32_t>(position));
        step.sequences.push_back(0);
    }
    step.tables.push_back(&sequence);
    step.longFactors = longFactors;
    if (auto run = m_transformer->run(step); !run) return run;
    if (auto done = m_device->synchronize(); !done) return done;
    m_transformer->cache().commit(sequence, to);
    return {};
}

// One slice of the pages: out of here, then in there. True when all are there.
Result<bool> PrefillSide::transfer(Target target) {
    Job& job = *m_job;
    auto& cache = m_transformer->cache();
    if (!job.here) {
        cache.trim(job.sequence);
        job.here.emplace();
        job.here->sequence = job.sequence;
        job.here->sequence.state.reset();
        if (job.sequence.state) job.here->states = {{job.sequence.length, *job.sequence.state}};
        job.image.shape = shapeOf(*job.here);
        job.there = target.prefixes.takePages(job.image.shape);
        if (!job.there) return Error{"The cache has no room for this prompt; load the model with a longer context."};
        m_target = &target.cache;
        job.bytes = std::make_shared<std::vector<uint8_t>>(imageBytes(job.image.shape, cache.layout()));
        job.image.bytes = *job.bytes;
        job.done.transferBytes = job.bytes->size();
        job.out = PageCopy::out(cache, *job.here, *job.bytes);
        job.in = PageCopy::in(target.cache, *job.there, job.image);
    }
    const auto out = job.out ? job.out->advance(kSlice) : Result<bool>(true);
    if (!out) return out.error();
    if (!*out) return false;
    job.out.reset();
    const auto in = job.in->advance(kSlice);
    if (!in || !*in) return in;
    if (auto done = target.cache.synchronize(); !done) return done.error();
    job.done.sequence = std::move(job.there->sequence);
    if (!job.there->states.empty()) job.done.sequence.state = job.there->states.back().state;
    job.there.reset();
    return true;
}

Result<std::optional<Handover>> PrefillSide::advance(const GenerateRequest& request, const std::vector<int32_t>& ids, bool longFactors, Target target) {
    using Answer = std::optional<Handover>;
    if (m_watch.lost()) end(); // it is read again
    if (m_job && m_job->id != request.id) return Answer();
    const auto start = Time::now();
    if (!m_job) {
        const uint32_t have = request.chat != 0 ? target.prefixes.reusable(ids, longFactors) : 0;
        const bool fits = ids.size() <= m_transformer->shape().contextTokens;
        if (!fits || ids.size() - 1 < have + kFewestTokensMoved) return Answer(Handover{});
        m_job = std::make_unique<Job>();
        m_job->id = request.id;
        m_job->tokens = static_cast<uint32_t>(ids.size());
        m_job->done.reuseReason = "first turn";
        if (request.chat != 0) {
            auto reuse = m_prefixes.resume(request.chat, ids, longFactors);
            m_job->sequence = std::move(reuse.sequence);
            m_job->done.reuseReason = std::move(reuse.why);
            m_job->done.reusedTokens = m_job->sequence.length;
        }
    }
    if (m_job->sequence.length + 1 < ids.size()) {
        if (auto read = readChunk(ids, longFactors); !read) {
            end();
            return read.error();
        }
        m_job->done.prefillMs += millisecondsSince(start);
        return Answer();
    }
    const auto there = transfer(target);
    m_job->done.transferMs += millisecondsSince(start);
    if (!there) {
        end();
        return there.error();
    }
    if (!*there) return Answer();
    Handover done = std::move(m_job->done);
    if (request.chat != 0)
        m_prefixes.keep(request.chat, {ids.begin(), ids.end() - 1}, {ids.back()}, m_job->sequence, longFactors);
    end();
    return Answer(std::move(done));
}

void PrefillSide::giveUp(RequestId id) {
    if (m_job && m_job->id == id) end();
}

void PrefillSide::end() {
    if (!m_job) return;
    if (m_job->there) releasePages(*m_target, *m_job->there);
    m_transformer->cache().release(m_job->sequence);
    m_job.reset();
}

} // namespace steelyard
