// One reply, token after token: reads the prompt in chunks, then decodes until something ends it.
//
// A reply says what it wants to run next (wish), adds its rows to a step that others may share (batch.h), and takes what the
// step gave. Events go out through `emit`; the last is GenerationFinished. The cache that the reply leaves behind is kept for its
// chat. Used by the engine thread.
#pragma once

#include "engine/cache/warm_chats.h"
#include "engine/decode/ideal_times.h"
#include "engine/decode/prefill_side.h"
#include "engine/decode/speculation.h"
#include "engine/decode/stop_matcher.h"
#include "engine/event.h"
#include "engine/model/transformer.h"
#include "engine/request.h"
#include "engine/sampling/sampler.h"
#include "engine/scheduler/scheduler.h"
#include "engine/tokenizer/incremental_decoder.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace steelyard {

using Clock = std::chrono::steady_clock;

// The prompt of a reply, as it is now.
struct ReplyPrompt {
    std::vector<int32_t> ids;     // at least one token
    uint32_t replyTokens = 0;     // the last ones are of this very reply, which goes on
    uint32_t droppedMessages = 0, droppedTokens = 0;
};

// What a reply works with; all of it outlives the reply.
struct ReplyResources {
    Transformer& transformer;
    std::shared_ptr<const Tokenizer> tokenizer;
    PrefixCache& prefixes;
    WarmChats& warm;
    std::function<void(Event)> emit;
    std::optional<DraftResources> draft;     // of the model that guesses ahead
    std::optional<DraftResources> predictor; // of the model's own predictor, used where there is no such model
    // The request's prompt with its oldest turns left out until at most so many tokens are left; an error where that cannot be.
    std::function<Result<ReplyPrompt>(const GenerateRequest&, uint32_t limit)> fit;
    // Why a prompt parts from the chat's last turn, where it does.
    std::function<std::string(std::span<const int32_t> before, std::span<const int32_t> now)> whyItParts;
    std::optional<grammar::Matcher> form{};  // what the reply must be a text of
    IdealTimes ideal{};
};

// Tokens that a prompt which was made to fit leaves to the reply.
uint32_t roomForReply(const GenerateRequest& request, uint32_t contextLength);

struct ReplyTimes {
    Clock::time_point submitted, started; // handed to the engine; taken up by it
    double tokenizeMs = 0;
};

class Reply {
public:
    // What came over from another device passes into the reply's hands.
    Reply(ReplyResources resources, GenerateRequest request, ReplyPrompt prompt, ReplyTimes times, Handover handover = {});

    // What it wants to run next; nothing when it finds that it is done, or waits for room. Once done() is true,
    // GenerationFinished was emitted.
    StepWish wish();
    bool decodes() const { return m_sequence.length >= m_chunksEnd; }
    // While it decodes: guesses the tokens after the next one, at most `most`, which become rows of its next step; how many.
    uint32_t guess(uint32_t most, GuessCosts costs);
    // Makes room for its next rows; false when there is none.
    bool reserve(uint32_t rows) { return m_resources.prefixes.makeRoom(m_sequence, m_sequence.length + rows); }
    void failForRoom();
    // Adds its next rows, for which there is room, to a step; the last outputs() of them get logits.
    void addRows(Step& step, uint32_t rows);
    uint32_t outputs(uint32_t rows) const { return decodes() ? rows : m_sequence.length + rows >= m_chunksEnd ? 1 : 0; }
    // The step with so many of its rows was run; `logits` of the last outputs(), and, where wanted, the `hidden` states of all.
    bool wantsHidden() const { return m_speculation.wantsHidden(); }
    void stepped(uint32_t rows, std::span<const float> logits, std::span<const float> hidden);
    void fail(const std::string& sentence) { finish(StopReason::Failed, sentence); }

    // Lets go of its cache for others; it waits until it is asked again, and reads again what is lost by then.
    void giveBack();
    // Starts again from what the cache has for sure, if a device lost work; whether it did.
    bool startAgainIfLost();
    bool waits() const { return m_waits; }
    bool holdsCache() const { return m_sequence.length > 0 || !m_sequence.tables.empty(); }

    // Ends the reply now; what was decoded stays in the chat's cache.
    void cancel();
    // The same in the middle of its step, which gave nothing.
    void cutOff() {
        auto& cache = m_resources.transformer.cache();
        if (cache.hasStates()) cache.release(m_sequence); // some layers went on, and cannot go back
        cancel();
    }
    bool done() const { return m_done; }

    RequestId id() const { return m_request.id; }
    uint64_t chat() const { return m_request.chat; }
    int priority() const { return static_cast<int>(m_request.priority); }
    bool readsAhead() const { return m_request.priority == Priority::ReadAhead; }
    double ageMs() const; // since it was submitted
    uint32_t contextUsed() const { return static_cast<uint32_t>(m_ids.size()); }
    double decodeTokensPerSecond() const;

private:
    void takeHandover(Handover handover);
    uint64_t parkedAs() const { return kNoChats | m_request.id; } // while it waits
    void unpark();
    void waitWithout();
    void readLikePrompt() { // what was decoded, when its cache goes
        if (decodes()) m_chunksEnd = static_cast<uint32_t>(m_ids.size());
    }
    uint32_t chunkEnd() const;
    void turnLong();
    bool dropOldest();
    bool shiftOldest();
    void tellWhatWouldGo();
    void takeUp();
    void tookPrompt(uint32_t to, std::span<const float> logits);
    void tookTokens(uint32_t rows, std::span<const float> logits);
    void takeToken(std::span<const float> logits);
    void tookTime(Clock::time_point now);
    void give(const std::string& text, std::vector<int32_t> ids);
    void finish(StopReason reason, std::string sentence = {});
    uint32_t contextLength() const { return m_resources.transformer.shape().contextTokens; }

    ReplyResources m_resources;
    GenerateRequest m_request;
    ReplyTimes m_times;
    std::vector<int32_t> m_ids;     // prompt and reply
    uint32_t m_promptTokens;
    uint32_t m_chunksEnd;           // what is read in chunks: the prompt, or all of it again
    bool m_longFactors;
    LossWatch m_watch;
    CachedSequence m_sequence;
    Sampler m_sampler;
    Speculation m_speculation;
    std::vector<int32_t> m_guesses; // rows of the next step, behind the last token
    IncrementalDecoder m_decoder;
    StopMatcher m_stops;
    GenerationStatistics m_statistics;
    std::vector<int32_t> m_pendingIds; // sampled, their text not complete yet
    std::vector<float> m_pendingTimesMs; // of the same
    std::vector<TokenLogprobs> m_pendingLogprobs;
    std::vector<double> m_gapsMs;      // between tokens
    std::optional<Clock::time_point> m_prefillStart, m_firstToken, m_lastToken;
    uint64_t m_rowsGiven = 0;          // of prompts
    bool m_approximate = false;        // its cache was shifted
    bool m_visible = false;
    bool m_waits = false;
    bool m_done = false;
};

} // namespace steelyard
