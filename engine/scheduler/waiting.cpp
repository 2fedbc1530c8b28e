#include "engine/scheduler/waiting.h"

namespace steelyard {

namespace {

constexpr double kRisesAfterMs = 10000.0;

int classOf(const Claim& claim) { return claim.priority + (claim.priority > 0 && claim.waitedMs >= kRisesAfterMs ? 1 : 0); }

} // namespace

std::optional<size_t> nextOf(const std::vector<Claim>& waiting) {
    std::optional<size_t> next;
    for (size_t i = 0; i < waiting.size(); ++i) {
        if (!next || classOf(waiting[i]) > classOf(waiting[*next]) ||
            (classOf(waiting[i]) == classOf(waiting[*next]) && waiting[i].waitedMs > waiting[*next].waitedMs))
            next = i;
    }
    return next;
}

std::optional<size_t> yieldsTo(const Claim& claim, const std::vector<Claim>& running) {
    std::optional<size_t> yields;
    for (size_t i = 0; i < running.size(); ++i) {
        if (running[i].priority >= claim.priority) continue;
        if (!yields || running[i].priority < running[*yields].priority ||
            (running[i].priority == running[*yields].priority && running[i].waitedMs < running[*yields].waitedMs))
            yields = i;
    }
    return yields;
}

} // namespace steelyard
