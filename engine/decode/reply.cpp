#include "engine/decode/reply.h"

#include "engine/core/percentile.h"
#include "engine/decode/head_draft.h"
#include "engine/decode/logprobs.h"
#include "engine/decode/model_draft.h"
#include "engine/model/key_shift.h"

#include <algorithm>
#include <random>

namespace steelyard {

namespace {

double millisecondsBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

uint64_t randomSeed() {
    std::random_device device;
    // 53 bits, so that the seed survives JSON and JavaScript numbers.
    return ((uint64_t(device()) << 32) | device()) & ((1ull << 53) - 1);
}

SamplerSetup samplerSetup(const GenerateRequest& request, uint32_t promptTokens, ReplyResources& resources) {
    SamplerSetup setup;
    setup.seed = request.sampling.seed ? *request.sampling.seed : randomSeed();
    setup.promptTokens = promptTokens;
    setup.tokenBytes = [tokenizer = resources.tokenizer](int32_t id) { return tokenizer->bytes(id, false); };
    setup.form = std::move(resources.form);
    return setup;
}

// Why guesses cannot be checked: what they wrote must be easy to take back.
std::string whyNoGuesses(const KvCache& cache) {
    return cache.hasStates() ? "Guessing ahead does not work with this model: its recurrent layers cannot take tokens back." : "";
}

std::unique_ptr<Draft> draftOf(const ReplyResources& resources, const GenerateRequest& request) {
    if (!request.speculation.draft) return nullptr;
    if (resources.draft) return std::make_unique<ModelDraft>(*resources.draft, request.chat);
    if (resources.predictor) return std::make_unique<HeadDraft>(*resources.predictor, request.chat);
    return nullptr;
}

double draftShareOf(const ReplyResources& resources) {
    return resources.draft ? resources.draft->share : resources.predictor ? resources.predictor->share : 0;
}

} // namespace

uint32_t roomForReply(const GenerateRequest& request, uint32_t contextLength) {
    constexpr uint32_t kRoom = 256;
    const uint32_t wanted = request.maxTokens >= 0 ? static_cast<uint32_t>(request.maxTokens) : kRoom;
    return std::min({wanted, kRoom, contextLength / 4});
}

Reply::Reply(ReplyResources resources, GenerateRequest request, ReplyPrompt prompt, ReplyTimes times, Handover handover)
    : m_resources(std::move(resources)), m_request(std::move(request)), m_times(times), m_ids(std::move(prompt.ids)),
      m_promptTokens(static_cast<uint32_t>(m_ids.size())), m_chunksEnd(m_promptTokens),
      m_longFactors(m_resources.transformer.spec().takesLongFactors(m_promptTokens)),
      m_watch(m_resources.transformer.cache()), m_sampler(m_request.sampling, samplerSetup(m_request, m_promptTokens - prompt.replyTokens, m_resources)),
      m_speculation(m_request.speculation, draftOf(m_resources, m_request), draftShareOf(m_resources), whyNoGuesses(m_resources.transformer.cache())),
      m_decoder(m_resources.tokenizer, false), m_stops(m_request.stop) {
    m_statistics.promptTokens = m_promptTokens;
    m_statistics.droppedMessages = prompt.droppedMessages;
    m_statistics.droppedTokens = prompt.droppedTokens;
    m_statistics.queueMs = millisecondsBetween(times.submitted, times.started);
    m_statistics.tokenizeMs = times.tokenizeMs;
    m_statistics.seed = m_sampler.seed();
    // Half a character at the end of what is there is completed by what comes.
    for (size_t i = m_ids.size() - prompt.replyTokens; i < m_ids.size(); ++i) m_decoder.push(m_ids[i]);
    m_statistics.reuseReason = "first turn";
    if (handover.sequence.length > 0) {
        takeHandover(std::move(handover));
        return;
    }
    if (m_request.chat == 0) return;
    const auto start = Clock::now();
    auto reuse = m_resources.prefixes.resume(m_request.chat, m_ids, m_longFactors);
    m_sequence = std::move(reuse.sequence);
    m_statistics.reuseReason = std::move(reuse.why);
    const auto* before = m_resources.prefixes.turnOf(m_request.chat);
    if (m_statistics.reuseReason == "edited message" && before && m_resources.whyItParts) m_statistics.reuseReason = m_resources.whyItParts(*before, m_ids);
    m_statistics.reusedTokens = m_sequence.length;
    m_statistics.reuseMs = millisecondsBetween(start, Clock::now());
    m_statistics.reusedFromDisk = reuse.fromDisk;
    m_statistics.reusedFromMemory = reuse.fromMemory;
}

void Reply::takeHandover(Handover handover) {
    m_sequence = std::move(handover.sequence);
    m_statistics.reuseReason = std::move(handover.reuseReason);
    m_statistics.reusedTokens = handover.reusedTokens;
    m_statistics.prefillMs = handover.prefillMs;
    m_statistics.transferMs = handover.transferMs;
    m_statistics.transferTokens = m_sequence.length;
    m_statistics.transferBytes = handover.transferBytes;
    if (m_request.chat != 0 && m_resources.transformer.cache().hasStates())
        m_resources.prefixes.keepPoint({m_ids.data(), m_sequence.length}, m_sequence, m_longFactors);
}

StepWish Reply::wish() {
    const auto length = static_cast<uint32_t>(m_ids.size());
    if (length > contextLength() && !shiftOldest() && !dropOldest()) {
        failForRoom();
        return {};
    }
    if (!m_longFactors && m_resources.transformer.spec().takesLongFactors(length)) turnLong();
    if (m_waits) takeUp();
    if (decodes()) return {1, true, 0, m_longFactors, priority()};
    return {chunkEnd() - m_sequence.length, false, m_rowsGiven, m_longFactors, priority()};
}

double Reply::ageMs() const { return millisecondsBetween(m_times.submitted, Clock::now()); }

uint32_t Reply::guess(uint32_t most, GuessCosts costs) {
    const auto length = static_cast<uint32_t>(m_ids.size());
    most = std::min(most, contextLength() - length);
    if (m_request.maxTokens >= 0) // the step itself gives one more
        most = std::min(most, static_cast<uint32_t>(m_request.maxTokens) - std::min(m_statistics.generatedTokens + 1, static_cast<uint32_t>(m_request.maxTokens)));
    // Where other factors of the rotation begin, all before is read again.
    if (!m_longFactors && m_resources.transformer.spec().takesLongFactors(length + most)) most = 0;
    m_guesses = m_speculation.guess(m_ids, most, m_resources.transformer.spec().vocabulary, m_sampler, std::move(costs));
    return static_cast<uint32_t>(m_guesses.size());
}

void Reply::failForRoom() {
    if (m_sequence.length < m_promptTokens && m_ids.size() <= contextLength())
        return finish(StopReason::Failed, "The cache has no room for this prompt; load the model with a longer context.");
    tellWhatWouldGo();
    const StopReason reason = m_request.overflow == Overflow::Error ? StopReason::Failed : StopReason::ContextFull;
    if (m_promptTokens <= contextLength()) return finish(reason, "The context of " + std::to_string(contextLength()) + " tokens is full.");
    finish(reason, "The chat has " + std::to_string(m_promptTokens) + " tokens and the context holds " + std::to_string(contextLength()) + ".");
}

void Reply::tellWhatWouldGo() {
    if (m_request.overflow != Overflow::Stop || !m_resources.fit) return;
    const auto generated = static_cast<uint32_t>(m_ids.size()) - m_promptTokens;
    const uint32_t taken = generated + roomForReply(m_request, contextLength());
    if (taken >= contextLength()) return;
    const auto fitted = m_resources.fit(m_request, contextLength() - taken);
    if (!fitted) return;
    m_statistics.wouldDropMessages = fitted->droppedMessages;
    m_statistics.wouldDropTokens = fitted->droppedTokens;
}

// Takes a quarter of what stands behind the system prompt out of the cache, in whole blocks.
bool Reply::shiftOldest() {
    auto& transformer = m_resources.transformer;
    if (m_request.overflow != Overflow::Shift || m_sequence.length + 1 < m_ids.size() || !whyNoShift(transformer.spec()).empty()) return false;
    // The system prompt is what the prompt without its oldest turns begins with too.
    uint32_t kept = 0;
    if (m_resources.fit && m_promptTokens > 1)
        if (const auto fitted = m_resources.fit(m_request, m_promptTokens - 1)) kept = commonPrefix(m_ids, fitted->ids);
    constexpr uint32_t kBlock = ops::kBlockTokens;
    const uint32_t from = (std::min(kept, m_sequence.length) + kBlock - 1) / kBlock * kBlock;
    if (from + 2 * kBlock > m_sequence.length) return false;
    const uint32_t count = std::max(kBlock, (m_sequence.length - from) / 4 / kBlock * kBlock);
    auto& prefixes = m_resources.prefixes;
    const auto done = removeTokens(transformer.spec(), transformer.cache(), m_sequence, from, count,
                                   [&](size_t pool) { return prefixes.drop(pool); });
    if (!done || !*done) { // without its cache it is read again
        transformer.cache().release(m_sequence);
        return false;
    }
    m_ids.erase(m_ids.begin() + from, m_ids.begin() + from + count);
    m_promptTokens -= m_promptTokens > from ? std::min(count, m_promptTokens - from) : 0;
    m_chunksEnd = std::min(m_sequence.length, m_chunksEnd);
    m_sampler.setPromptTokens(m_promptTokens);
    m_speculation.beginAgain();
    m_approximate = true;
    m_statistics.shiftedTokens += count;
    return true;
}

// Leaves out the oldest turns, so that the reply goes on behind a shorter prompt. What is kept is read again, for its keys hold
// positions; the beginning, which did not move, is reused.
bool Reply::dropOldest() {
    const bool drops = m_request.overflow == Overflow::DropOldest || m_request.overflow == Overflow::Shift;
    if (!drops || !m_resources.fit) return false;
    const auto generated = static_cast<uint32_t>(m_ids.size()) - m_promptTokens;
    const uint32_t taken = generated + roomForReply(m_request, contextLength());
    if (taken >= contextLength()) return false;
    auto fitted = m_resources.fit(m_request, contextLength() - taken);
    if (!fitted || fitted->ids.size() >= m_promptTokens) return false;
    giveBack();
    std::vector<int32_t> ids = std::move(fitted->ids);
    m_sampler.setPromptTokens(ids.size() - fitted->replyTokens);
    const auto promptTokens = static_cast<uint32_t>(ids.size());
    ids.insert(ids.end(), m_ids.begin() + m_promptTokens, m_ids.end());
    m_ids = std::move(ids);
    m_promptTokens = promptTokens;
    m_chunksEnd = static_cast<uint32_t>(m_ids.size());
    m_longFactors = m_resources.transformer.spec().takesLongFactors(m_chunksEnd);
    m_speculation.beginAgain();
    m_statistics.droppedMessages = fitted->droppedMessages;
    m_statistics.droppedTokens = fitted->droppedTokens;
    return true;
}

void Reply::giveBack() {
    readLikePrompt();
    if (m_request.chat != 0 && m_sequence.length > 0 && !m_approximate && !m_watch.lost()) {
        const auto read = m_ids.begin() + m_sequence.length;
        m_resources.prefixes.keep(parkedAs(), {m_ids.begin(), read}, {read, m_ids.end()}, m_sequence, m_longFactors);
    }
    waitWithout();
}

// Lets go of its cache.
void Reply::waitWithout() {
    m_guesses.clear();
    m_resources.transformer.cache().release(m_sequence);
    m_approximate = false; // what is read again is exact
    m_waits = true;
}

bool Reply::startAgainIfLost() {
    if (!m_watch.lost()) return false;
    readLikePrompt();
    waitWithout();
    return true;
}

// Goes on after it gave back, with what is still there.
void Reply::takeUp() {
    m_waits = false;
    if (m_request.chat == 0) return;
    m_resources.warm.bringBack(parkedAs(), m_ids, m_longFactors, true);
    auto reuse = m_resources.prefixes.resume(parkedAs(), m_ids, m_longFactors);
    m_sequence = std::move(reuse.sequence);
    m_statistics.movedTokens += reuse.fromMemory;
    unpark();
}

void Reply::unpark() {
    m_resources.prefixes.letGo(parkedAs());
    m_resources.warm.forget(parkedAs());
}

void Reply::addRows(Step& step, uint32_t rows) {
    if (!decodes()) {
        if (!m_prefillStart) m_prefillStart = Clock::now();
        m_rowsGiven += rows;
    }
    const auto sequence = static_cast<int32_t>(step.tables.size());
    const auto known = static_cast<uint32_t>(m_ids.size());
    for (uint32_t position = m_sequence.length; position < m_sequence.length + rows; ++position) {
        step.ids.push_back(position < known ? m_ids[position] : m_guesses[position - known]);
        step.positions.push_back(static_cast<int32_t>(position));
        step.sequences.push_back(sequence);
    }
    step.tables.push_back(&m_sequence);
    step.longFactors = m_longFactors;
    for (uint32_t back = outputs(rows); back > 0; --back) step.outputRows.push_back(static_cast<int32_t>(step.ids.size() - back));
}

void Reply::stepped(uint32_t rows, std::span<const float> logits, std::span<const float> hidden) {
    if (!hidden.empty()) m_speculation.tookHidden(m_sequence.length, hidden);
    if (decodes()) tookTokens(rows, logits);
    else tookPrompt(m_sequence.length + rows, logits);
}

// A token from each row whose own token was the right one; what guesses behind that wrote is written over.
void Reply::tookTokens(uint32_t rows, std::span<const float> logits) {
    const std::vector<int32_t> guesses(m_guesses.begin(), m_guesses.begin() + std::min<ptrdiff_t>(rows - 1, std::ssize(m_guesses)));
    m_guesses.clear();
    uint32_t accepted = 0;
    for (uint32_t row = 0; row < rows && !m_done; ++row) {
        m_resources.transformer.cache().commit(m_sequence, m_sequence.length + 1);
        takeToken(logits.subspan(size_t(row) * m_resources.transformer.spec().vocabulary, m_resources.transformer.spec().vocabulary));
        if (m_done || row >= guesses.size() || m_ids.back() != guesses[row]) break;
        ++accepted;
    }
    m_speculation.checked(static_cast<uint32_t>(guesses.size()), accepted);
}

// From this token on the long factors hold, also for the keys of the tokens before: all are read again.
void Reply::turnLong() {
    m_longFactors = true;
    m_chunksEnd = static_cast<uint32_t>(m_ids.size());
    m_resources.transformer.cache().release(m_sequence);
}

// Where a state stands before the last token of the prompt it is kept: from there the turn can be answered again.
uint32_t Reply::chunkEnd() const {
    const uint32_t end = std::min(m_chunksEnd, m_sequence.length + m_resources.transformer.shape().maxRows);
    const bool stops = m_request.chat != 0 && m_resources.transformer.cache().hasStates() && m_sequence.length + 1 < m_promptTokens;
    return stops ? std::min(end, m_promptTokens - 1) : end;
}

void Reply::tookPrompt(uint32_t to, std::span<const float> logits) {
    const bool last = to == m_chunksEnd;
    const bool keepsPoint = m_request.chat != 0 && m_resources.prefixes.needsPoints() &&
                            to == (m_resources.transformer.cache().hasStates() ? m_promptTokens - 1 : m_promptTokens);
    if (keepsPoint) m_resources.prefixes.keepPoint({m_ids.data(), to}, m_sequence, m_longFactors); // before windows pass
    m_resources.transformer.cache().commit(m_sequence, to);
    if (m_chunksEnd > m_promptTokens) { // read again, in the middle of the reply
        if (last) takeToken(logits);
        return;
    }
    m_resources.emit(PromptProgress{m_request.id, m_promptTokens, m_statistics.reusedTokens, to - std::min(to, m_statistics.reusedTokens)});
    if (!last) return;
    m_statistics.prefillMs += millisecondsBetween(*m_prefillStart, Clock::now()); // beside what another device took
    const uint32_t read = m_promptTokens - m_statistics.reusedTokens;
    m_statistics.prefillTokensPerSecond = m_statistics.prefillMs > 0 ? read * 1000.0 / m_statistics.prefillMs : 0;
    takeToken(logits);
}

// Samples from the logits of the last step, gives out what became visible, and ends the reply where it ends.
void Reply::takeToken(std::span<const float> logits) {
    if (m_request.maxTokens == 0) return finish(StopReason::TokenLimit);
    size_t bad = 0;
    if (firstNonFinite(logits, bad))
        return finish(StopReason::Failed, "The model's numbers overflowed (the logit of token " + std::to_string(bad) +
                                              " is not finite); the file may be damaged. Another device may help.");
    const int32_t token = m_sampler.choose(logits, m_ids, static_cast<uint32_t>(m_ids.size()));
    if (token < 0) return finish(StopReason::Failed, "No token is left that may come next. " + m_sampler.problem());
    m_sampler.accept(token);
    tookTime(Clock::now());
    if (m_request.logprobs >= 0) m_pendingLogprobs.push_back(logprobsOf(logits, token, m_request.logprobs, *m_resources.tokenizer));
    ++m_statistics.generatedTokens;
    const auto& ends = m_resources.tokenizer->special().endOfReply;
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) {
        give(m_stops.push(m_decoder.finish()), {token});
        give(m_stops.finish(), {});
        return finish(m_stops.matched() ? StopReason::StopString : StopReason::EndToken);
    }
    m_ids.push_back(token);
    give(m_stops.push(m_decoder.push(token)), {token});
    if (m_stops.matched()) return finish(StopReason::StopString);
    if (m_request.maxTokens > 0 && m_statistics.generatedTokens >= static_cast<uint32_t>(m_request.maxTokens)) {
        give(m_stops.finish(), {}); // bytes of half a character are dropped
        return finish(StopReason::TokenLimit);
    }
}

