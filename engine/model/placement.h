// Which device runs which part of a model: the tables at the beginning, each layer's mixer and feed-forward, the head.
//
// Numbers of devices only; who has them decides (memory/split_plan.h) and runs them (transformer.h). By default all is on the
// first device. Holds no tensors.
#pragma once

#include "engine/model/model_spec.h"

#include <cstdint>
#include <vector>

namespace steelyard {

// Where in a model a tensor belongs; what every device needs is everywhere.
struct WeightPlace {
    enum class Part : uint8_t { Everywhere, Input, Mixer, FeedForward, Output } part = Part::Everywhere;
    uint32_t layer = 0;
};

struct Placement {
    uint8_t input = 0, output = 0;
    std::vector<uint8_t> mixers, feedForwards; // of each layer; empty = all on the first device

    bool isSplit() const { return devices() > 1; }
    uint32_t devices() const; // one more than the largest number
    uint32_t mixerOf(uint32_t layer) const { return mixers.empty() ? 0 : mixers[layer]; }
    uint32_t feedForwardOf(uint32_t layer) const { return feedForwards.empty() ? 0 : feedForwards[layer]; }
    bool holds(uint32_t device, WeightPlace place) const;
    // Layers whose mixer the device has, and layers whose feed-forward alone it has.
    uint32_t layersOn(uint32_t device) const;
    uint32_t feedForwardsOn(uint32_t device) const;
};

// What one device has of a model; all by default.
struct DeviceShare {
    Placement placement;
    uint32_t device = 0;
    bool holds(WeightPlace place) const { return placement.holds(device, place); }
};

// Whether the layers from `layer` on may be on another device than those before it: none of them reads the cache of one before.
bool canPart(const ModelSpec& spec, uint32_t layer);
// Whether a layer's feed-forward may be on another device than its mixer.
bool canPartWithin(const ModelSpec& spec, uint32_t layer);

// The states of one sequence: the bytes on each device, and where each layer's begins among those of its device.
struct SequenceStates {
    std::vector<uint64_t> bytes;   // of each device
    std::vector<uint64_t> offsets; // of each layer
};
SequenceStates layOutStates(const ModelSpec& spec, const Placement& placement);

// ModelSpec::cacheLayers(), each with its device.
std::vector<CacheLayer> placedCacheLayers(const ModelSpec& spec, const Placement& placement);

} // namespace steelyard
