#include "engine/memory/split_plan.h"

#include "engine/cache/kv_cache.h"
#include "engine/memory/host_memory.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

// How far a model has left the devices besides the processor: the experts of so many layers, then so many whole layers.
struct Retreat {
    uint32_t experts = 0, layers = 0;
};

class Splitter {
public:
    Splitter(const ModelSpec& spec, const GgufFile& file, const std::vector<SplitDevice>& devices, const PlanOptions& options)
        : m_spec(spec), m_file(file), m_devices(devices), m_options(options), m_processor(static_cast<uint8_t>(devices.size() - 1)) {
        for (uint32_t layer = 0; layer < layers(); ++layer) {
            const auto& feedForward = spec.layers[layer].feedForward;
            if (feedForward && feedForward->experts && canPartWithin(spec, layer)) m_mixtures.push_back(layer);
        }
    }

    uint32_t layers() const { return static_cast<uint32_t>(m_spec.layers.size()); }
    // Steps from all on the devices to all on the processor.
    uint32_t steps() const { return static_cast<uint32_t>(m_mixtures.size()) + layers(); }
    Retreat retreatOf(uint32_t step) const {
        const auto mixtures = static_cast<uint32_t>(m_mixtures.size());
        return step <= mixtures ? Retreat{step, 0} : Retreat{mixtures, step - mixtures};
    }

    Placement placementOf(Retreat retreat) const {
        uint32_t whole = std::min(retreat.layers, layers());
        while (whole < layers() && !canPart(m_spec, whole)) ++whole;
        Placement placement;
        placement.mixers.assign(layers(), m_processor);
        for (uint32_t layer = whole; layer < layers(); ++layer) {
            const uint8_t wanted = deviceAt(layer - whole, layers() - whole);
            const bool apart = layer > whole && wanted != placement.mixers[layer - 1] && !canPart(m_spec, layer);
            placement.mixers[layer] = apart ? placement.mixers[layer - 1] : wanted;
        }
        placement.feedForwards = placement.mixers;
        for (uint32_t i = 0; i < retreat.experts; ++i) placement.feedForwards[m_mixtures[i]] = m_processor;
        placement.input = placement.mixers.empty() ? m_processor : placement.mixers.front();
        placement.output = placement.mixers.empty() ? m_processor : placement.mixers.back();
        return placement;
    }

    Result<MemoryPlan> planOf(const Placement& placement) const;

private:
    // Of the devices besides the processor, by the memory that each has.
    uint8_t deviceAt(uint32_t index, uint32_t count) const {
        double all = 0, upTo = 0;
        for (uint8_t device = 0; device < m_processor; ++device) all += static_cast<double>(m_devices[device].freeBytes.value_or(1));
        for (uint8_t device = 0; device + 1 < m_processor; ++device) {
            upTo += static_cast<double>(m_devices[device].freeBytes.value_or(1));
            if (index < std::lround(upTo / all * count)) return device;
        }
        return static_cast<uint8_t>(m_processor - 1);
    }
    Result<PlannedDevice> deviceOf(const LoadLayout& layout, const StepShape& shape, const DeviceShare& share) const;

    const ModelSpec& m_spec;
    const GgufFile& m_file;
    const std::vector<SplitDevice>& m_devices;
    const PlanOptions& m_options;
    uint8_t m_processor;
    std::vector<uint32_t> m_mixtures; // layers whose experts may lie apart
};

Result<PlannedDevice> Splitter::deviceOf(const LoadLayout& layout, const StepShape& shape, const DeviceShare& share) const {
    const SplitDevice& at = m_devices[share.device];
    const auto weights = weightSize(m_spec, m_file, *at.device, share);
    if (!weights) return weights.error();
    PlannedDevice planned;
    planned.id = at.device->info().id;
    planned.name = at.device->info().name;
    planned.layers = share.placement.layersOn(share.device);
    planned.expertLayers = share.placement.feedForwardsOn(share.device);
    planned.weightsBytes = weights->totalBytes();
    planned.kvBytes = std::max<uint64_t>(share.device < layout.cache.devices() ? layout.cache.arena(share.device).bytes : 0, kLeastArena);
    auto allocations = weights->allocations;
    allocations.insert(allocations.end(), {planned.kvBytes, layOutActivations(m_spec, shape, *at.device, share).bytes, layOutStepData(shape).bytes});
    const auto taken = at.device->bytesTaken(allocations);
    if (!taken) return taken.error();
    const uint64_t opened = at.device->memory().allocatedBytes;
    planned.totalBytes = weights->mappedBytes + opened + *taken;
    if (at.freeBytes) planned.freeBytes = *at.freeBytes + opened; // what it took when it was opened is part of the plan
    return planned;
}

