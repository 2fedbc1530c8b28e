// Chooses the next token: a chain of stages over the logits, then a draw. Knows nothing of models or devices.
//
// What it gives is a function of logits, history, position and its state, and nothing but accept() moves the state (mirostat's limit, the
// place in a grammar). So several positions of one step may be asked for in turn, each after the token before it was accepted.
// A grammar masks tokens before the chain, so that the chain sees only what may come. A copy is for looking ahead.
#pragma once

#include "engine/grammar/matcher.h"
#include "engine/request.h"
#include "engine/sampling/stages.h"

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace steelyard {

// The order of stages when a request names none, as the field has it. Biases come before all of them; the dynamic temperature takes
// the place of the temperature, mirostat comes last and in place of the stages that drop candidates.
inline constexpr std::string_view kDefaultOrder[] = {"penalties", "dry",   "top_n_sigma", "top_k",      "typical",
                                                     "top_p",     "min_p", "xtc",         "temperature"};

// The stages of a request that are not off, in its order. At temperature 0 the stages that only drop candidates make no difference
// and stay out.
std::vector<SamplingStage> chainOf(const SamplingOptions& options);

// An error names the option whose value makes no sense. `vocabulary`: how many tokens there are; 0 = not known.
Result<void> checkOptions(const SamplingOptions& options, size_t vocabulary = 0);

// What is left after the chain: probabilities that add up to 1.
struct Distribution {
    std::vector<int32_t> ids;
    std::vector<double> probabilities;
};

struct SamplerSetup {
    uint64_t seed = 0;                              // the one used, whatever the options say
    size_t promptTokens = 0;                        // of each history: what the frequency and presence penalties leave out
    std::function<std::string(int32_t)> tokenBytes{}; // for DRY's breakers; without it there are none
    std::optional<grammar::Matcher> form{};           // what the reply must be a text of
};

class Sampler {
public:
    Sampler(const SamplingOptions& options, SamplerSetup setup);

    // The token for a position; -1 when bans and grammar leave none (problem() says why). `history` is prompt and reply so far.
    int32_t choose(std::span<const float> logits, std::span<const int32_t> history, uint32_t position);
    // The distribution that choose() draws from, for those who draw themselves.
    Distribution distribution(std::span<const float> logits, std::span<const int32_t> history, uint32_t position);
    // The token was taken at the position that was asked for last.
    void accept(int32_t token);

    // The history has another prompt now.
    void setPromptTokens(size_t tokens) { m_setup.promptTokens = tokens; }

    // Why no token was left.
    std::string problem() const;

    uint64_t seed() const { return m_setup.seed; }

private:
    Candidates narrowed(std::span<const float> logits, std::span<const int32_t> history, uint32_t position);

    std::vector<SamplingStage> m_chain;
    std::vector<LogitBias> m_biases;
    SamplerSetup m_setup;
    std::shared_ptr<const DryBreakers> m_breakers; // shared by copies, which drafts make
    bool m_greedy; // the best token alone: nothing needs sorting
    double m_tau, m_eta;                // of mirostat; tau 0 = off
    double m_surpriseLimit;             // its state
    Distribution m_last;                // with mirostat: of the position that was asked for last
};

// Whether all logits are numbers; otherwise the id of the first that is not.
bool firstNonFinite(std::span<const float> logits, size_t& index);

} // namespace steelyard
