#include "engine/cache/block_pool.h"

#include <cassert>

namespace steelyard {

BlockPool::BlockPool(uint32_t blocks) : m_holders(blocks, 0) {
    assert(blocks > 0);
    m_holders[0] = 1;
    m_free.reserve(blocks);
    for (uint32_t block = blocks; block-- > 1;) m_free.push_back(static_cast<int32_t>(block));
}

std::optional<int32_t> BlockPool::take() {
    if (m_free.empty()) return std::nullopt;
    const int32_t block = m_free.back();
    m_free.pop_back();
    m_holders[static_cast<size_t>(block)] = 1;
    return block;
}

void BlockPool::hold(int32_t block) {
    assert(block > 0 && m_holders[static_cast<size_t>(block)] > 0);
    ++m_holders[static_cast<size_t>(block)];
}

void BlockPool::release(int32_t block) {
    assert(block > 0 && m_holders[static_cast<size_t>(block)] > 0);
    if (--m_holders[static_cast<size_t>(block)] == 0) m_free.push_back(block);
}

} // namespace steelyard