Result<MemoryPlan> Splitter::planOf(const Placement& placement) const {
    const auto layout = layOutLoad(m_spec, m_options, placement);
    if (!layout) return layout.error();
    StepShape shape = layout->shape;
    shape.tableStride = layout->cache.tableStride();
    shape.groups = static_cast<uint32_t>(layout->cache.groups().size());
    MemoryPlan plan;
    plan.contextLength = layout->contextLength;
    plan.kinds = kindsOf(layout->cache);
    plan.hostBytes = hostBytes(m_file, m_spec.vocabulary, layout->shape);
    plan.layers = layers();
    plan.fit = MemoryPlan::Fit::Tight;
    uint64_t ofSystem = plan.hostBytes;
    double seconds = 0;
    bool known = true;
    for (uint32_t number = 0; number < m_devices.size(); ++number) {
        auto planned = deviceOf(*layout, shape, {placement, number});
        if (!planned) return planned.error();
        const auto& device = m_devices[number];
        const bool shares = device.device->info().sharesSystemMemory || number == m_processor;
        if (shares) ofSystem += planned->totalBytes;
        const uint64_t needed = number == m_processor ? ofSystem : planned->totalBytes;
        if (planned->freeBytes && needed > *planned->freeBytes) {
            plan.fit = MemoryPlan::Fit::WillNotFit;
            plan.missingBytes = std::max(plan.missingBytes, needed - *planned->freeBytes);
        }
        if (const auto read = workPerToken(m_spec, m_file, {placement, number}).bytesRead; read > 0) {
            known = known && device.bytesPerSecond;
            seconds += static_cast<double>(read) / device.bytesPerSecond.value_or(1);
        }
        plan.weightsBytes += planned->weightsBytes;
        plan.kvBytes += planned->kvBytes;
        plan.totalBytes += planned->totalBytes;
        if (plan.deviceId.empty()) plan.deviceId = planned->id;
        else plan.deviceId += "," + planned->id;
        plan.devices.push_back(std::move(*planned));
    }
    plan.freeBytes = plan.devices.front().freeBytes;
    plan.computeBytes = plan.totalBytes - plan.weightsBytes - plan.kvBytes;
    plan.contextLimit = plan.fit == MemoryPlan::Fit::WillNotFit ? 0 : plan.contextLength;
    if (known && seconds > 0) plan.tokensPerSecond = 1 / seconds;
    return plan;
}

} // namespace

Result<SplitPlan> planSplit(const ModelSpec& spec, const GgufFile& file, const std::vector<SplitDevice>& devices, const PlanOptions& options,
                            std::optional<uint32_t> layers) {
    const Splitter splitter(spec, file, devices, options);
    const auto planAt = [&](Retreat retreat) -> Result<SplitPlan> {
        const Placement placement = splitter.placementOf(retreat);
        auto plan = splitter.planOf(placement);
        if (!plan) return plan.error();
        return SplitPlan{placement, std::move(*plan)};
    };
    if (layers) return planAt({0, splitter.layers() - std::min(*layers, splitter.layers())});
    // Each step leaves less on the devices besides the processor, so the first that fits is found by halving.
    uint32_t low = 0, high = splitter.steps();
    auto best = planAt(splitter.retreatOf(high));
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        auto plan = planAt(splitter.retreatOf(middle));
        if (!plan) return plan;
        if (plan->plan.fit == MemoryPlan::Fit::WillNotFit) {
            low = middle + 1;
        } else {
            high = middle;
            best = std::move(plan);
        }
    }
    return best;
}

std::string splitSentence(const MemoryPlan& plan) {
    if (plan.devices.size() < 2) return {};
    std::string names;
    uint32_t layers = 0;
    const auto& processor = plan.devices.back();
    for (size_t number = 0; number + 1 < plan.devices.size(); ++number) {
        if (plan.devices[number].layers == 0) continue;
        names += (names.empty() ? "" : " and ") + plan.devices[number].name;
        layers += plan.devices[number].layers;
    }
    std::string text = std::to_string(layers) + " of " + std::to_string(plan.layers) + " layers run on " + names;
    if (processor.expertLayers > 0) text += " and the experts of " + std::to_string(processor.expertLayers) + " layers on the processor";
    else if (processor.layers > 0) text += ", the others on the processor";
    const double speed = plan.tokensPerSecond;
    if (speed > 0) text += ": about " + std::to_string(speed < 10 ? std::max(1l, std::lround(speed)) : std::lround(speed / 5) * 5) + " tokens per second";
    return text + ".";
}

} // namespace steelyard
