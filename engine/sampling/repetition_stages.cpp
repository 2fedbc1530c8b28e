// The stages that make what was already written less probable.
#include "engine/sampling/stage_functions.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace steelyard::stages {

namespace {

// The last tokens of the history that a stage looks at.
std::span<const int32_t> lastOf(std::span<const int32_t> history, double lastN) {
    return lastN < 0 || lastN >= static_cast<double>(history.size()) ? history : history.last(static_cast<size_t>(lastN));
}

struct Count {
    int all = 0, inReply = 0;
};

} // namespace

// Divides positive and multiplies negative logits of recent tokens by `repeat`, and takes away frequency and presence.
// Source: Keskar et al., "CTRL" (repeat); OpenAI's API reference (the other two).
void penalties(Values v, Candidates& candidates, const StageContext& context) {
    const auto recent = lastOf(context.history, v[0]);
    if (recent.empty() || (v[1] == 1.0 && v[2] == 0.0 && v[3] == 0.0)) return;
    std::unordered_map<int32_t, Count> counts;
    const size_t before = context.history.size() - recent.size();
    for (size_t i = 0; i < recent.size(); ++i) {
        Count& count = counts[recent[i]];
        ++count.all;
        if (before + i >= context.promptTokens) ++count.inReply;
    }
    const auto repeat = static_cast<float>(v[1]);
    candidates.changeEach(counts, [&](Candidate& candidate, const Count& seen) {
        candidate.logit = candidate.logit > 0 ? candidate.logit / repeat : candidate.logit * repeat;
        if (seen.inReply > 0) candidate.logit -= static_cast<float>(seen.inReply * v[2] + v[3]);
    });
}

// A token that would prolong a repetition of n tokens loses multiplier * base^(n - allowed length).
void dry(Values v, Candidates& candidates, const StageContext& context) {
    const auto recent = lastOf(context.history, v[3]);
    const auto allowed = static_cast<size_t>(std::max(1.0, std::min(v[2], 1e9)));
    if (v[0] <= 0 || recent.size() <= allowed) return;
    const size_t longest = context.breakers ? context.breakers->tokensAfterLast(recent) : recent.size();
    if (longest < allowed) return;

    // match[i]: how many tokens that end i tokens before the end are the tokens at the end (the Z function of the reverse).
    const size_t size = recent.size();
    const auto back = [&](size_t i) { return recent[size - 1 - i]; };
    std::vector<size_t> match(size, 0);
    for (size_t i = 1, left = 0, right = 0; i < size; ++i) {
        size_t& length = match[i];
        if (i < right) length = std::min(right - i, match[i - left]);
        while (i + length < size && back(length) == back(i + length)) ++length;
        if (i + length > right) {
            left = i;
            right = i + length;
        }
    }
    std::unordered_map<int32_t, size_t> repeated; // by the token that came next
    for (size_t i = 1; i < size; ++i) {
        const size_t length = std::min(match[i], longest);
        if (length >= allowed) repeated[back(i - 1)] = std::max(repeated[back(i - 1)], length);
    }
    // Beyond this the logit would no longer be a number.
    const double most = v[1] > 1.000001 ? std::log(1e30 / v[0]) / std::log(v[1]) : 1e9;
    candidates.changeEach(repeated, [&](Candidate& candidate, size_t length) {
        if (context.breakers && context.breakers->isBreaker(candidate.id)) return;
        const double power = std::min(static_cast<double>(length - allowed), std::max(0.0, most));
        candidate.logit -= static_cast<float>(v[0] * std::pow(v[1], power));
    });
}

} // namespace steelyard::stages
