#include "engine/model/placement.h"

#include "engine/core/checked_math.h"

#include <algorithm>

namespace steelyard {

uint32_t Placement::devices() const {
    uint32_t last = std::max(input, output);
    for (const auto* list : {&mixers, &feedForwards})
        for (const uint8_t device : *list) last = std::max<uint32_t>(last, device);
    return last + 1;
}

bool Placement::holds(uint32_t device, WeightPlace place) const {
    switch (place.part) {
    case WeightPlace::Part::Everywhere: return true;
    case WeightPlace::Part::Input: return device == input;
    case WeightPlace::Part::Mixer: return device == mixerOf(place.layer);
    case WeightPlace::Part::FeedForward: return device == feedForwardOf(place.layer);
    case WeightPlace::Part::Output: return device == output;
    }
    return false;
}

uint32_t Placement::layersOn(uint32_t device) const {
    return static_cast<uint32_t>(std::count(mixers.begin(), mixers.end(), device));
}

uint32_t Placement::feedForwardsOn(uint32_t device) const {
    uint32_t count = 0;
    for (size_t layer = 0; layer < mixers.size(); ++layer) count += feedForwards[layer] == device && mixers[layer] != device;
    return count;
}

bool canPart(const ModelSpec& spec, uint32_t layer) {
    for (uint32_t later = layer; later < spec.layers.size(); ++later) {
        const auto& attention = spec.layers[later].attention;
        if (attention && attention->cacheOf && *attention->cacheOf < layer) return false;
    }
    return true;
}

bool canPartWithin(const ModelSpec& spec, uint32_t layer) { return !spec.hyper && !spec.layers[layer].parallel; }

SequenceStates layOutStates(const ModelSpec& spec, const Placement& placement) {
    SequenceStates states;
    states.bytes.resize(placement.devices());
    for (uint32_t layer = 0; layer < spec.layers.size(); ++layer) {
        uint64_t& bytes = states.bytes[placement.mixerOf(layer)];
        states.offsets.push_back(bytes);
        bytes = alignUp(bytes + spec.layerStateBytes(layer), 256);
    }
    return states;
}

std::vector<CacheLayer> placedCacheLayers(const ModelSpec& spec, const Placement& placement) {
    auto layers = spec.cacheLayers();
    for (uint32_t layer = 0; layer < spec.layers.size(); ++layer) {
        const auto device = static_cast<uint8_t>(placement.mixerOf(layer));
        layers[layer].device = device;
        const uint32_t end = layer + 1 < spec.layers.size() ? spec.compressedLayer(layer + 1) : static_cast<uint32_t>(layers.size());
        for (uint32_t compressed = spec.compressedLayer(layer); compressed < end; ++compressed) layers[compressed].device = device;
    }
    return layers;
}

} // namespace steelyard
