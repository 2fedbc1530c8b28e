// Which blocks of the cache hold which tokens: a radix tree over token ids, whose edges are up to 32 tokens, one block of each
// group. Sequences that begin alike share nodes, whichever chat they belong to.
//
// A node is found by its tokens only, compared one by one, so nobody can ever be given what other tokens made. The tree holds
// each of its blocks once; a block that a sequence also holds is shared, and only the entries up to the node's end count.
// A node with fewer than 32 tokens is a leaf. What is dropped first is what was used least recently. Several roots keep apart
// what must never mix. Tensor-free: knows pools and numbers of blocks, no device. Used by one thread.
#pragma once

#include "engine/cache/block_pool.h"
#include "engine/cache/cache_layout.h"
#include "engine/cache/held_pages.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace steelyard {

// How far some tokens are in the tree.
struct PrefixMatch {
    uint32_t node = 0;    // in which, or at whose end, `length` lies
    uint32_t length = 0;  // tokens after which a sequence can go on: all that it will look at is there
    uint32_t known = 0;   // tokens that the tree has at all
};

// How many ids two sequences share from the start.
uint32_t commonPrefix(std::span<const int32_t> a, std::span<const int32_t> b);

class PrefixTree {
public:
    // One pool per group, and perhaps one more, of states: block n is state n - 1. The pools outlive the tree.
    PrefixTree(std::vector<CacheGroup> groups, std::vector<BlockPool>& pools, uint32_t roots = 1);
    ~PrefixTree();
    PrefixTree(const PrefixTree&) = delete;
    PrefixTree& operator=(const PrefixTree&) = delete;

    // The longest beginning of `ids` after which a sequence can go on.
    PrefixMatch find(uint32_t root, std::span<const int32_t> ids) const;
    // A sequence that holds all that a match needs, without a state.
    CachedSequence hold(const PrefixMatch& match);
    // All that the path to a match has, also what a sequence that goes on there does not look at: the beginnings of windows,
    // states on the way.
    HeldPages holdPath(const PrefixMatch& match);
    // The state at the end of a match's node, or nothing.
    std::optional<uint32_t> stateOf(const PrefixMatch& match) const;

    // Remembers a sequence of these tokens, ids.size() being its length; the node of the last one. A state, which belongs to
    // that place, passes into the tree's hands.
    uint32_t insert(uint32_t root, std::span<const int32_t> ids, const CachedSequence& sequence, std::optional<uint32_t> state);

    // Lets go of the least recently used thing that takes from a pool: of a group without a window a leaf, otherwise only the
    // block or state. False when there is none.
    bool drop(size_t pool);

    // The chats whose paths drop(pool) would take from.
    std::vector<uint64_t> losers(size_t pool) const;
    // Chats by when their path was used, the longest ago first.
    std::vector<uint64_t> chatsByUse() const;

    // Where a chat's last turn ends; the path to it belongs to an open chat.
    void setTail(uint64_t chat, uint32_t node);
    // Forgets a chat, and every node that no other chat's path needs below the place where it parted from them.
    void forget(uint64_t chat);

    // Forgets everything.
    void clear();

    // Of each pool, the blocks that nobody holds but nodes on no chat's path.
    std::vector<uint32_t> idle() const;

private:
    struct Node {
        uint32_t parent = 0;
        uint32_t depth = 0;           // blocks before its own
        std::vector<int32_t> tokens;
        std::vector<int32_t> blocks;  // of each group; -1 where there is none, or not any more
        int32_t state = 0;            // of the pool of states; 0 = none
        uint64_t used = 0;
        std::vector<uint32_t> children;
    };

    bool hasStates() const { return m_pools.size() > m_groups.size(); }
    bool isRoot(uint32_t node) const { return node < m_roots; }
    bool canResume(uint32_t node, uint32_t length) const;
    uint32_t childWith(uint32_t node, std::span<const int32_t> tokens, bool wantsState);
    uint32_t addNode(uint32_t parent, std::span<const int32_t> tokens);
    std::optional<uint32_t> oldest(size_t pool) const; // what drop() takes
    std::vector<std::vector<int32_t>> holdTables(const PrefixMatch& match, bool whole);
    void takeBlocks(uint32_t node, const CachedSequence& sequence);
    void releaseBlocks(Node& node);
    void remove(uint32_t node);
    void removeBelow(uint32_t node);
    void touch(uint32_t node);
    std::vector<bool> onPaths() const;

    std::vector<CacheGroup> m_groups;
    std::vector<BlockPool>& m_pools;
    uint32_t m_roots;
    std::vector<Node> m_nodes;     // the roots first
    std::vector<uint32_t> m_free;  // places of removed nodes
    std::unordered_map<uint64_t, uint32_t> m_tails;
    uint64_t m_clock = 0;
};

} // namespace steelyard
