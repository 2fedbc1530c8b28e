// How the key and value cache of a model is laid out: groups of layers, the bytes of a block, where a layer's part lies.
//
// A group is the layers of one window length; a block holds 32 entries of one group. An entry is a token, or in a group of
// compressed keys `ratio` tokens (kernels/ops/compress_keys.h). Pure arithmetic: the memory plan and
// the cache itself both use it, so that what is said before a load is what the load takes. Inside a block the layers of the
// group follow each other, K part then V part, each of [kvHeads] heads (kernels/ops/cache_layout.h), aligned to 64.
// Layers of latent attention have no V part. Behind the blocks lie the states of recurrent layers, one per sequence.
#pragma once

#include "engine/core/result.h"
#include "engine/core/tensor_type.h"
#include "kernels/ops/cache_layout.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

// What one attention layer keeps; without heads, nothing.
struct CacheLayer {
    uint32_t kvHeads = 0, headDimK = 0, headDimV = 0; // headDimV 0: the values are part of the keys
    uint32_t window = 0; // positions that a token looks back, itself included; 0 = all
    uint32_t ratio = 1;  // tokens of an entry; above 1 there is no window
    uint32_t device = 0; // which of several devices has the layer
};

// Types of codes are written after a rotation of the head (kernels/ops/hadamard.h) unless `rotate` says no.
struct CacheTypes {
    TensorType k = TensorType::F16, v = TensorType::F16;
    bool rotate = true;
};

struct CachePlace {
    uint32_t group = 0;
    uint64_t offsetK = 0, offsetV = 0; // in the group's block
};

struct CacheGroup {
    uint32_t window = 0;
    uint32_t ratio = 1;
    bool latent = false;
    uint32_t device = 0;
    uint64_t blockBytes = 0;
    uint32_t layers = 0;
    uint32_t blocks = 0;        // in the arena, with the scratch block
    uint64_t arenaOffset = 0;   // of the group's block 0 in its device's arena
    std::string kind() const { return ratio > 1 ? "compressed" : window ? "window" : latent ? "latent" : "full"; }
    // Blocks that so many tokens take.
    uint32_t blocksFor(uint64_t tokens) const {
        return static_cast<uint32_t>((tokens / ratio + ops::kBlockTokens - 1) / ops::kBlockTokens);
    }
    // Bytes of one token more; a compressed group's entry is shared by its tokens.
    uint64_t bytesPerToken() const { return blockBytes / ops::kBlockTokens / ratio; }
};

struct CacheSize {
    uint32_t contextTokens = 0; // of the longest sequence; all sequences share the pool
    uint32_t chunkRows = 1;     // rows that one step may add: a window must hold them besides itself
    uint32_t sequences = 1;     // that a windowed group must hold at once, and that have a state
    uint64_t stateBytes = 0;    // of one sequence's recurrent layers
    std::vector<uint64_t> statesOfDevices = {}; // the same of each device, where there are several
};

class CacheLayout {
public:
    // The error names a cache type that cannot be used, at all or with the size of a layer's heads.
    static Result<CacheLayout> make(const std::vector<CacheLayer>& layers, CacheTypes types, CacheSize size);

    const std::vector<CacheGroup>& groups() const { return m_groups; }
    const CachePlace& place(uint32_t layer) const { return m_places[layer]; }
    ops::CacheType typeK() const { return m_typeK; }
    ops::CacheType typeV() const { return m_typeV; }
    // Whether keys (and queries), and values (and what is attended) are rotated.
    bool rotatesK() const { return m_rotatesK; }
    bool rotatesV() const { return m_rotatesV; }
    // Of all devices; each has an arena of its own.
    uint64_t arenaBytes() const;
    uint32_t devices() const { return static_cast<uint32_t>(m_arenas.size()); }
    // An arena: its bytes, those of one sequence's state in it, and where the first state lies.
    struct Arena {
        uint64_t bytes = 0, stateBytes = 0, stateOffset = 0;
    };
    const Arena& arena(uint32_t device) const { return m_arenas[device]; }
    // The states: how many, and the bytes of each on all devices together.
    uint32_t states() const { return m_states; }
    uint64_t stateBytes() const;
    uint32_t tableStride() const { return m_tableStride; } // blocks of the longest sequence
    // Writes zeros over the entries of a group's block from `entry` on.
    void clearBehind(uint32_t group, uint32_t entry, std::span<uint8_t> block) const;
    // Bytes that one more token takes in the groups that grow without bound.
    uint64_t growingBytesPerToken() const;

private:
    std::vector<CacheGroup> m_groups;
    std::vector<CachePlace> m_places;
    std::vector<CacheLayer> m_layers;
    ops::CacheType m_typeK = ops::CacheType::F16, m_typeV = ops::CacheType::F16;
    bool m_rotatesK = false, m_rotatesV = false;
    std::vector<Arena> m_arenas = std::vector<Arena>(1);
    uint32_t m_tableStride = 0, m_states = 0;
};

// The types that a cache can have, in order of their size, by the names that people give them: "f16", "q8_0".
struct CacheTypeInfo {
    TensorType type;
    std::string_view name;
    bool rotated; // unless it is asked not to
};
std::span<const CacheTypeInfo> cacheTypes();

// The cache's own name for a tensor type, or an error in words.
Result<ops::CacheType> cacheType(TensorType type);

// The type with a name, or an error in words.
Result<TensorType> cacheTypeFromName(std::string_view name);

// The name of a type of the list.
std::string_view cacheTypeName(TensorType type);

// Whether heads of so many values can be kept as a type: those of groups of 32 need whole ones.
bool fitsCacheType(TensorType type, uint32_t headDim);

} // namespace steelyard
