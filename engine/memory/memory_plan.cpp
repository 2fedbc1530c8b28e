#include "engine/memory/memory_plan.h"

#include "engine/cache/kv_cache.h"
#include "engine/memory/cache_choice.h"
#include "engine/memory/host_memory.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint64_t kFitMargin = 1ull << 30;        // "fits" leaves this much free
constexpr uint64_t kLogitsBytes = 16ull << 20;     // for rows that are scored at once
constexpr uint32_t kMaxOutputs = 64;

// What a load would take, and what of it is the cache.
struct Parts {
    uint64_t kv = 0, total = 0;
    std::vector<uint64_t> allocations;
};

// The load's allocations in their order, behind those of the weights.
Result<Parts> partsFor(const ModelSpec& spec, const Device& device, const WeightSize& weights, PlanOptions options, uint32_t context) {
    options.contextLength = context;
    const auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    StepShape shape = layout->shape;
    shape.tableStride = layout->cache.tableStride();
    shape.groups = static_cast<uint32_t>(layout->cache.groups().size());
    const uint64_t kv = std::max<uint64_t>(layout->cache.arenaBytes(), kLeastArena);
    std::vector<uint64_t> allocations = options.allocatedBefore;
    allocations.insert(allocations.end(), weights.allocations.begin(), weights.allocations.end());
    allocations.insert(allocations.end(), {kv, layOutActivations(spec, shape, device).bytes, layOutStepData(shape).bytes});
    const auto taken = device.bytesTaken(allocations);
    if (!taken) return taken.error();
    const auto before = device.bytesTaken(options.allocatedBefore);
    if (!before) return before.error();
    return Parts{kv, weights.mappedBytes + device.memory().allocatedBytes + *taken - *before, std::move(allocations)};
}

// The longest context in [1, spec.trainedContext] with which a load fits `room`; 0 when none does.
uint32_t longestContext(const ModelSpec& spec, const Device& device, const WeightSize& weights, const PlanOptions& options, uint64_t room) {
    uint32_t low = 0, high = spec.trainedContext;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        const auto parts = partsFor(spec, device, weights, options, middle);
        if (parts && parts->total <= room) low = middle;
        else high = middle - 1;
    }
    return low;
}

} // namespace

Result<LoadLayout> layOutLoad(const ModelSpec& spec, const PlanOptions& options, const Placement& placement) {
    uint32_t context = options.contextLength;
    std::vector<std::string> notices;
    if (context == 0) context = std::min(spec.trainedContext, options.defaultContext);
    if (context > spec.trainedContext) {
        notices.push_back("The model was trained for " + std::to_string(spec.trainedContext) + " tokens; the context is " +
                          std::to_string(spec.trainedContext) + " instead of " + std::to_string(context) + ".");
        context = spec.trainedContext;
    }
    StepShape shape;
    shape.maxRows = std::min(options.maxRows ? options.maxRows : kDefaultRows, std::max(context, 1u));
    const uint64_t row = uint64_t(spec.vocabulary) * sizeof(float);
    shape.maxSequences = std::max(options.sequences, 1u);
    shape.maxOutputs = static_cast<uint32_t>(std::clamp<uint64_t>(kLogitsBytes / row, shape.maxSequences, std::max(kMaxOutputs, shape.maxSequences)));
    shape.contextTokens = context;
    const auto types = chooseCacheTypes(spec, options.cacheTypes, notices);
    auto cache = CacheLayout::make(placedCacheLayers(spec, placement), types,
                                   {context, shape.maxRows, shape.maxSequences, 0, layOutStates(spec, placement).bytes});
    if (!cache) return cache.error();
    return LoadLayout{std::move(*cache), shape, context, std::move(notices)};
}

std::vector<PlannedKind> kindsOf(const CacheLayout& cache) {
    std::vector<PlannedKind> kinds;
    const auto add = [&](const std::string& name, uint64_t bytesPerToken, uint64_t fixedBytes) {
        auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& other) { return other.kind == name && (other.fixedBytes > 0) == (fixedBytes > 0); });
        if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {name, 0, 0});
        kind->bytesPerToken += bytesPerToken;
        kind->fixedBytes += fixedBytes;
    };
    for (const auto& group : cache.groups()) add(group.kind(), group.bytesPerToken(), group.window ? uint64_t(group.blocks) * group.blockBytes : 0);
    if (cache.states() > 0) add("recurrent", 0, cache.states() * cache.stateBytes());
    return kinds;
}

Result<MemoryPlan> planMemory(const ModelSpec& spec, const GgufFile& file, const Device& device, const PlanOptions& options,
                              std::optional<uint64_t> freeBytes) {
    const auto weights = weightSize(spec, file, device);
    if (!weights) return weights.error();
    const auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    auto parts = partsFor(spec, device, *weights, options, layout->contextLength);
    if (!parts) return parts.error();
    MemoryPlan plan;
    plan.deviceId = device.info().id;
    plan.weightsBytes = weights->totalBytes();
    plan.kvBytes = parts->kv;
    plan.totalBytes = parts->total;
    plan.allocations = std::move(parts->allocations);
    plan.computeBytes = plan.totalBytes - plan.weightsBytes - plan.kvBytes;
    plan.hostBytes = hostBytes(file, spec.vocabulary, layout->shape);
    plan.contextLength = layout->contextLength;
    plan.kinds = kindsOf(layout->cache);
    plan.freeBytes = freeBytes;
    if (!freeBytes) return plan;
    // What the device took when it was opened is no longer free, and is part of the plan.
    const uint64_t taken = device.memory().allocatedBytes, beside = device.info().sharesSystemMemory ? plan.hostBytes : 0;
    const uint64_t room = *freeBytes + taken > beside ? *freeBytes + taken - beside : 0;
    plan.roomBytes = room;
    plan.contextLimit = longestContext(spec, device, *weights, options, room);
    if (plan.totalBytes > room) {
        plan.fit = MemoryPlan::Fit::WillNotFit;
        plan.missingBytes = plan.totalBytes - room;
    } else {
        plan.fit = plan.totalBytes + kFitMargin <= room ? MemoryPlan::Fit::Fits : MemoryPlan::Fit::Tight;
    }
    return plan;
}

void addDraft(MemoryPlan& plan, uint64_t bytes) {
    if (plan.fit == MemoryPlan::Fit::WillNotFit || (plan.roomBytes && plan.totalBytes + bytes > *plan.roomBytes)) return;
    plan.draftBytes = bytes;
    plan.totalBytes += bytes;
    if (plan.roomBytes && plan.totalBytes + kFitMargin > *plan.roomBytes) plan.fit = MemoryPlan::Fit::Tight;
}

} // namespace steelyard