void Reply::tookTime(Clock::time_point now) {
    const double sinceSubmit = millisecondsBetween(m_times.submitted, now);
    if (m_lastToken) {
        m_gapsMs.push_back(millisecondsBetween(*m_lastToken, now));
    } else {
        m_firstToken = now;
        m_statistics.firstTokenMs = sinceSubmit;
    }
    m_lastToken = now;
    m_pendingTimesMs.push_back(static_cast<float>(sinceSubmit));
}

void Reply::give(const std::string& text, std::vector<int32_t> ids) {
    m_pendingIds.insert(m_pendingIds.end(), ids.begin(), ids.end());
    if (text.empty() && !m_done) {
        if (m_pendingIds.empty()) return;
        if (m_pendingIds.size() < 64) return; // ids without text wait for the text that they make
    }
    if (!text.empty() && !m_visible) {
        m_visible = true;
        m_statistics.ttftMs = millisecondsBetween(m_times.submitted, Clock::now());
    }
    m_resources.emit(TextDelta{m_request.id, text, std::move(m_pendingIds), std::move(m_pendingTimesMs), std::move(m_pendingLogprobs)});
    m_pendingIds.clear();
    m_pendingTimesMs.clear();
    m_pendingLogprobs.clear();
}

double Reply::decodeTokensPerSecond() const {
    if (m_gapsMs.empty()) return 0;
    const double ms = millisecondsBetween(*m_firstToken, *m_lastToken);
    return ms > 0 ? static_cast<double>(m_gapsMs.size()) * 1000.0 / ms : 0;
}

