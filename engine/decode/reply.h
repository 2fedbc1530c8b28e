// One reply, token after token: reads the prompt in chunks, then decodes until something ends it.
//
// Each call of advance() is one step on the device, so that commands are read between steps. Events go out through `emit`;
// the last is GenerationFinished. The cache that the reply leaves behind is kept for its chat. Used by the engine thread.
#pragma once

#include "engine/cache/prefix_cache.h"
#include "engine/decode/stop_matcher.h"
#include "engine/event.h"
#include "engine/model/transformer.h"
#include "engine/request.h"
#include "engine/sampling/sampler.h"
#include "engine/tokenizer/incremental_decoder.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace steelyard {

using Clock = std::chrono::steady_clock;

// What a reply works with; all of it outlives the reply.
struct ReplyResources {
    Transformer& transformer;
    std::shared_ptr<const Tokenizer> tokenizer;
    PrefixCache& prefixes;
    std::function<void(Event)> emit;
};

struct ReplyTimes {
    Clock::time_point submitted, started; // handed to the engine; taken up by it
    double tokenizeMs = 0;
};

class Reply {
public:
    // `ids` is the whole prompt, at least one token; its last `replyTokens` are of this very reply, which goes on.
    Reply(ReplyResources resources, GenerateRequest request, std::vector<int32_t> ids, uint32_t replyTokens, ReplyTimes times);

    // One step; after the last one done() is true and GenerationFinished was emitted.
    void advance();
    // Ends the reply now; what was decoded stays in the chat's cache.
    void cancel();
    bool done() const { return m_done; }

    RequestId id() const { return m_request.id; }
    uint32_t contextUsed() const { return static_cast<uint32_t>(m_ids.size()); }
    uint64_t cacheBytes() const { return m_resources.transformer.cache().bytesOf(m_sequence); }
    double decodeTokensPerSecond() const;

private:
    uint32_t chunkEnd() const;
    void turnLong();
    void readChunk();
    void decodeStep();
    void takeToken();
    void give(const std::string& text, std::vector<int32_t> ids);
    void finish(StopReason reason, std::string sentence = {});
    uint32_t contextLength() const { return m_resources.transformer.shape().contextTokens; }
    Step stepOf(uint32_t from, uint32_t to, bool wantsLogits) const;

    ReplyResources m_resources;
    GenerateRequest m_request;
    ReplyTimes m_times;
    std::vector<int32_t> m_ids;     // prompt and reply
    uint32_t m_promptTokens;
    uint32_t m_chunksEnd;           // what is read in chunks: the prompt, or all of it again
    bool m_longFactors;
    CachedSequence m_sequence;
    Sampler m_sampler;
    IncrementalDecoder m_decoder;
    StopMatcher m_stops;
    GenerationStatistics m_statistics;
    std::vector<int32_t> m_pendingIds; // sampled, their text not complete yet
    std::vector<double> m_gapsMs;      // between tokens
    std::optional<Clock::time_point> m_prefillStart, m_firstToken, m_lastToken;
    bool m_visible = false;
    bool m_done = false;
};

} // namespace steelyard
