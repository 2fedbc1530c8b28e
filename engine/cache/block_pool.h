// Which blocks of a cache arena are free, and how many sequences hold each of the others.
//
// Tensor-free: a block is a number. Block 0 is scratch for padding rows and is never handed out. A block is free exactly
// when its count is zero. Used by one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace steelyard {

class BlockPool {
public:
    // `blocks` counts block 0.
    explicit BlockPool(uint32_t blocks);

    // A free block, now held once; nothing when all are held.
    std::optional<int32_t> take();
    // One holder more, one holder less; the block must be held.
    void hold(int32_t block);
    void release(int32_t block);

    uint32_t freeBlocks() const { return static_cast<uint32_t>(m_free.size()); }
    uint32_t totalBlocks() const { return static_cast<uint32_t>(m_holders.size()) - 1; } // without block 0
    uint32_t holders(int32_t block) const { return m_holders[static_cast<size_t>(block)]; }

private:
    std::vector<uint32_t> m_holders;
    std::vector<int32_t> m_free; // taken from the back
};

} // namespace steelyard
