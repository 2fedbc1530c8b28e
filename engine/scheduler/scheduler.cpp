#include "engine/scheduler/scheduler.h"

#include <algorithm>
#include <numeric>

namespace steelyard {

namespace {

constexpr double kAloneMs = 100.0;     // a chunk while nobody decodes
constexpr double kStretch = 2.5;       // of a step that decodes, by rows of prompts
constexpr uint32_t kFirstRows = 32;    // before anything was measured
constexpr uint32_t kFewestRows = 8;    // so that prompts are read however slow a row is
constexpr uint32_t kRowStep = 16;      // products work in tiles of so many rows
constexpr double kWeight = 0.3;        // of a new measurement

void learn(double& known, double value) { known = known > 0 ? known + kWeight * (value - known) : value; }

} // namespace

std::optional<double> Scheduler::decodeMs(uint32_t rows) const {
    if (rows == 0) return 0.0;
    // The nearest number that was measured: rows share most of a step's time.
    for (uint32_t distance = 0; distance <= kKept; ++distance)
        for (const int64_t candidate : {int64_t(rows) - distance, int64_t(rows) + distance})
            if (candidate >= 1 && candidate <= int64_t(kKept) && m_decodeMs[static_cast<size_t>(candidate)] > 0)
                return m_decodeMs[static_cast<size_t>(candidate)];
    return std::nullopt;
}

uint32_t Scheduler::promptBudget(uint32_t decodeRows, uint32_t most) const {
    uint32_t rows = kFirstRows;
    const auto decoding = decodeMs(decodeRows);
    if (m_promptRowMs > 0 && decoding) {
        const double ms = decodeRows == 0 ? kAloneMs : (kStretch - 1.0) * *decoding;
        rows = static_cast<uint32_t>(std::clamp(ms / m_promptRowMs, 0.0, double(most)));
        if (rows > kRowStep) rows -= rows % kRowStep;
    }
    return std::min(std::max(rows, kFewestRows), most);
}

void Scheduler::measured(uint32_t decodeRows, uint32_t promptRows, double ms) {
    if (promptRows == 0) {
        if (decodeRows >= 1 && decodeRows <= kKept) learn(m_decodeMs[decodeRows], ms);
        return;
    }
    const double decoding = decodeMs(decodeRows).value_or(0.0);
    // The step's share that is there whatever the rows counts as theirs: so chunks are rather too small than too large.
    learn(m_promptRowMs, std::max(ms - decoding, ms * 0.01) / promptRows);
}

StepPlan Scheduler::plan(const std::vector<StepWish>& wishes, StepLimits limits) const {
    StepPlan plan(wishes.size(), 0);
    std::vector<size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (wishes[a].decodes != wishes[b].decodes) return wishes[a].decodes;
        return !wishes[a].decodes && wishes[a].rowsGiven < wishes[b].rowsGiven;
    });
    uint32_t rows = 0, sequences = 0, decoding = 0;
    std::optional<bool> longFactors;
    std::optional<uint32_t> budget; // of prompts, once all decoding rows are there
    for (const size_t index : order) {
        const auto& wish = wishes[index];
        if (wish.rows == 0 || sequences == limits.sequences || rows == limits.rows || (longFactors && *longFactors != wish.longFactors)) continue;
        uint32_t most = limits.rows - rows;
        if (!wish.decodes) {
            if (!budget) budget = promptBudget(decoding, most);
            most = std::min(most, *budget);
        }
        const uint32_t given = std::min(wish.rows, most);
        if (given == 0) continue;
        plan[index] = given;
        longFactors = wish.longFactors;
        rows += given;
        ++sequences;
        if (wish.decodes) ++decoding;
        else *budget -= given;
    }
    return plan;
}

} // namespace steelyard
