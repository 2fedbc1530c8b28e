#include "engine/cache/prefix_cache.h"

#include <algorithm>
#include <utility>

namespace steelyard {

namespace {

bool anyWindow(const CacheLayout& layout) {
    return std::any_of(layout.groups().begin(), layout.groups().end(), [](const auto& group) { return group.window > 0; });
}

constexpr uint32_t kRoots = 2; // one per set of rope factors
constexpr uint32_t kFewestKept = 32; // tokens of a turn that is worth carrying anywhere

} // namespace

PrefixCache::PrefixCache(KvCache& cache)
    : m_cache(cache), m_needsPoints(cache.hasStates() || anyWindow(cache.layout())),
      m_tree(cache.layout().groups(), cache.pools(), kRoots), m_watch(cache) {}

// What was written last may not be there: all of it goes, for nobody knows where it was.
void PrefixCache::forgetLost() {
    if (!m_watch.lost()) return;
    m_tree.clear();
    for (auto& [chat, turn] : m_turns) turn.saved = true; // there is nothing left to save
}

PrefixCache::Reuse PrefixCache::resume(uint64_t chat, const std::vector<int32_t>& ids, bool longFactors) {
    forgetLost();
    const std::span<const int32_t> usable(ids.data(), ids.size() - 1); // the last one is read, for its logits
    const auto match = m_tree.find(longFactors, usable);
    Reuse reuse;
    reuse.why = reasonFor(chat, usable, longFactors, match);
    if (const auto turn = m_turns.find(chat); turn != m_turns.end()) {
        const uint32_t broughtBack = std::min(std::exchange(turn->second.broughtBack, 0), match.length);
        (turn->second.fromDisk ? reuse.fromDisk : reuse.fromMemory) = broughtBack;
    }
    if (match.length == 0) return reuse;
    reuse.sequence = m_tree.hold(match);
    if (m_cache.hasStates()) {
        reuse.sequence.state = m_tree.stateOf(match);
        m_cache.pools().back().hold(static_cast<int32_t>(*reuse.sequence.state) + 1);
    }
    if (!m_cache.makeOwn(reuse.sequence, [this](size_t pool) { return dropOne(pool); })) reuse = {{}, "evicted", 0, 0};
    return reuse;
}

std::string PrefixCache::reasonFor(uint64_t chat, std::span<const int32_t> ids, bool longFactors, const PrefixMatch& match) const {
    const auto turn = m_turns.find(chat);
    if (turn == m_turns.end()) return m_lost.count(chat) > 0 ? "model reloaded" : "first turn";
    if (turn->second.longFactors != longFactors) return "rope factors";
    const auto& before = turn->second.ids;
    const auto common = commonPrefix(ids, before);
    const uint32_t kept = std::min(common, turn->second.read);
    if (match.length >= kept) return common == ids.size() || common >= turn->second.read ? "" : "edited message";
    if (match.known < kept) return "evicted";
    return m_cache.hasStates() ? "recurrent state" : "window moved";
}

bool PrefixCache::makeRoom(CachedSequence& sequence, uint32_t length) {
    while (const auto pool = m_cache.extend(sequence, length))
        if (!dropOne(*pool)) return false;
    return true;
}

void PrefixCache::keepPoint(std::span<const int32_t> ids, const CachedSequence& sequence, bool longFactors) {
    std::optional<uint32_t> state;
    if (m_cache.hasStates()) {
        state = m_cache.copyState(sequence);
        if (!state && dropOne(m_cache.layout().groups().size())) state = m_cache.copyState(sequence);
        if (!state) return;
    }
    m_tree.insert(longFactors, ids, sequence, state);
}

uint32_t PrefixCache::park(std::span<const int32_t> ids, CachedSequence& sequence, bool longFactors) {
    m_cache.trim(sequence);
    const auto state = sequence.state;
    sequence.state.reset(); // the tree's now
    const uint32_t node = m_tree.insert(longFactors, ids, sequence, state);
    m_cache.release(sequence);
    return node;
}

void PrefixCache::keep(uint64_t chat, std::vector<int32_t> ids, std::vector<int32_t> unread, CachedSequence& sequence, bool longFactors) {
    m_tree.setTail(chat, park(ids, sequence, longFactors));
    const auto read = static_cast<uint32_t>(ids.size());
    ids.insert(ids.end(), unread.begin(), unread.end());
    m_turns[chat] = {std::move(ids), read, longFactors, false, 0, false};
}

void PrefixCache::letGo(uint64_t chat) {
    m_tree.setTail(chat, 0);
    m_turns.erase(chat);
}

void PrefixCache::forget(uint64_t chat) {
    m_tree.forget(chat);
    m_turns.erase(chat);
    m_lost.erase(chat);
}

std::vector<uint64_t> PrefixCache::chats() const {
    std::vector<uint64_t> chats;
    for (const auto& [chat, turn] : m_turns) chats.push_back(chat);
    return chats;
}

const std::vector<int32_t>* PrefixCache::turnOf(uint64_t chat) const {
    const auto turn = m_turns.find(chat);
    return turn == m_turns.end() ? nullptr : &turn->second.ids;
}

bool PrefixCache::dropOne(size_t pool) {
    if (m_leaving)
        for (const uint64_t chat : m_tree.losers(pool))
            if (const auto turn = m_turns.find(chat); turn != m_turns.end() && !turn->second.saved) m_leaving(chat);
    return m_tree.drop(pool) || (m_lastResort && m_lastResort());
}

std::optional<PrefixCache::KeptTurn> PrefixCache::holdTurn(uint64_t chat) {
    forgetLost();
    const auto found = m_turns.find(chat);
    if (found == m_turns.end()) return std::nullopt;
    Turn& turn = found->second;
    turn.saved = true;
    const auto match = m_tree.find(turn.longFactors, {turn.ids.data(), turn.read});
    if (match.length < kFewestKept) return std::nullopt;
    KeptTurn kept;
    kept.pages = m_tree.holdPath(match);
    kept.image.ids = turn.ids;
    kept.image.longFactors = turn.longFactors;
    kept.image.shape = shapeOf(kept.pages);
    return kept;
}

std::vector<uint64_t> PrefixCache::unsavedChats() const {
    auto chats = m_tree.chatsByUse();
    std::erase_if(chats, [&](uint64_t chat) {
        const auto turn = m_turns.find(chat);
        return turn == m_turns.end() || turn->second.saved;
    });
    return chats;
}

uint32_t PrefixCache::reusable(const std::vector<int32_t>& ids, bool longFactors) const {
    return m_tree.find(longFactors, {ids.data(), ids.size() - 1}).length;
}

std::optional<HeldPages> PrefixCache::takePages(const PageShape& shape) {
    return steelyard::takePages(m_cache, shape, [this](size_t pool) { return dropOne(pool); });
}

void PrefixCache::bringBack(uint64_t chat, const PageImage& image, HeldPages& pages) {
    const std::span<const int32_t> ids(image.ids.data(), pages.sequence.length);
    std::optional<uint32_t> last; // the state at the end
    for (const auto& placed : pages.states) {
        if (placed.length == ids.size()) last = placed.state;
        else m_tree.insert(image.longFactors, ids.first(placed.length), pages.sequence, placed.state);
    }
    pages.states.clear(); // the tree's now
    m_tree.setTail(chat, m_tree.insert(image.longFactors, ids, pages.sequence, last));
    m_cache.release(pages.sequence);
    adoptTurn(chat, image);
    m_turns[chat].broughtBack = static_cast<uint32_t>(ids.size());
    m_turns[chat].fromDisk = image.fromDisk;
}

void PrefixCache::adoptTurn(uint64_t chat, const PageImage& image) {
    if (m_turns.count(chat) == 0) m_turns[chat] = {image.ids, image.shape.length, image.longFactors, true, 0, false};
}

uint64_t PrefixCache::idleBytes(uint32_t device) const {
    const auto blocks = m_tree.idle();
    uint64_t bytes = 0;
    for (size_t pool = 0; pool < blocks.size(); ++pool) bytes += blocks[pool] * m_cache.blockBytes(pool, device);
    return bytes;
}

} // namespace steelyard
