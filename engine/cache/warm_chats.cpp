#include "engine/cache/warm_chats.h"

#include "engine/cache/move_rule.h"

#include <algorithm>
#include <chrono>

namespace steelyard {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kSlice = 32ull << 20;      // bytes between two steps
constexpr double kFirstCopyBytesPerMs = 2e6;  // until one was measured
constexpr double kDiskBytesPerMs = 1e6;
constexpr double kWeight = 0.3;               // of a new measurement
constexpr double kShort = 0.125;              // free share of a pool below which chats are saved ahead

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

} // namespace

WarmChats::WarmChats(KvCache& cache, PrefixCache& prefixes, CacheDisk& disk, Options options)
    : m_cache(cache), m_prefixes(prefixes), m_disk(disk), m_options(std::move(options)), m_kept(m_options.memoryBytes),
      m_copyBytesPerMs(kFirstCopyBytesPerMs) {
    m_prefixes.setLeaving(
        [this](uint64_t chat) {
            auto ahead = std::move(m_out); // goes on afterwards
            m_out.reset();
            if (startOut(chat)) advanceOut(UINT64_MAX, false);
            if (ahead) m_out.emplace(std::move(*ahead));
        },
        [this] { return letGo(); });
}

// What is on its way holds pages; who runs needs them more.
bool WarmChats::letGo() {
    if (m_out) return advanceOut(UINT64_MAX, false);
    if (!m_in) return false;
    endIn();
    return true;
}

WarmChats::~WarmChats() {
    m_prefixes.setLeaving({}, {});
    endOut();
    endIn();
}

// Whether a chat's pages are to be copied anywhere.
bool WarmChats::isWorth(uint64_t chat, const PageShape& shape) const {
    const uint64_t bytes = imageBytes(shape, m_cache.layout());
    const MoveCost toMemory{shape.length, 2 * bytes, m_readMsPerToken, m_copyBytesPerMs};
    const MoveCost toDisk{shape.length, 2 * bytes, m_readMsPerToken, kDiskBytesPerMs};
    return (m_kept.fits(bytes) && worthMoving(toMemory)) || (goesToDisk(chat) && worthMoving(toDisk));
}

bool WarmChats::startOut(uint64_t chat) {
    auto turn = m_prefixes.holdTurn(chat);
    if (!turn) return false;
    if (!isWorth(chat, turn->image.shape)) {
        releasePages(m_cache, turn->pages);
        return false;
    }
    auto bytes = std::make_shared<std::vector<uint8_t>>(imageBytes(turn->image.shape, m_cache.layout()));
    auto copy = PageCopy::out(m_cache, turn->pages, *bytes);
    m_out.emplace(WayOut{chat, std::move(*turn), std::move(bytes), std::move(copy)});
    return true;
}

// True when it is all there, or will never be.
bool WarmChats::advanceOut(uint64_t bytes, bool waits) {
    const auto start = Clock::now();
    const auto done = m_out->copy.advance(bytes);
    if (!done) {
        endOut();
        return true;
    }
    const double ms = millisecondsSince(start);
    const uint64_t copied = std::min<uint64_t>(bytes, m_out->bytes->size());
    if (ms > 0.1) m_copyBytesPerMs += kWeight * (static_cast<double>(copied) / ms - m_copyBytesPerMs);
    if (!*done) return false;
    auto image = std::make_shared<PageImage>(std::move(m_out->turn.image));
    image->bytes = *m_out->bytes;
    image->owner = m_out->bytes;
    const uint64_t chat = m_out->chat;
    m_kept.put(chat, image);
    if (goesToDisk(chat)) {
        m_disk.write(m_options.key, chat, image, waits);
        m_written.insert(chat);
        m_openings.erase(chat);
    }
    endOut();
    return true;
}

void WarmChats::endOut() {
    if (m_out) releasePages(m_cache, m_out->turn.pages);
    m_out.reset();
}

bool WarmChats::looked(uint64_t chat) {
    if (chat == 0 || !goesToDisk(chat) || m_prefixes.turnOf(chat)) return true;
    auto& opening = m_openings[chat];
    if (!opening) opening = m_disk.open(m_options.key, m_cache.layout(), chat, m_options.wake);
    if (!opening->done) return false;
    if (opening->image) m_prefixes.adoptTurn(chat, *opening->image);
    return true;
}

KeptImages::Image WarmChats::imageFor(uint64_t chat, const std::vector<int32_t>& ids, uint32_t have, bool& pending) {
    if (auto image = m_kept.find(chat)) return image;
    auto opening = m_openings.find(chat);
    if (opening == m_openings.end() && goesToDisk(chat) && m_written.count(chat) > 0) {
        // Written and lost since: opened again only if that gives something.
        const auto* turn = m_prefixes.turnOf(chat);
        if (turn && commonPrefix(*turn, ids) < have + kFewestTokensMoved) return nullptr;
        opening = m_openings.emplace(chat, m_disk.open(m_options.key, m_cache.layout(), chat, m_options.wake)).first;
    }
    if (opening == m_openings.end()) return nullptr;
    pending = !opening->second->done;
    return pending ? nullptr : opening->second->image;
}