void Reply::cancel() {
    if (m_done) return;
    give(m_stops.finish(), {});
    finish(StopReason::Cancelled);
}

void Reply::finish(StopReason reason, std::string sentence) {
    m_done = true;
    unpark();
    if (!m_pendingIds.empty()) give({}, {});
    m_statistics.itlP50Ms = percentile(m_gapsMs, 0.5);
    m_statistics.itlP95Ms = percentile(m_gapsMs, 0.95);
    m_statistics.decodeTokensPerSecond = decodeTokensPerSecond();
    m_statistics.speculation = m_speculation.statistics();
    m_resources.ideal.tellShares(m_statistics);
    if (reason == StopReason::Failed || m_watch.lost()) m_resources.transformer.cache().release(m_sequence);
    if (readsAhead() && m_sequence.length > 0) {
        m_resources.prefixes.park({m_ids.data(), m_sequence.length}, m_sequence, m_longFactors); // the chat's last turn is another
    } else if (m_request.chat != 0 && m_sequence.length > 0 && !m_approximate) {
        std::vector<int32_t> unread(m_ids.begin() + m_sequence.length, m_ids.end());
        m_ids.resize(m_sequence.length);
        m_resources.prefixes.keep(m_request.chat, std::move(m_ids), std::move(unread), m_sequence, m_longFactors);
    } else {
        m_resources.transformer.cache().release(m_sequence);
    }
    m_resources.emit(GenerationFinished{m_request.id, reason, std::move(sentence), m_statistics});
}

} // namespace steelyard
