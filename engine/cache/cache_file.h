// A page image as a file: what a chat left in the cache, to go on from when it is opened again.
//
// A file is whole or it is not used: every byte of it is under a checksum, and it belongs to one key (cache_key.h) and one
// version of this format. All that it says about itself is checked before it is used. Numbers are little-endian:
//   [0, 8)    "STLYKV" and two zeros       [8, 12)  kVersion          [12, 16) 1 where the long factors turned the keys
//   [16, 32)  the key                      [32, 36) ids               [36, 40) tokens that were read
//   [40, 44)  groups of layers             [44, 48) states            [48, 56) where the pages start, a multiple of 4096
//   [56, 64)  bytes of the pages           [64, 80) XXH3 of the pages [80, 96) XXH3 of all other bytes but these
//   from 96: the ids; of each group a bit per block, whole bytes, 1 where the image has it; of each state after how many tokens;
//   zeros; the pages as in page_image.h.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/cache/page_image.h"

#include <filesystem>

namespace steelyard {

// Writes the file as a whole, for its owner alone; the error says what went wrong, and nothing is left behind then.
Result<void> writeCacheFile(const std::filesystem::path& path, const CacheKey& key, const PageImage& image);

// Maps a file; the error says what is wrong with it. What it gives stays valid whatever becomes of the file's name.
Result<PageImage> openCacheFile(const std::filesystem::path& path, const CacheKey& key, const CacheLayout& layout);

// The same of bytes in memory, which `image.owner` does not hold.
Result<PageImage> readCacheFile(std::span<const uint8_t> file, const CacheKey& key, const CacheLayout& layout);

} // namespace steelyard
