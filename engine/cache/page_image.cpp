#include "engine/cache/page_image.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

constexpr uint32_t kTokens = ops::kBlockTokens;

uint64_t heldBlocks(const std::vector<bool>& places) { return static_cast<uint64_t>(std::count(places.begin(), places.end(), true)); }

} // namespace

PageShape shapeOf(const HeldPages& pages) {
    PageShape shape;
    shape.length = pages.sequence.length;
    for (const auto& table : pages.sequence.tables) {
        auto& places = shape.held.emplace_back();
        for (const int32_t block : table) places.push_back(block >= 0);
    }
    for (const auto& placed : pages.states) shape.states.push_back(placed.length);
    return shape;
}

std::string unfitShape(const PageShape& shape, const CacheLayout& layout) {
    if (shape.length == 0 || shape.length > uint64_t(layout.tableStride()) * kTokens) return "its length is " + std::to_string(shape.length);
    if (shape.held.size() != layout.groups().size()) return "it has " + std::to_string(shape.held.size()) + " groups of layers";
    for (size_t group = 0; group < shape.held.size(); ++group) {
        const auto& places = shape.held[group];
        if (places.size() != layout.groups()[group].blocksFor(shape.length)) return "the pages of a group are not as many as its tokens take";
        if (layout.groups()[group].window == 0 && heldBlocks(places) != places.size()) return "a page is missing";
    }
    if (!shape.states.empty() && layout.states() == 0) return "it has states";
    for (size_t index = 0; index < shape.states.size(); ++index)
        if (shape.states[index] > shape.length || shape.states[index] <= (index > 0 ? shape.states[index - 1] : 0)) return "a state stands nowhere";
    return {};
}

uint64_t imageBytes(const PageShape& shape, const CacheLayout& layout) {
    // At most as many blocks as the longest sequence of the layout has, so that nothing can wrap here.
    uint64_t bytes = shape.states.size() * layout.stateBytes();
    for (size_t group = 0; group < shape.held.size(); ++group) bytes += heldBlocks(shape.held[group]) * layout.groups()[group].blockBytes;
    return bytes;
}

PageShape cutShape(const PageShape& shape, const CacheLayout& layout, uint32_t length) {
    PageShape cut = shape;
    cut.length = std::min(shape.length, length);
    for (size_t group = 0; group < cut.held.size(); ++group) cut.held[group].resize(layout.groups()[group].blocksFor(cut.length));
    cut.states.erase(std::upper_bound(cut.states.begin(), cut.states.end(), cut.length), cut.states.end());
    return cut;
}

uint32_t usableLength(const PageShape& shape, const CacheLayout& layout, uint32_t length) {
    const auto windowsThere = [&](uint32_t end) {
        for (size_t group = 0; group < shape.held.size(); ++group) {
            if (layout.groups()[group].window == 0) continue;
            const uint32_t first = windowStart(layout.groups()[group].window, end) / kTokens;
            for (uint32_t place = first; place < layout.groups()[group].blocksFor(end); ++place)
                if (!shape.held[group][place]) return false;
        }
        return true;
    };
    length = std::min(length, shape.length);
    if (layout.states() == 0) return windowsThere(length) ? length : 0;
    for (size_t index = shape.states.size(); index-- > 0;)
        if (shape.states[index] <= length && windowsThere(shape.states[index])) return shape.states[index];
    return 0;
}

void PageCopy::addRuns(const HeldPages& pages, const PageShape& shape) {
    const size_t groups = m_cache->layout().groups().size();
    uint64_t offset = 0;
    const auto add = [&](size_t pool, int32_t block) { // the next one of the image, to or from a block
        const uint64_t bytes = m_cache->blockBytes(pool);
        Run* last = m_runs.empty() ? nullptr : &m_runs.back();
        const bool goesOn = last && last->pool == pool && last->block + static_cast<int32_t>(last->blocks) == block &&
                            last->offset + last->blocks * bytes == offset;
        if (goesOn) ++last->blocks;
        else m_runs.push_back({pool, block, 1, offset});
        offset += bytes;
    };
    for (size_t group = 0; group < groups; ++group)
        for (size_t place = 0; place < shape.held[group].size(); ++place) {
            if (!shape.held[group][place]) continue;
            const auto& table = pages.sequence.tables[group];
            if (place < table.size() && table[place] >= 0) add(group, table[place]);
            else offset += m_cache->blockBytes(group); // of a longer image
        }
    for (size_t index = 0; index < pages.states.size(); ++index) {
        assert(shape.states[index] == pages.states[index].length);
        add(groups, static_cast<int32_t>(pages.states[index].state) + 1);
    }
}

