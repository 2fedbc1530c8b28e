// Pages outside a cache: one run of bytes that a cache's pages were copied to, on their way to a file, to system memory or to
// the cache of another device.
//
// Blocks are bytes here, whatever their types: images fit every cache of the same layout (CacheLayout). Copies go in
// slices, so that nobody waits for a large one. Knows nothing of files, chats or trees.
#pragma once

#include "engine/cache/held_pages.h"
#include "engine/cache/kv_cache.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace steelyard {

// Which pages an image has. In the image they follow each other: the blocks of each group in order, then the states.
struct PageShape {
    uint32_t length = 0;                 // tokens
    std::vector<std::vector<bool>> held; // [group][entry / 32]
    std::vector<uint32_t> states;        // after how many tokens, ascending
};

PageShape shapeOf(const HeldPages& pages);
// Empty when images of this shape fit the layout; otherwise what does not.
std::string unfitShape(const PageShape& shape, const CacheLayout& layout);
// Bytes of such an image; the shape fits the layout.
uint64_t imageBytes(const PageShape& shape, const CacheLayout& layout);
// The same without what lies behind so many tokens.
PageShape cutShape(const PageShape& shape, const CacheLayout& layout, uint32_t length);
// After how many of the first `length` tokens a sequence can go on with what the shape has; 0 = none.
uint32_t usableLength(const PageShape& shape, const CacheLayout& layout, uint32_t length);

// Tokens, and the pages that they made.
struct PageImage {
    std::vector<int32_t> ids;  // of the whole turn; the first shape.length of them were read
    bool longFactors = false;  // the rotation of their keys
    PageShape shape;
    std::span<const uint8_t> bytes; // imageBytes(shape)
    std::shared_ptr<const void> owner; // of the bytes
    bool fromDisk = false;             // else it was in memory all the time
};

// One image on its way into or out of a cache. All pages that it names are held while it lives, by the caller.
class PageCopy {
public:
    // Copies pages to `image`; behind the last token of a block it leaves zeros, so that nothing of other sequences goes along.
    static PageCopy out(KvCache& cache, const HeldPages& pages, std::span<uint8_t> image);
    // Copies the beginning of an image of a longer or equal shape to pages.
    static PageCopy in(KvCache& cache, const HeldPages& pages, const PageImage& image);

    // Copies about so many bytes more; true when all are there.
    Result<bool> advance(uint64_t bytes);

private:
    struct Run { // blocks that lie together on both sides
        size_t pool = 0;
        int32_t block = 0;
        uint32_t blocks = 0;
        uint64_t offset = 0; // in the image
    };
    PageCopy(KvCache& cache, std::span<uint8_t> target, std::span<const uint8_t> source)
        : m_cache(&cache), m_target(target), m_source(source) {}
    void addRuns(const HeldPages& pages, const PageShape& shape);
    void clearTails();

    KvCache* m_cache;
    std::span<uint8_t> m_target;       // of a copy out
    std::span<const uint8_t> m_source; // of a copy in
    CachedSequence m_tailsOf;          // of a copy out
    std::vector<Run> m_runs;
    size_t m_next = 0;
};

// Pages for such a shape, their contents undefined; nothing when there is no room. `drop` lets go of something that takes from
// a pool, false when it cannot.
std::optional<HeldPages> takePages(KvCache& cache, const PageShape& shape, const std::function<bool(size_t)>& drop);
void releasePages(KvCache& cache, HeldPages& pages);

// All of it at once.
Result<PageImage> imageOf(KvCache& cache, const HeldPages& pages);
Result<void> putImage(KvCache& cache, const HeldPages& pages, const PageImage& image);

} // namespace steelyard
