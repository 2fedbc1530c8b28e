#include "engine/model/model_spec.h"

#include "engine/core/checked_math.h"

namespace steelyard {

std::vector<CacheLayer> ModelSpec::cacheLayers() const {
    std::vector<CacheLayer> result;
    for (const auto& layer : layers) {
        const auto& attention = layer.attention;
        if (!attention || attention->cacheOf) {
            result.push_back({});
            continue;
        }
        // What left the window, or lies before the chunk, is never looked at again.
        const uint32_t window = attention->window ? attention->window : attention->chunk;
        result.push_back({attention->kvHeads, attention->headDimK, attention->latent ? 0 : attention->headDimV, window});
    }
    return result;
}

std::vector<uint64_t> ModelSpec::stateOffsets() const {
    std::vector<uint64_t> offsets;
    uint64_t next = 0;
    for (const auto& layer : layers) {
        offsets.push_back(next);
        if (layer.recurrent) next = alignUp(next + stateSize(*layer.recurrent).bytes(), 256);
    }
    return offsets;
}

uint64_t ModelSpec::stateBytes() const {
    uint64_t bytes = 0;
    for (const auto& layer : layers)
        if (layer.recurrent) bytes = alignUp(bytes + stateSize(*layer.recurrent).bytes(), 256);
    return bytes;
}

bool ModelSpec::takesLongFactors(uint32_t tokens) const {
    if (originalContext == 0 || tokens <= originalContext) return false;
    for (const auto& layer : layers)
        if (layer.attention && layer.attention->rope && layer.attention->rope->factors == RopeFactors::LongOrShort) return true;
    return false;
}

} // namespace steelyard