bool WarmChats::bringBack(uint64_t chat, const std::vector<int32_t>& ids, bool longFactors, bool atOnce) {
    if (chat == 0) return true;
    const uint64_t slice = atOnce ? UINT64_MAX : kSlice;
    if (m_in) return m_in->chat == chat && advanceIn(slice);
    const uint32_t have = m_prefixes.reusable(ids, longFactors);
    bool pending = false;
    const auto image = imageFor(chat, ids, have, pending);
    if (pending) return false;
    m_openings.erase(chat);
    if (!image || image->longFactors != longFactors) return true;
    const uint32_t common = commonPrefix({image->ids.data(), image->shape.length}, {ids.data(), ids.size() - 1});
    const uint32_t usable = usableLength(image->shape, m_cache.layout(), common);
    if (usable < have + kFewestTokensMoved) return true;
    return !startIn(chat, image, usable) || advanceIn(slice);
}

bool WarmChats::startIn(uint64_t chat, KeptImages::Image image, uint32_t length) {
    const PageShape shape = cutShape(image->shape, m_cache.layout(), length);
    const double rate = image->fromDisk ? kDiskBytesPerMs : m_copyBytesPerMs;
    if (!worthMoving({length, imageBytes(shape, m_cache.layout()), m_readMsPerToken, rate})) return false;
    auto pages = m_prefixes.takePages(shape);
    if (!pages) return false;
    auto copy = PageCopy::in(m_cache, *pages, *image);
    m_in.emplace(WayIn{chat, std::move(image), std::move(*pages), std::move(copy)});
    return true;
}

bool WarmChats::advanceIn(uint64_t bytes) {
    const auto done = m_in->copy.advance(bytes);
    if (done && !*done) return false;
    if (done) m_prefixes.bringBack(m_in->chat, *m_in->image, m_in->pages);
    endIn();
    return true;
}

void WarmChats::endIn() {
    if (m_in) releasePages(m_cache, m_in->pages);
    m_in.reset();
}

void WarmChats::giveUp(uint64_t chat) {
    if (m_in && m_in->chat == chat) endIn();
    m_openings.erase(chat);
}

bool WarmChats::isShort() const {
    for (size_t group = 0; group < m_cache.layout().groups().size(); ++group) {
        const auto& pool = m_cache.pool(group);
        if (m_cache.layout().groups()[group].window == 0 && pool.freeBlocks() < kShort * pool.totalBlocks()) return true;
    }
    return false;
}

void WarmChats::saveAhead() {
    if (m_out) {
        advanceOut(kSlice, false);
        return;
    }
    if (!m_disk.isOn() || !isShort()) return;
    for (const uint64_t chat : m_prefixes.unsavedChats())
        if (goesToDisk(chat) && startOut(chat)) return;
}

void WarmChats::saveAll(double mostMs) {
    const auto start = Clock::now();
    if (m_out) advanceOut(UINT64_MAX, true);
    auto chats = m_prefixes.unsavedChats();
    std::reverse(chats.begin(), chats.end());
    for (const uint64_t chat : chats) {
        if (!goesToDisk(chat)) continue;
        if (millisecondsSince(start) > mostMs) return;
        if (startOut(chat)) advanceOut(UINT64_MAX, true);
    }
}

void WarmChats::forget(uint64_t chat) {
    if (m_out && m_out->chat == chat) endOut();
    giveUp(chat);
    m_kept.remove(chat);
    m_written.erase(chat);
    m_temporary.erase(chat);
}

Result<uint32_t> WarmChats::save(uint64_t chat, const std::filesystem::path& path) {
    auto turn = m_prefixes.holdTurn(chat);
    if (!turn) return Error{"The chat left too little in the cache to keep it in a file."};
    auto image = imageOf(m_cache, turn->pages);
    releasePages(m_cache, turn->pages);
    if (!image) return image.error();
    image->ids = turn->image.ids;
    image->longFactors = turn->image.longFactors;
    if (auto written = writeCacheFile(path, m_options.key, *image); !written) return written.error();
    return image->shape.length;
}

Result<uint32_t> WarmChats::restore(uint64_t chat, const std::filesystem::path& path) {
    const auto image = openCacheFile(path, m_options.key, m_cache.layout());
    if (!image) return image.error();
    auto pages = m_prefixes.takePages(image->shape);
    if (!pages) return Error{"The cache has no room for the kept chat; load the model with a longer context."};
    if (auto put = putImage(m_cache, *pages, *image); !put) {
        releasePages(m_cache, *pages);
        return put.error();
    }
    m_prefixes.bringBack(chat, *image, *pages);
    return image->shape.length;
}

} // namespace steelyard