PageCopy PageCopy::out(KvCache& cache, const HeldPages& pages, std::span<uint8_t> image) {
    PageCopy copy(cache, image, {});
    copy.addRuns(pages, shapeOf(pages));
    copy.m_tailsOf = pages.sequence;
    return copy;
}

PageCopy PageCopy::in(KvCache& cache, const HeldPages& pages, const PageImage& image) {
    PageCopy copy(cache, {}, image.bytes);
    copy.addRuns(pages, image.shape);
    return copy;
}

// The last block of each group, where it is not full.
void PageCopy::clearTails() {
    uint64_t offset = 0;
    for (uint32_t group = 0; group < m_tailsOf.tables.size(); ++group) {
        const auto& table = m_tailsOf.tables[group];
        const auto& layout = m_cache->layout().groups()[group];
        offset += static_cast<uint64_t>(std::count_if(table.begin(), table.end(), [](int32_t block) { return block >= 0; })) * layout.blockBytes;
        const uint32_t entries = m_tailsOf.length / layout.ratio;
        if (entries % kTokens != 0 && table.back() >= 0)
            m_cache->layout().clearBehind(group, entries % kTokens, m_target.subspan(offset - layout.blockBytes, layout.blockBytes));
    }
}

Result<bool> PageCopy::advance(uint64_t bytes) {
    while (m_next < m_runs.size()) {
        auto& run = m_runs[m_next];
        const uint64_t each = m_cache->blockBytes(run.pool);
        const auto blocks = static_cast<uint32_t>(std::clamp<uint64_t>(bytes / each, 1, run.blocks));
        if (m_source.empty()) {
            if (auto read = m_cache->readBlocks(run.pool, run.block, m_target.subspan(run.offset, blocks * each)); !read) return read.error();
        } else {
            m_cache->writeBlocks(run.pool, run.block, m_source.subspan(run.offset, blocks * each));
        }
        run.block += static_cast<int32_t>(blocks);
        run.blocks -= blocks;
        run.offset += blocks * each;
        if (run.blocks == 0) ++m_next;
        if (blocks * each >= bytes) break;
        bytes -= blocks * each;
    }
    if (m_next < m_runs.size()) return false;
    if (m_source.empty()) clearTails();
    return true;
}

std::optional<HeldPages> takePages(KvCache& cache, const PageShape& shape, const std::function<bool(size_t)>& drop) {
    HeldPages pages;
    pages.sequence.length = shape.length;
    pages.sequence.tables.resize(shape.held.size());
    const auto take = [&](size_t pool) {
        auto block = cache.pools()[pool].take();
        while (!block && drop(pool)) block = cache.pools()[pool].take();
        return block;
    };
    for (size_t group = 0; group < shape.held.size(); ++group)
        for (const bool held : shape.held[group]) {
            const auto block = held ? take(group) : -1;
            if (!block) {
                releasePages(cache, pages);
                return std::nullopt;
            }
            pages.sequence.tables[group].push_back(*block);
        }
    // Only the last places matter where states are scarce.
    for (size_t index = shape.states.size(); index-- > 0;) {
        const auto state = take(shape.held.size());
        if (!state) {
            releasePages(cache, pages);
            return std::nullopt;
        }
        pages.states.insert(pages.states.begin(), PlacedState{shape.states[index], static_cast<uint32_t>(*state) - 1});
    }
    return pages;
}

void releasePages(KvCache& cache, HeldPages& pages) {
    cache.release(pages.sequence);
    for (const auto& placed : pages.states) cache.pools().back().release(static_cast<int32_t>(placed.state) + 1);
    pages.states.clear();
}

Result<PageImage> imageOf(KvCache& cache, const HeldPages& pages) {
    PageImage image;
    image.shape = shapeOf(pages);
    const auto bytes = std::make_shared<std::vector<uint8_t>>(imageBytes(image.shape, cache.layout()));
    auto copy = PageCopy::out(cache, pages, *bytes);
    if (const auto done = copy.advance(bytes->size()); !done) return done.error();
    image.bytes = *bytes;
    image.owner = bytes;
    return image;
}

Result<void> putImage(KvCache& cache, const HeldPages& pages, const PageImage& image) {
    auto copy = PageCopy::in(cache, pages, image);
    if (const auto done = copy.advance(image.bytes.size()); !done) return done.error();
    return cache.synchronize();
}

} // namespace steelyard
