#include "engine/engine_thread.h"
#include "engine/memory/system_memory.h"

#include <algorithm>

namespace steelyard {

namespace {

// The bar of the system's memory: what is not ours and not available belongs to other programs.
void describeSystem(DeviceSnapshot& device, uint64_t allocatedBytes) {
    const SystemMemory memory = systemMemory();
    device.isSystemMemory = true;
    device.totalBytes = memory.totalBytes;
    if (!memory.totalBytes || !memory.availableBytes) return;
    // Memory that was reserved but never touched is still available: only what is resident counts as taken by us.
    const uint64_t ours = memory.ownBytes ? std::min(allocatedBytes, *memory.ownBytes) : allocatedBytes;
    const uint64_t taken = *memory.totalBytes - std::min(*memory.availableBytes, *memory.totalBytes);
    device.otherBytes = taken > ours ? taken - ours : 0;
}

void describeDevice(DeviceSnapshot& device, const Device& source) {
    const auto memory = source.memory();
    device.totalBytes = memory.totalBytes;
    if (!memory.totalBytes || !memory.freeBytes) return;
    const uint64_t taken = *memory.totalBytes - std::min(*memory.freeBytes, *memory.totalBytes);
    device.otherBytes = taken > memory.allocatedBytes ? taken - memory.allocatedBytes : 0;
}

// What a device gave, and what is mapped.
uint64_t takenOf(const Device& device, const Transformer& transformer, uint32_t number) {
    return device.memory().allocatedBytes + transformer.weights(number).mappedBytes;
}

uint64_t takenBy(const LoadedModel& model) {
    uint64_t bytes = 0;
    for (uint32_t number = 0; number < model.devices.size(); ++number) bytes += takenOf(*model.devices[number], *model.transformer, number);
    return bytes;
}

// A model's part on one of its devices; `draftBytes` of what guesses ahead, of which `predictorBytes` are on this device object.
DeviceSnapshot describePart(const Device& source, const Transformer& transformer, const PrefixCache& prefixes, uint32_t number, uint64_t predictorBytes, uint64_t draftBytes) {
    const auto& weights = transformer.weights(number);
    DeviceSnapshot device;
    device.id = source.info().id;
    device.name = source.info().name;
    auto& use = device.use;
    use.weightsBytes = weights.bytes;
    const uint64_t held = transformer.cache().bytesHeld(number), arena = transformer.cache().arenaBytes(number);
    use.kvCachedBytes = prefixes.idleBytes(number);
    use.kvUsedBytes = held - std::min(held, use.kvCachedBytes);
    use.kvReservedBytes = arena - std::min(arena, held);
    // All else that the device gave: activations, buffers of its own, rounding.
    const uint64_t taken = takenOf(source, transformer, number), named = use.weightsBytes + arena + predictorBytes;
    use.computeBytes = taken - std::min(taken, named);
    use.draftBytes = draftBytes;
    if (usesSystemMemory(source) || source.info().kind == DeviceKind::Emulated) describeSystem(device, use.totalBytes() - weights.mappedBytes);
    else describeDevice(device, source);
    return device;
}

DeviceSnapshot systemSnapshot(uint64_t ownBytes) {
    DeviceSnapshot device;
    device.id = "cpu";
    device.name = "System memory";
    describeSystem(device, ownBytes);
    return device;
}

// Pages that left a device lie in the system's memory until somebody needs them or the memory.
void addMovedPages(Snapshot& snapshot, uint64_t bytes) {
    auto system = std::find_if(snapshot.devices.begin(), snapshot.devices.end(), [](const auto& device) { return device.isSystemMemory; });
    if (system == snapshot.devices.end()) system = snapshot.devices.insert(system, systemSnapshot(bytes));
    else if (system->otherBytes) *system->otherBytes -= std::min(*system->otherBytes, bytes);
    system->use.kvCachedBytes += bytes;
}

void fillInFree(DeviceSnapshot& device) {
    if (!device.totalBytes || !device.otherBytes) return;
    const uint64_t taken = device.use.totalBytes() + *device.otherBytes;
    device.freeBytes = *device.totalBytes > taken ? *device.totalBytes - taken : 0;
}

} // namespace

std::optional<uint64_t> residentBytesOf(const LoadedModel& model) {
    const auto& weights = model.transformer->weights(static_cast<uint32_t>(model.devices.size() - 1)); // only the processor maps
    if (weights.mappedRanges.empty()) return std::nullopt;
    uint64_t resident = weights.bytes - weights.mappedBytes;
    for (const auto& range : weights.mappedRanges) {
        const auto bytes = weights.parts[range.part]->residentBytes(range.offset, range.bytes);
        if (!bytes) return std::nullopt;
        resident += *bytes;
    }
    return resident;
}

Snapshot snapshotOf(const LoadedModel* model, std::optional<uint64_t> residentBytes) {
    Snapshot snapshot;
    if (!model) {
        snapshot.devices.push_back(systemSnapshot(0));
    } else {
        for (uint32_t number = 0; number < model->devices.size(); ++number) {
            const uint64_t predictor = number == 0 ? model->predictorBytes : 0, draft = number == 0 && model->draft ? takenBy(*model->draft) : 0;
            snapshot.devices.push_back(describePart(*model->devices[number], *model->transformer, *model->prefixes, number, predictor, predictor + draft));
        }
        snapshot.devices.back().use.weightsResidentBytes = residentBytes;
        if (model->prefill) snapshot.devices.push_back(describePart(model->prefill->device(), model->prefill->transformer(), model->prefill->prefixes(), 0, 0, 0));
        if (model->warm && model->warm->memoryBytes() > 0) addMovedPages(snapshot, model->warm->memoryBytes());
        snapshot.model = model->id;
        snapshot.facts = model->facts;
    }
    for (auto& device : snapshot.devices) fillInFree(device);
    return snapshot;
}

} // namespace steelyard
