#include "engine/scheduler/scheduler.h"

#include "engine/scheduler/learned_time.h"

#include <algorithm>
#include <climits>
#include <numeric>

namespace steelyard {

namespace {

constexpr double kAloneMs = 100.0;     // a chunk while nobody decodes
constexpr double kStretch = 2.5;       // of a step that decodes, by rows of prompts
constexpr uint32_t kFirstRows = 32;    // before anything was measured
constexpr uint32_t kFewestRows = 8;    // so that prompts are read however slow a row is
constexpr uint32_t kLowerShare = 4;    // one row in so many is for prompts of lower classes
constexpr uint32_t kRowStep = 16;      // products work in tiles of so many rows

// Whether prompts of different classes wait to be read, apart from reading ahead.
bool readsInSeveralClasses(const std::vector<StepWish>& wishes) {
    int lowest = INT_MAX, highest = 0;
    for (const auto& wish : wishes) {
        if (wish.decodes || wish.rows == 0 || wish.priority == 0) continue;
        lowest = std::min(lowest, wish.priority);
        highest = std::max(highest, wish.priority);
    }
    return lowest < highest;
}

// Rows for guesses of those that decode in this step, as far as there are some left.
void addGuesses(const std::vector<StepWish>& wishes, StepPlan& plan, StepLimits limits, uint32_t& rows, uint32_t& outputs) {
    for (size_t index = 0; index < wishes.size(); ++index) {
        if (!wishes[index].decodes || plan[index] == 0) continue;
        const uint32_t more = std::min({wishes[index].rows - 1, limits.rows - rows, limits.outputs - outputs});
        plan[index] += more;
        rows += more;
        outputs += more;
    }
}

} // namespace

double Scheduler::decodeMs(uint32_t rows) const {
    if (rows == 0) return 0.0;
    const auto measuredAt = [&](uint32_t count) { return count >= 1 && count <= kKept && m_decodeMs[count] > 0; };
    uint32_t below = std::min(rows, kKept), above = rows;
    while (below > 0 && !measuredAt(below)) --below;
    while (above <= kKept && !measuredAt(above)) ++above;
    if (above > kKept) return below > 0 ? m_decodeMs[below] : 0.0; // rows share most of a step's time
    if (below == 0 || below == above) return m_decodeMs[above];
    const double share = double(rows - below) / (above - below);
    return m_decodeMs[below] + share * (m_decodeMs[above] - m_decodeMs[below]);
}

uint32_t Scheduler::promptBudget(uint32_t decodeRows, uint32_t most) const {
    uint32_t rows = kFirstRows;
    const double decoding = decodeMs(decodeRows);
    if (m_promptRowMs > 0 && (decoding > 0 || decodeRows == 0)) {
        const double ms = decodeRows == 0 ? kAloneMs : (kStretch - 1.0) * decoding;
        rows = static_cast<uint32_t>(std::clamp(ms / m_promptRowMs, 0.0, double(most)));
        if (rows > kRowStep) rows -= rows % kRowStep;
    }
    return std::min(std::max(rows, kFewestRows), most);
}

void Scheduler::measured(uint32_t decodeRows, uint32_t promptRows, double ms) {
    if (promptRows == 0) {
        if (decodeRows >= 1 && decodeRows <= kKept) learnTime(m_decodeMs[decodeRows], ms);
        return;
    }
    const double decoding = decodeMs(decodeRows);
    // The step's share that is there whatever the rows counts as theirs: so chunks are rather too small than too large.
    learnTime(m_promptRowMs, std::max(ms - decoding, ms * 0.01) / promptRows);
}

StepPlan Scheduler::plan(const std::vector<StepWish>& wishes, StepLimits limits) const {
    StepPlan plan(wishes.size(), 0);
    std::vector<size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (wishes[a].decodes != wishes[b].decodes) return wishes[a].decodes;
        if (wishes[a].decodes) return false;
        if (wishes[a].priority != wishes[b].priority) return wishes[a].priority > wishes[b].priority;
        return wishes[a].rowsGiven < wishes[b].rowsGiven;
    });
    const bool severalClasses = readsInSeveralClasses(wishes);
    uint32_t rows = 0, sequences = 0, outputs = 0;
    std::optional<bool> longFactors;
    std::optional<uint32_t> budget; // of prompts, once all decoding rows are there
    uint32_t keptBack = 0;          // of it for prompts of lower classes, so that none of them starves
    int first = 0;                  // the highest class that reads
    for (const size_t index : order) {
        const auto& wish = wishes[index];
        if (wish.rows == 0 || sequences == limits.sequences || rows == limits.rows || outputs == limits.outputs ||
            (longFactors && *longFactors != wish.longFactors))
            continue;
        if (!wish.decodes && !budget) {
            addGuesses(wishes, plan, limits, rows, outputs);
            if (rows == limits.rows || outputs == limits.outputs) break;
            budget = promptBudget(rows, limits.rows - rows);
            keptBack = severalClasses ? *budget / kLowerShare : 0;
            first = wish.priority;
        }
        if (!wish.decodes && wish.priority == 0 && rows > 0) continue;
        const uint32_t share = wish.decodes ? 1 : wish.priority == first ? *budget - std::min(*budget, keptBack) : *budget;
        const uint32_t given = wish.decodes ? 1 : std::min({wish.rows, limits.rows - rows, share});
        if (given == 0) continue;
        plan[index] = given;
        longFactors = wish.longFactors;
        rows += given;
        ++sequences;
        ++outputs;
        if (!wish.decodes) *budget -= given;
    }
    if (!budget) addGuesses(wishes, plan, limits, rows, outputs);
    return plan;
}

} // namespace steelyard
