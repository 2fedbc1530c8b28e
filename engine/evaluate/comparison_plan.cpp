// What columns take together, from the heads of their files.
#include "engine/evaluate/comparison.h"

#include "engine/core/bytes_text.h"

#include <algorithm>
#include <map>

namespace steelyard {

namespace {

constexpr uint64_t kLeftFree = 256ull << 20; // of every device: what else runs needs some

ColumnPlan planOf(const ComparisonColumn& column) {
    ColumnPlan plan;
    const auto summary = Engine::inspect(column.load.path);
    if (!summary) {
        plan.problem = summary.sentence();
        return plan;
    }
    plan.facts = summary->facts;
    if (!summary->refusal.empty()) {
        plan.problem = summary->refusal;
        return plan;
    }
    const auto memory = Engine::plan(column.load);
    if (!memory) {
        plan.problem = memory.sentence();
        return plan;
    }
    plan.memory = *memory;
    plan.facts.contextLength = memory->contextLength;
    if (memory->fit == MemoryPlan::Fit::WillNotFit)
        plan.problem = "It does not fit into memory: it takes " + bytesText(memory->totalBytes) + ", " + bytesText(memory->missingBytes) +
                       " more than is free. Choose a shorter context or another device.";
    return plan;
}

struct DeviceNeed {
    uint64_t sum = 0;
    std::optional<uint64_t> freeBytes;
};

std::map<std::string, DeviceNeed> needsOf(const std::vector<ColumnPlan>& columns) {
    std::map<std::string, DeviceNeed> needs;
    const auto add = [&](const std::string& device, uint64_t bytes, const std::optional<uint64_t>& freeBytes) {
        DeviceNeed& need = needs[device];
        need.sum += bytes;
        if (freeBytes) need.freeBytes = std::min(*freeBytes, need.freeBytes.value_or(*freeBytes));
    };
    for (const auto& column : columns) {
        if (!column.problem.empty()) continue;
        for (const auto& device : column.memory.devices) add(device.id, device.totalBytes, device.freeBytes);
        if (column.memory.devices.empty()) add(column.memory.deviceId, column.memory.totalBytes, column.memory.freeBytes);
    }
    return needs;
}

std::string sentenceOf(const ComparisonPlan& plan, size_t possible) {
    const std::string together = bytesText(plan.togetherBytes), free = plan.freeBytes ? bytesText(*plan.freeBytes) : std::string();
    switch (plan.order) {
    case ComparisonPlan::Order::Nothing: return "None of the columns can be loaded.";
    case ComparisonPlan::Order::Together:
        if (possible == 1) return "The column takes " + together + ".";
        return "All fit into memory together: they take " + together + (free.empty() ? "." : " of " + free + " that are free.");
    case ComparisonPlan::Order::OneAfterTheOther:
        return "They do not fit into memory together: they take " + together + ", and " + free +
               " are free. They are loaded one after the other; the largest takes " + bytesText(plan.largestBytes) + ".";
    }
    return {};
}

} // namespace

ComparisonPlan planComparison(const std::vector<ComparisonColumn>& columns) {
    ComparisonPlan plan;
    size_t possible = 0;
    for (const auto& column : columns) {
        const ColumnPlan& own = plan.columns.emplace_back(planOf(column));
        if (!own.problem.empty()) continue;
        ++possible;
        plan.togetherBytes += own.memory.totalBytes;
        plan.largestBytes = std::max(plan.largestBytes, own.memory.totalBytes);
    }
    bool fits = true;
    uint64_t scarcest = 0;
    for (const auto& entry : needsOf(plan.columns)) {
        const DeviceNeed& need = entry.second;
        if (!need.freeBytes) continue;
        fits = fits && need.sum + (possible > 1 ? kLeftFree : 0) <= *need.freeBytes;
        if (!plan.freeBytes || need.sum - std::min(need.sum, *need.freeBytes) > scarcest || *need.freeBytes < *plan.freeBytes) plan.freeBytes = need.freeBytes;
        scarcest = std::max(scarcest, need.sum - std::min(need.sum, *need.freeBytes));
    }
    if (possible > 0) plan.order = fits || possible == 1 ? ComparisonPlan::Order::Together : ComparisonPlan::Order::OneAfterTheOther;
    plan.sentence = sentenceOf(plan, possible);
    return plan;
}

} // namespace steelyard
