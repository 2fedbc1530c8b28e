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

// What a model's device gave, and what is mapped.
uint64_t takenBy(const LoadedModel& model) { return model.device->memory().allocatedBytes + model.transformer->weights().mappedBytes; }

} // namespace

std::optional<uint64_t> residentBytesOf(const LoadedModel& model) {
    const auto& weights = model.transformer->weights();
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
    DeviceSnapshot device;
    if (!model) {
        device.id = "cpu";
        device.name = "System memory";
        describeSystem(device, 0);
    } else {
        const auto& transformer = *model->transformer;
        device.id = model->facts.deviceId;
        device.name = model->facts.deviceName;
        auto& use = device.use;
        use.weightsBytes = transformer.weights().bytes;
        use.weightsResidentBytes = residentBytes;
        const uint64_t held = transformer.cache().bytesHeld();
        use.kvCachedBytes = model->prefixes->idleBytes();
        use.kvUsedBytes = held - std::min(held, use.kvCachedBytes);
        use.kvReservedBytes = transformer.cache().arenaBytes() - std::min(transformer.cache().arenaBytes(), held);
        // All else that the device gave: activations, buffers of its own, rounding.
        const uint64_t taken = takenBy(*model), named = use.weightsBytes + transformer.cache().arenaBytes() + model->predictorBytes;
        use.computeBytes = taken - std::min(taken, named);
        use.draftBytes = model->predictorBytes + (model->draft ? takenBy(*model->draft) : 0);
        const auto& info = model->device->info();
        if (info.kind == DeviceKind::Cpu || info.sharesSystemMemory || info.kind == DeviceKind::Emulated)
            describeSystem(device, use.totalBytes() - transformer.weights().mappedBytes);
        else describeDevice(device, *model->device);
        snapshot.model = model->id;
        snapshot.facts = model->facts;
    }
    if (device.totalBytes && device.otherBytes) {
        const uint64_t taken = device.use.totalBytes() + *device.otherBytes;
        device.freeBytes = *device.totalBytes > taken ? *device.totalBytes - taken : 0;
    }
    snapshot.devices.push_back(std::move(device));
    return snapshot;
}

} // namespace steelyard
