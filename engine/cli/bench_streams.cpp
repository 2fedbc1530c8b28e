#include "engine/cli/bench_streams.h"

#include "engine/cli/files.h"
#include "engine/cli/speculation_options.h"
#include "engine/core/percentile.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace steelyard::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWaitMs = 100;
constexpr RequestId kFirst = 1000, kJoining = 999;

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

Json gapsJson(const std::vector<double>& gaps) { return {{"p50", percentile(gaps, 0.5)}, {"p95", percentile(gaps, 0.95)}, {"tokens", gaps.size()}}; }

GenerateRequest requestOf(RequestId id, std::string text, uint32_t tokens) {
    GenerateRequest request;
    request.id = id;
    request.model = kSessionModel;
    request.prompt.text = std::move(text);
    request.sampling.temperature = 0;
    request.maxTokens = static_cast<int32_t>(tokens);
    return request;
}

// What is known of one reply while it runs.
struct Stream {
    std::optional<float> lastMs; // since it was submitted
    GenerationFinished end;
};

class Streams {
public:
    Streams(Session& session, const StreamsOptions& options) : m_session(session), m_options(options) {}

    Result<Json> run(const std::string& text) {
        const auto start = Clock::now();
        for (uint32_t i = 0; i < m_options.parallel; ++i) {
            auto request = requestOf(kFirst + i, std::to_string(i) + ". " + text, m_options.tokens);
            request.speculation = m_options.speculation;
            if (!m_session.engine().submit(std::move(request))) return Error{"The engine does not take the request."};
        }
        const size_t expected = m_options.parallel + (m_options.joinTokens > 0 ? 1 : 0);
        while (m_ended < expected) {
            for (const auto& event : m_session.engine().waitForEvents(kWaitMs))
                if (auto taken = take(event); !taken) return taken.error();
            const bool joins = m_options.joinTokens > 0 && !m_joined && m_tokens >= m_options.parallel * m_options.tokens / 3;
            if (joins) join(text);
        }
        return report(millisecondsSince(start));
    }

private:
    Result<void> take(const Event& event) {
        if (const auto* delta = std::get_if<TextDelta>(&event)) {
            if (delta->id == kJoining) {
                m_joinDone = true;
                return {};
            }
            auto& stream = m_streams[delta->id];
            for (const float ms : delta->timesMs) {
                if (stream.lastMs) (!m_joined ? m_before : m_joinDone ? m_after : m_during).push_back(ms - *stream.lastMs);
                stream.lastMs = ms;
                ++m_tokens;
            }
        } else if (const auto* end = std::get_if<GenerationFinished>(&event)) {
            if (end->reason == StopReason::Failed || end->reason == StopReason::ContextFull) return Error{end->sentence};
            (end->id == kJoining ? m_joiningEnd : m_streams[end->id].end) = *end;
            ++m_ended;
        }
        return {};
    }

    // A prompt of other words, about as many tokens as wanted.
    void join(const std::string& text) {
        m_joined = true;
        auto ids = std::vector<int32_t>();
        for (uint32_t i = 0; i < m_options.joinTokens; ++i) ids.push_back(static_cast<int32_t>(1 + (i * 7919u) % (m_session.facts().vocabulary - 1)));
        auto request = requestOf(kJoining, text, 2);
        request.prompt.kind = Prompt::Kind::Ids;
        request.prompt.ids = std::move(ids);
        m_session.engine().submit(std::move(request));
    }

    Json report(double ms) const {
        SpeculationStatistics guesses;
        uint64_t tokens = 0;
        double decoding = 0;
        for (const auto& [id, stream] : m_streams) {
            const auto& own = stream.end.statistics;
            tokens += own.generatedTokens;
            decoding += own.decodeTokensPerSecond;
            guesses.steps += own.speculation.steps;
            guesses.guessed += own.speculation.guessed;
            guesses.accepted += own.speculation.accepted;
            guesses.lookupGuessed += own.speculation.lookupGuessed;
            guesses.lookupAccepted += own.speculation.lookupAccepted;
            guesses.draftMs += own.speculation.draftMs;
        }
        Json json = {{"parallel", m_options.parallel}, {"tokens", tokens},           {"tokens_per_second", static_cast<double>(tokens) * 1000.0 / ms},
                     {"decode_tokens_per_second", decoding}, {"itl_ms", gapsJson(m_before)}, {"speculation", speculationJson(guesses)}};
        if (m_joined) {
            const auto& own = m_joiningEnd.statistics;
            json["join"] = {{"prompt_tokens", own.promptTokens}, {"ttft_ms", own.ttftMs}, {"itl_ms_while_reading", gapsJson(m_during)}, {"itl_ms_after", gapsJson(m_after)},
                            {"p95_stretch", percentile(m_before, 0.95) > 0 ? percentile(m_during, 0.95) / percentile(m_before, 0.95) : 0}};
        }
        return json;
    }

    Session& m_session;
    const StreamsOptions& m_options;
    std::map<RequestId, Stream> m_streams;
    GenerationFinished m_joiningEnd;
    std::vector<double> m_before, m_during, m_after; // the joining prompt was read
    uint64_t m_tokens = 0;
    size_t m_ended = 0;
    bool m_joined = false, m_joinDone = false;
};

} // namespace

Result<Json> benchStreams(Session& session, const StreamsOptions& options) {
    const auto text = readFile(options.promptFile);
    if (!text) return text.error();
    return Streams(session, options).run(*text);
}

Result<Json> benchChats(Session& session, uint32_t reservedTokens) {
    const uint32_t pool = session.facts().contextLength;
    const auto lengthOf = [](uint32_t chat) { return 256 + (chat * 577u) % 1793u; };
    const auto ask = [&](uint32_t chat) {
        auto request = requestOf(chat, {}, 1);
        request.prompt.kind = Prompt::Kind::Ids;
        for (uint32_t i = 0; i < lengthOf(chat); ++i) request.prompt.ids.push_back(static_cast<int32_t>(1 + (i * 31u + chat * 7919u) % (session.facts().vocabulary - 1)));
        request.chat = chat;
        return session.generate(std::move(request), {}, nullptr);
    };
    uint32_t chats = 0;
    uint64_t tokens = 0;
    while (tokens + lengthOf(chats + 1) <= pool) {
        if (auto done = ask(++chats); !done) return done.error();
        tokens += lengthOf(chats);
    }
    uint32_t warm = 0;
    for (uint32_t chat = 1; chat <= chats; ++chat) {
        const auto again = ask(chat);
        if (!again) return again.error();
        if (again->finished.statistics.reusedTokens + 1 >= lengthOf(chat)) ++warm;
    }
    const uint32_t reserved = pool / reservedTokens;
    return Json{{"pool_tokens", pool}, {"chats_held", warm}, {"tokens_held", tokens}, {"reserved_tokens_each", reservedTokens},
                {"chats_with_reservation", reserved}, {"ratio", reserved > 0 ? double(warm) / reserved : 0}};
}

} // namespace steelyard::cli
