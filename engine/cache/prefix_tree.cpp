#include "engine/cache/prefix_tree.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

constexpr uint32_t kTokens = ops::kBlockTokens;

} // namespace

uint32_t commonPrefix(std::span<const int32_t> a, std::span<const int32_t> b) {
    const size_t most = std::min(a.size(), b.size());
    size_t common = 0;
    while (common < most && a[common] == b[common]) ++common;
    return static_cast<uint32_t>(common);
}

PrefixTree::PrefixTree(std::vector<CacheGroup> groups, std::vector<BlockPool>& pools, uint32_t roots)
    : m_groups(std::move(groups)), m_pools(pools), m_roots(roots), m_nodes(roots) {
    assert(m_pools.size() == m_groups.size() || m_pools.size() == m_groups.size() + 1);
}

PrefixTree::~PrefixTree() { clear(); }

void PrefixTree::clear() {
    for (uint32_t root = 0; root < m_roots; ++root)
        while (!m_nodes[root].children.empty()) removeBelow(m_nodes[root].children.back());
}

// Whether a sequence can go on after `length` tokens, the last of them in this node.
bool PrefixTree::canResume(uint32_t node, uint32_t length) const {
    const uint32_t end = m_nodes[node].depth * kTokens + static_cast<uint32_t>(m_nodes[node].tokens.size());
    if (hasStates() && (length != end || m_nodes[node].state == 0)) return false;
    for (size_t group = 0; group < m_groups.size(); ++group) {
        if (m_groups[group].window == 0) continue;
        const uint32_t first = windowStart(m_groups[group].window, length) / kTokens;
        for (uint32_t at = node;; at = m_nodes[at].parent) {
            if (m_nodes[at].blocks[group] < 0) return false;
            if (m_nodes[at].depth <= first) break;
        }
    }
    return true;
}

PrefixMatch PrefixTree::find(uint32_t root, std::span<const int32_t> ids) const {
    PrefixMatch best{root, 0, 0};
    uint32_t node = root;
    for (size_t at = 0;; at += kTokens) {
        std::optional<uint32_t> next;
        for (const uint32_t child : m_nodes[node].children) {
            const size_t common = commonPrefix(m_nodes[child].tokens, ids.subspan(at));
            const auto length = static_cast<uint32_t>(at + common);
            if (common > 0 && length > best.length && canResume(child, length)) {
                best.node = child;
                best.length = length;
            }
            best.known = std::max(best.known, length);
            if (common == kTokens) next = child;
        }
        if (!next || at + kTokens >= ids.size()) return best;
        node = *next;
    }
}

// The blocks of the path to a match, each held once more: what a sequence looks at, or the whole path.
std::vector<std::vector<int32_t>> PrefixTree::holdTables(const PrefixMatch& match, bool whole) {
    std::vector<std::vector<int32_t>> tables(m_groups.size());
    for (size_t group = 0; group < m_groups.size(); ++group) {
        const auto& layout = m_groups[group];
        auto& table = tables[group];
        table.assign(layout.blocksFor(match.length), -1);
        const uint32_t first = whole ? 0 : windowStart(layout.window, match.length) / kTokens;
        // Of nodes that share a block's place the last one has all entries of the others.
        for (uint32_t node = match.node; !isRoot(node); node = m_nodes[node].parent) {
            const uint32_t place = m_nodes[node].depth / layout.ratio;
            const int32_t block = m_nodes[node].blocks[group];
            if (place >= table.size() || place < first || table[place] >= 0 || block < 0) continue;
            m_pools[group].hold(block);
            table[place] = block;
        }
        assert(layout.window > 0 || std::find(table.begin(), table.end(), -1) == table.end());
    }
    return tables;
}

CachedSequence PrefixTree::hold(const PrefixMatch& match) {
    CachedSequence sequence;
    sequence.tables = holdTables(match, false);
    sequence.length = match.length;
    if (match.length > 0) ++m_clock;
    for (uint32_t node = match.node; !isRoot(node); node = m_nodes[node].parent) touch(node);
    return sequence;
}

HeldPages PrefixTree::holdPath(const PrefixMatch& match) {
    HeldPages pages;
    pages.sequence.tables = holdTables(match, true);
    pages.sequence.length = match.length;
    for (uint32_t node = match.node; hasStates() && !isRoot(node); node = m_nodes[node].parent) {
        const Node& step = m_nodes[node];
        const uint32_t start = step.depth * kTokens;
        // A place inside this node's tokens is a leaf beside it.
        for (const uint32_t beside : m_nodes[step.parent].children) {
            const Node& place = m_nodes[beside];
            const auto end = start + static_cast<uint32_t>(place.tokens.size());
            if (place.state == 0 || end > match.length || commonPrefix(place.tokens, step.tokens) != place.tokens.size()) continue;
            m_pools.back().hold(place.state);
            pages.states.push_back({end, static_cast<uint32_t>(place.state) - 1});
        }
    }
    std::sort(pages.states.begin(), pages.states.end(), [](const auto& a, const auto& b) { return a.length < b.length; });
    return pages;
}

