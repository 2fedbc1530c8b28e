// Whose pages these are: a number for a model's weights, the layout of its cache and the kind of device that computes.
//
// Pages may be used only where the key is the same: other weights, other cache types or another way to compute would give other
// pages. The weights are known by the file's whole head (names, shapes and every key, those of the rotation too), its size, and
// samples of every tensor's data, so that the key of a large file costs no reading of it.
#pragma once

#include "engine/backend/backend.h"
#include "engine/cache/cache_layout.h"
#include "engine/format/gguf_file.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace steelyard {

struct CacheKey {
    std::array<uint8_t, 16> bytes{};
    bool operator==(const CacheKey&) const = default;
};

CacheKey cacheKeyOf(const GgufFile& file, const CacheLayout& layout, DeviceKind device);

// XXH3, 128 bits (github.com/Cyan4973/xxHash), of pieces one after the other.
CacheKey hashOf(std::initializer_list<std::span<const uint8_t>> pieces);

} // namespace steelyard
