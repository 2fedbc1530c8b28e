#include "engine/cache/cache_layout.h"

#include "engine/core/checked_math.h"

#include <algorithm>

namespace steelyard {

Result<ops::CacheType> cacheType(TensorType type) {
    if (type == TensorType::F32) return ops::CacheType::F32;
    if (type == TensorType::F16) return ops::CacheType::F16;
    return Error{"The cache cannot be kept as " + std::string(info(type).name) + "; choose f32 or f16."};
}

Result<CacheLayout> CacheLayout::make(const std::vector<CacheLayer>& layers, CacheTypes types, CacheSize size) {
    CacheLayout layout;
    const auto typeK = cacheType(types.k), typeV = cacheType(types.v);
    if (!typeK) return typeK.error();
    if (!typeV) return typeV.error();
    layout.m_typeK = *typeK;
    layout.m_typeV = *typeV;
    layout.m_tableStride = CacheGroup{}.blocksFor(uint64_t(size.contextTokens) + size.chunkRows);
    for (const auto& layer : layers) {
        if (layer.kvHeads == 0) {
            layout.m_places.push_back({});
            continue;
        }
        const bool latent = layer.headDimV == 0;
        auto group = std::find_if(layout.m_groups.begin(), layout.m_groups.end(),
                                  [&](const CacheGroup& g) { return g.window == layer.window && g.latent == latent && g.ratio == layer.ratio; });
        if (group == layout.m_groups.end()) {
            layout.m_groups.push_back({});
            group = layout.m_groups.end() - 1;
            group->window = layer.window;
            group->latent = latent;
            group->ratio = layer.ratio;
        }
        CachePlace place;
        place.group = static_cast<uint32_t>(group - layout.m_groups.begin());
        place.offsetK = group->blockBytes;
        place.offsetV = place.offsetK + alignUp(ops::cachePartBytes(*typeK, layer.kvHeads, layer.headDimK), 64);
        group->blockBytes = place.offsetV + alignUp(ops::cachePartBytes(*typeV, layer.kvHeads, layer.headDimV), 64);
        ++group->layers;
        layout.m_places.push_back(place);
    }
    for (auto& group : layout.m_groups) {
        const uint32_t whole = group.blocksFor(size.contextTokens);
        // A window may begin and end inside a block, and a chunk is written before the oldest blocks are given back.
        const uint32_t windowed = group.blocksFor(uint64_t(group.window) + size.chunkRows) + 1;
        group.blocks = 1 + (group.window ? std::min(whole, windowed) * size.sequences : whole);
        group.arenaOffset = layout.m_arenaBytes;
        const auto bytes = checkedMultiply(group.blocks, group.blockBytes);
        const auto end = bytes ? checkedAdd(layout.m_arenaBytes, *bytes) : std::nullopt;
        if (!end) return Error{"The cache for this context is larger than any memory; choose a shorter context."};
        layout.m_arenaBytes = alignUp(*end, 256);
    }
    if (size.stateBytes > 0) {
        layout.m_states = size.sequences;
        layout.m_stateBytes = size.stateBytes;
        layout.m_stateOffset = layout.m_arenaBytes;
        layout.m_arenaBytes += alignUp(size.sequences * size.stateBytes, 256);
    }
    return layout;
}

uint64_t CacheLayout::growingBytesPerToken() const {
    uint64_t bytes = 0;
    for (const auto& group : m_groups)
        if (!group.window) bytes += group.bytesPerToken();
    return bytes;
}

} // namespace steelyard