std::optional<uint32_t> PrefixTree::stateOf(const PrefixMatch& match) const {
    const int32_t state = m_nodes[match.node].state;
    if (state == 0) return std::nullopt;
    return static_cast<uint32_t>(state) - 1;
}

// The child that has these tokens, made where there is none. A longer child serves as well where no state must stand at the
// end; a shorter leaf without a state grows.
uint32_t PrefixTree::childWith(uint32_t node, std::span<const int32_t> tokens, bool wantsState) {
    for (const uint32_t child : m_nodes[node].children) {
        const size_t common = commonPrefix(m_nodes[child].tokens, tokens), size = m_nodes[child].tokens.size();
        if (common == tokens.size() && (size == tokens.size() || !wantsState)) return child;
    }
    for (const uint32_t child : m_nodes[node].children) {
        Node& leaf = m_nodes[child];
        if (leaf.state != 0 || commonPrefix(leaf.tokens, tokens) != leaf.tokens.size()) continue;
        releaseBlocks(leaf);
        leaf.tokens.assign(tokens.begin(), tokens.end());
        return child;
    }
    return addNode(node, tokens);
}

uint32_t PrefixTree::addNode(uint32_t parent, std::span<const int32_t> tokens) {
    uint32_t place = static_cast<uint32_t>(m_nodes.size());
    if (m_free.empty()) {
        m_nodes.emplace_back();
    } else {
        place = m_free.back();
        m_free.pop_back();
    }
    Node& node = m_nodes[place];
    node.parent = parent;
    node.depth = isRoot(parent) ? 0 : m_nodes[parent].depth + 1;
    node.tokens.assign(tokens.begin(), tokens.end());
    node.blocks.assign(m_groups.size(), -1);
    m_nodes[parent].children.push_back(place);
    return place;
}

// Fills in the blocks that the node lacks and the sequence has.
void PrefixTree::takeBlocks(uint32_t node, const CachedSequence& sequence) {
    for (size_t group = 0; group < m_groups.size(); ++group) {
        const auto& table = sequence.tables[group];
        const uint32_t place = m_nodes[node].depth / m_groups[group].ratio;
        if (m_nodes[node].blocks[group] >= 0 || place >= table.size() || table[place] < 0) continue;
        m_pools[group].hold(table[place]);
        m_nodes[node].blocks[group] = table[place];
    }
}

uint32_t PrefixTree::insert(uint32_t root, std::span<const int32_t> ids, const CachedSequence& sequence, std::optional<uint32_t> state) {
    uint32_t node = root;
    ++m_clock;
    for (size_t at = 0; at < ids.size(); at += kTokens) {
        const bool last = at + kTokens >= ids.size();
        const uint32_t child = childWith(node, ids.subspan(at, std::min<size_t>(kTokens, ids.size() - at)), last && state.has_value());
        // A longer node is another sequence's; it needs blocks with more entries than this one has.
        if (m_nodes[child].tokens.size() <= ids.size() - at) takeBlocks(child, sequence);
        touch(child);
        node = child;
    }
    if (!state) return node;
    if (m_nodes[node].state == 0 && !isRoot(node)) m_nodes[node].state = static_cast<int32_t>(*state) + 1;
    else m_pools.back().release(static_cast<int32_t>(*state) + 1);
    return node;
}

std::optional<uint32_t> PrefixTree::oldest(size_t pool) const {
    const bool ofState = pool == m_groups.size();
    const bool whole = !ofState && m_groups[pool].window == 0;
    std::optional<uint32_t> oldest;
    for (uint32_t place = m_roots; place < m_nodes.size(); ++place) {
        const Node& node = m_nodes[place];
        if (node.tokens.empty()) continue; // removed
        if (whole ? !node.children.empty() : (ofState ? node.state == 0 : node.blocks[pool] < 0)) continue;
        // Of a path that was used at once the beginning goes first: what is far back in a window, and long ago.
        if (!oldest || node.used < m_nodes[*oldest].used || (node.used == m_nodes[*oldest].used && node.depth < m_nodes[*oldest].depth)) oldest = place;
    }
    return oldest;
}

