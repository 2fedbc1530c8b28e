// Who of those that wait is taken up next, and who of those that run gives up its place.
//
// The higher class goes first and within a class the one that came first; but who has waited long counts as one class higher, so
// that nobody waits for ever. Reading ahead never rises: it fills time that nobody wants. Tensor-free, and knows no clock.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace steelyard {

// One that waits or runs; classes as in engine/request.h (Priority), larger first.
struct Claim {
    int priority = 0;
    double waitedMs = 0; // of one that runs: since it came
};

// The index of the one to take up next; nothing when nobody waits.
std::optional<size_t> nextOf(const std::vector<Claim>& waiting);

// The index of the one of `running` that gives its place to `claim`: of the lowest class the youngest, if that class is lower
// than the claim's own. Age does not count here: who runs is not put aside for somebody of its class.
std::optional<size_t> yieldsTo(const Claim& claim, const std::vector<Claim>& running);

} // namespace steelyard
