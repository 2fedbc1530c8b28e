#include "kernels/emulator/emulator.h"

#include <cstring>
#include <numeric>

namespace steelyard::emulator {

namespace {

// Enough different orders that every pair of threads stands both ways round; more would only cost time.
constexpr uint32_t kPermutations = 16;

} // namespace

uint64_t Emulator::random() { // splitmix64
    uint64_t value = m_state += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

Emulator::Order Emulator::nextOrder(uint64_t count) {
    Order order;
    if (!m_shuffled || count < 2) return order;
    order.first = random() % count;
    const uint64_t limit = count < (uint64_t(1) << 31) ? count : uint64_t(1) << 31;
    do order.step = random() % limit + 1;
    while (std::gcd(order.step, count) != 1);
    return order;
}

std::span<const uint16_t> Emulator::threadOrder(uint32_t threads) {
    Permutations* found = nullptr;
    for (auto& entry : m_permutations)
        if (entry.threads == threads) found = &entry;
    if (!found) {
        Permutations entry{threads, {}};
        for (uint32_t n = 0; n < (m_shuffled ? kPermutations : 1); ++n) {
            std::vector<uint16_t> order(threads);
            std::iota(order.begin(), order.end(), uint16_t(0));
            if (m_shuffled)
                for (uint32_t i = threads - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
            entry.all.push_back(std::move(order));
        }
        m_permutations.push_back(std::move(entry));
        found = &m_permutations.back();
    }
    return found->all[m_shuffled ? random() % kPermutations : 0];
}

bool Emulator::runBlock(const Place& place, size_t dynamicOffset, Block::Body body, void* context) {
    const std::span<uint8_t> shared(reinterpret_cast<uint8_t*>(m_shared.data()), m_shared.size() * sizeof(Chunk));
    if (!shared.empty()) std::memset(shared.data(), 0xFF, shared.size()); // as floats: not numbers
    if (m_block.run(place, threadOrder(place.threads), shared, dynamicOffset, body, context)) return true;
    m_problem = m_block.problem();
    return false;
}

} // namespace steelyard::emulator