bool PrefixTree::drop(size_t pool) {
    const bool ofState = pool == m_groups.size();
    const auto place = oldest(pool);
    if (!place) return false;
    Node& node = m_nodes[*place];
    if (!ofState && m_groups[pool].window == 0) {
        remove(*place);
    } else if (ofState) {
        m_pools[pool].release(node.state);
        node.state = 0;
    } else {
        m_pools[pool].release(node.blocks[pool]);
        node.blocks[pool] = -1;
    }
    return true;
}

std::vector<uint64_t> PrefixTree::losers(size_t pool) const {
    std::vector<uint64_t> chats;
    const auto place = oldest(pool);
    if (!place) return chats;
    for (const auto& [chat, tail] : m_tails)
        for (uint32_t node = tail; !isRoot(node); node = m_nodes[node].parent) {
            // A leaf with a state beside the path is a place on it.
            const bool beside = m_nodes[*place].state != 0 && m_nodes[*place].parent == m_nodes[node].parent;
            if (node != *place && !beside) continue;
            chats.push_back(chat);
            break;
        }
    return chats;
}

std::vector<uint64_t> PrefixTree::chatsByUse() const {
    std::vector<std::pair<uint64_t, uint64_t>> used;
    for (const auto& [chat, tail] : m_tails) used.emplace_back(m_nodes[tail].used, chat);
    std::sort(used.begin(), used.end());
    std::vector<uint64_t> chats;
    for (const auto& [when, chat] : used) chats.push_back(chat);
    return chats;
}

void PrefixTree::releaseBlocks(Node& node) {
    for (size_t group = 0; group < m_groups.size(); ++group) {
        if (node.blocks[group] >= 0) m_pools[group].release(node.blocks[group]);
        node.blocks[group] = -1;
    }
}

void PrefixTree::remove(uint32_t place) {
    Node& node = m_nodes[place];
    assert(node.children.empty());
    releaseBlocks(node);
    if (node.state != 0) m_pools.back().release(node.state);
    auto& siblings = m_nodes[node.parent].children;
    siblings.erase(std::find(siblings.begin(), siblings.end(), place));
    for (auto tail = m_tails.begin(); tail != m_tails.end();) {
        if (tail->second == place) tail->second = node.parent;
        if (isRoot(tail->second)) tail = m_tails.erase(tail);
        else ++tail;
    }
    node = {};
    m_free.push_back(place);
}

void PrefixTree::removeBelow(uint32_t node) {
    for (uint32_t at = node;;) {
        while (!m_nodes[at].children.empty()) at = m_nodes[at].children.back();
        const uint32_t parent = m_nodes[at].parent;
        remove(at);
        if (at == node) return;
        at = parent;
    }
}

void PrefixTree::touch(uint32_t node) { m_nodes[node].used = m_clock; }

void PrefixTree::setTail(uint64_t chat, uint32_t node) {
    if (isRoot(node)) m_tails.erase(chat);
    else m_tails[chat] = node;
}

void PrefixTree::forget(uint64_t chat) {
    const auto tail = m_tails.find(chat);
    if (tail == m_tails.end()) return;
    uint32_t node = tail->second;
    m_tails.erase(tail);
    const auto needed = onPaths();
    if (needed[node]) return;
    while (!isRoot(m_nodes[node].parent) && !needed[m_nodes[node].parent]) node = m_nodes[node].parent;
    removeBelow(node);
}

std::vector<bool> PrefixTree::onPaths() const {
    std::vector<bool> marked(m_nodes.size(), false);
    for (const auto& [chat, tail] : m_tails)
        for (uint32_t node = tail; !isRoot(node) && !marked[node]; node = m_nodes[node].parent) marked[node] = true;
    return marked;
}

std::vector<uint32_t> PrefixTree::idle() const {
    const auto marked = onPaths();
    std::vector<uint32_t> counts;
    for (size_t pool = 0; pool < m_pools.size(); ++pool) {
        std::unordered_map<int32_t, uint32_t> holders; // nodes on no path, of each block
        for (uint32_t place = m_roots; place < m_nodes.size(); ++place) {
            const Node& node = m_nodes[place];
            if (node.tokens.empty() || marked[place]) continue;
            const int32_t block = pool < m_groups.size() ? node.blocks[pool] : node.state;
            if (block > 0) ++holders[block];
        }
        const auto alone = [&](const auto& held) { return held.second == m_pools[pool].holders(held.first); };
        counts.push_back(static_cast<uint32_t>(std::count_if(holders.begin(), holders.end(), alone)));
    }
    return counts;
}

} // namespace steelyard
