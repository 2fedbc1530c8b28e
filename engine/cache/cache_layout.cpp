#include "engine/cache/cache_layout.h"

#include "engine/core/checked_math.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr CacheTypeInfo kTypes[] = {
    {TensorType::F32, "f32", false},       {TensorType::F16, "f16", false},    {TensorType::BF16, "bf16", false},
    {TensorType::Q8_0, "q8_0", true},     {TensorType::FP8_E4M3, "fp8_e4m3", false}, {TensorType::Q5_1, "q5_1", true},
    {TensorType::IQ4_NL, "iq4_nl", true},  {TensorType::Q4_0, "q4_0", true},   {TensorType::MXFP4, "mxfp4", true},
};

const CacheTypeInfo* rowOf(TensorType type) {
    const auto row = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& t) { return t.type == type; });
    return row == std::end(kTypes) ? nullptr : row;
}

std::string namesOfAll() {
    std::string names;
    for (const auto& row : kTypes) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

} // namespace

std::span<const CacheTypeInfo> cacheTypes() { return kTypes; }

Result<ops::CacheType> cacheType(TensorType type) {
    if (!rowOf(type)) return Error{"The KV cache cannot be of type " + std::string(info(type).name) + "; it can be " + namesOfAll() + "."};
    return static_cast<ops::CacheType>(type); // the numbers are the same
}

Result<TensorType> cacheTypeFromName(std::string_view name) {
    for (const auto& row : kTypes)
        if (row.name == name) return row.type;
    return Error{"The KV cache cannot be of type '" + std::string(name) + "'; it can be " + namesOfAll() + "."};
}

std::string_view cacheTypeName(TensorType type) {
    const auto* row = rowOf(type);
    return row ? row->name : info(type).name;
}

bool fitsCacheType(TensorType type, uint32_t headDim) {
    const auto floats = {TensorType::F32, TensorType::F16, TensorType::BF16};
    return headDim % ops::kCacheGroup == 0 || std::find(floats.begin(), floats.end(), type) != floats.end();
}

namespace {

// What is wrong with heads of so many values, or nothing.
std::string problemOf(const CacheLayer& layer, CacheTypes types) {
    const auto problem = [](TensorType type, uint32_t headDim) {
        if (fitsCacheType(type, headDim)) return std::string();
        return "Heads of " + std::to_string(headDim) + " values cannot be kept as " + std::string(cacheTypeName(type)) +
               ", which takes 32 at a time; choose f16 for the KV cache.";
    };
    const auto ofKeys = problem(types.k, layer.headDimK);
    return ofKeys.empty() ? problem(types.v, layer.headDimV) : ofKeys;
}

} // namespace

Result<CacheLayout> CacheLayout::make(const std::vector<CacheLayer>& layers, CacheTypes types, CacheSize size) {
    CacheLayout layout;
    const auto typeK = cacheType(types.k), typeV = cacheType(types.v);
    if (!typeK) return typeK.error();
    if (!typeV) return typeV.error();
    layout.m_typeK = *typeK;
    layout.m_typeV = *typeV;
    layout.m_rotatesK = types.rotate && rowOf(types.k)->rotated;
    layout.m_rotatesV = types.rotate && rowOf(types.v)->rotated;
    layout.m_layers = layers;
    layout.m_tableStride = CacheGroup{}.blocksFor(uint64_t(size.contextTokens) + size.chunkRows);
    for (const auto& layer : layers) {
        if (layer.kvHeads == 0) {
            layout.m_places.push_back({});
            continue;
        }
        if (const auto problem = problemOf(layer, types); !problem.empty()) return Error{problem};
        const bool latent = layer.headDimV == 0;
        auto group = std::find_if(layout.m_groups.begin(), layout.m_groups.end(),
                                  [&](const CacheGroup& g) { return g.window == layer.window && g.latent == latent && g.ratio == layer.ratio && g.device == layer.device; });
        if (group == layout.m_groups.end()) {
            layout.m_groups.push_back({});
            group = layout.m_groups.end() - 1;
            group->window = layer.window;
            group->latent = latent;
            group->ratio = layer.ratio;
            group->device = layer.device;
            layout.m_arenas.resize(std::max<size_t>(layout.m_arenas.size(), layer.device + 1));
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
        Arena& arena = layout.m_arenas[group.device];
        group.arenaOffset = arena.bytes;
        const auto bytes = checkedMultiply(group.blocks, group.blockBytes);
        const auto end = bytes ? checkedAdd(arena.bytes, *bytes) : std::nullopt;
        if (!end) return Error{"The cache for this context is larger than any memory; choose a shorter context."};
        arena.bytes = alignUp(*end, 256);
    }
    auto states = size.statesOfDevices;
    if (states.empty()) states.push_back(size.stateBytes);
    layout.m_arenas.resize(std::max(layout.m_arenas.size(), states.size()));
    for (size_t device = 0; device < states.size(); ++device) {
        if (states[device] == 0) continue;
        Arena& arena = layout.m_arenas[device];
        layout.m_states = size.sequences;
        arena.stateBytes = states[device];
        arena.stateOffset = arena.bytes;
        arena.bytes += alignUp(size.sequences * states[device], 256);
    }
    return layout;
}

uint64_t CacheLayout::arenaBytes() const {
    uint64_t bytes = 0;
    for (const auto& arena : m_arenas) bytes += arena.bytes;
    return bytes;
}

uint64_t CacheLayout::stateBytes() const {
    uint64_t bytes = 0;
    for (const auto& arena : m_arenas) bytes += arena.stateBytes;
    return bytes;
}

void CacheLayout::clearBehind(uint32_t group, uint32_t entry, std::span<uint8_t> block) const {
    const uint64_t rows = ops::kBlockTokens - entry;
    const auto clearPart = [&](uint64_t offset, ops::CacheType type, uint32_t kvHeads, uint32_t headDim) {
        for (uint32_t kvHead = 0; kvHead < kvHeads && headDim > 0; ++kvHead) {
            const auto row = ops::cacheRowAt(block.data() + offset, type, kvHead, entry, headDim);
            std::fill_n(row.codes, rows * ops::cacheCodeBytes(type, headDim), uint8_t(0));
            std::fill_n(row.heads, rows * ops::cacheHeadBytes(type, headDim), uint8_t(0));
        }
    };
    for (size_t layer = 0; layer < m_layers.size(); ++layer) {
        if (m_layers[layer].kvHeads == 0 || m_places[layer].group != group) continue;
        clearPart(m_places[layer].offsetK, m_typeK, m_layers[layer].kvHeads, m_layers[layer].headDimK);
        clearPart(m_places[layer].offsetV, m_typeV, m_layers[layer].kvHeads, m_layers[layer].headDimV);
    }
}

uint64_t CacheLayout::growingBytesPerToken() const {
    uint64_t bytes = 0;
    for (const auto& group : m_groups)
        if (!group.window) bytes += group.bytesPerToken();
    return bytes;
}

} // namespace steelyard
