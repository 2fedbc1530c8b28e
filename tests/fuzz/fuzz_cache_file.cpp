// A kept chat may be any bytes: the reader gives an image that fits the layout, or a sentence. The checksums are put right first, since
// otherwise nothing behind them would ever be reached.

#include "engine/cache/cache_file.h"

#include <algorithm>
#include <cstdlib>

using namespace steelyard;

namespace {

constexpr uint64_t kHeadBytes = 96, kPagesSumAt = 64, kOwnSumAt = 80;

void require(bool condition) {
    if (!condition) std::abort();
}

CacheLayout layoutNumbered(uint8_t number) {
    const CacheLayer full{1, 8, 8, 0}, window{1, 8, 8, 40}, compressed{1, 8, 0, 0, 4};
    const std::vector<CacheLayer> layers[] = {{full}, {full, window}, {full}, {window, compressed}};
    const CacheSize size{640, 32, 4, number % 4 >= 2 ? 64u : 0u};
    return *CacheLayout::make(layers[number % 4], {}, size);
}

uint64_t number64(std::span<const uint8_t> bytes, uint64_t at) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < 8; ++i) number |= uint64_t(bytes[at + i]) << (8 * i);
    return number;
}

void putSums(std::vector<uint8_t>& file) {
    if (file.size() < kHeadBytes) return;
    const uint64_t pagesAt = number64(file, 48);
    if (pagesAt < kHeadBytes || pagesAt > file.size()) return;
    const std::span<const uint8_t> all(file);
    const CacheKey pages = hashOf({all.subspan(pagesAt)});
    std::copy(pages.bytes.begin(), pages.bytes.end(), file.begin() + kPagesSumAt);
    const CacheKey own = hashOf({all.first(kOwnSumAt), all.subspan(kHeadBytes, pagesAt - kHeadBytes)});
    std::copy(own.bytes.begin(), own.bytes.end(), file.begin() + kOwnSumAt);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const CacheLayout layout = layoutNumbered(data[0]);
    std::vector<uint8_t> file(data + 1, data + size);
    CacheKey key;
    if (file.size() >= kHeadBytes) std::copy_n(file.begin() + 16, key.bytes.size(), key.bytes.begin());
    putSums(file);
    const auto image = readCacheFile(file, key, layout);
    if (!image) {
        require(!image.sentence().empty());
        return 0;
    }
    require(unfitShape(image->shape, layout).empty());
    require(image->bytes.size() == imageBytes(image->shape, layout));
    require(image->ids.size() >= image->shape.length);
    for (const uint32_t length : {1u, image->shape.length / 2, image->shape.length}) {
        const uint32_t usable = usableLength(image->shape, layout, length);
        require(usable <= length);
        if (usable > 0) require(unfitShape(cutShape(image->shape, layout, usable), layout).empty());
    }
    return 0;
}
