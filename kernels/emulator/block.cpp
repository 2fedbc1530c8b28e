#include "kernels/emulator/block.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace steelyard::emulator {

namespace {

// Odd, so that the stacks' tops do not all fall on the same lines of the processor's caches.
constexpr size_t kStackBytes = 128 * 1024 + 17 * 64;

float asFloat(uint64_t bits) {
    const auto low = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, sizeof value);
    return value;
}

uint64_t asBits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The sum of 32 values in the order 16, 8, 4, 2, 1.
float butterfly(float (&values)[32]) {
    for (uint32_t bits = 16; bits > 0; bits /= 2)
        for (uint32_t lane = 0; lane < bits; ++lane) values[lane] += values[lane + bits];
    return values[0];
}

} // namespace

// A thread of the block; kept from block to block.
struct Block::Strand {
    Strand(Block& block, uint32_t thread, uint8_t* stack)
        : block(block), thread(thread), fibre(stack, kStackBytes, &Block::strandMain, this) {}
    Block& block;
    uint32_t thread;
    Fibre fibre;
};

Block::Block() = default;
Block::~Block() = default;

void Block::prepare(uint32_t threads) {
    assert(threads % 32 == 0 && threads <= kMaximumThreads);
    if (m_strands.size() < threads) {
        m_strands.clear();
        m_stacks.reset(new uint8_t[threads * kStackBytes]);
        for (uint32_t i = 0; i < threads; ++i)
            m_strands.push_back(std::make_unique<Strand>(*this, i, m_stacks.get() + i * kStackBytes));
        m_warps.resize(threads / 32);
        m_ready.resize(threads);
        m_atBarrier.resize(threads);
    }
}

void Block::strandMain(void* argument) {
    auto& strand = *static_cast<Strand*>(argument);
    Block& block = strand.block;
    for (;;) {
        Place place = block.m_place;
        place.thread = strand.thread;
        block.m_body(block.m_context, place, block, block.m_shared.data());
        ++block.m_finished;
        block.leave(strand.thread); // comes back for the next block
    }
}

bool Block::run(const Place& place, std::span<const uint16_t> order, std::span<uint8_t> shared, size_t dynamicOffset,
                Body body, void* context) {
    prepare(static_cast<uint32_t>(order.size()));
    m_place = place;
    m_place.threads = static_cast<uint32_t>(order.size());
    m_order = order;
    m_shared = shared;
    m_dynamicShared = shared.data() + dynamicOffset;
    m_body = body;
    m_context = context;
    m_barrierCount = m_finished = m_readyFirst = m_readyCount = 0;
    m_problem.clear();
    for (uint16_t thread : order) push(thread);
    const uint32_t first = m_ready[0];
    m_readyFirst = 1 % static_cast<uint32_t>(m_ready.size());
    --m_readyCount;
    m_host.switchTo(m_strands[first]->fibre);
    if (m_problem.empty() && m_finished < m_place.threads) m_problem = stuck();
    if (m_problem.empty()) return true;
    m_strands.clear(); // stuck threads stand in the middle of a kernel
    for (auto& warp : m_warps) warp.waiting = 0;
    m_atBarrier.assign(m_atBarrier.size(), false);
    return false;
}

void Block::push(uint32_t thread) {
    uint32_t place = m_readyFirst + m_readyCount++;
    if (place >= m_ready.size()) place -= static_cast<uint32_t>(m_ready.size());
    m_ready[place] = static_cast<uint16_t>(thread);
}

// The running thread hands over to the next one, or to the host when none can run.
void Block::leave(uint32_t thread) {
    Fibre& from = m_strands[thread]->fibre;
    if (m_readyCount == 0) {
        from.switchTo(m_host);
        return;
    }
    const uint32_t next = m_ready[m_readyFirst];
    if (++m_readyFirst == m_ready.size()) m_readyFirst = 0;
    --m_readyCount;
    if (next != thread) from.switchTo(m_strands[next]->fibre);
}

// Never comes back to the thread, whose stack is dropped as it is: nothing that must be given back may live on it.
void Block::fail(uint32_t thread, const char* problem) {
    m_problem = problem;
    m_readyCount = 0;
    leave(thread);
}

void Block::barrier(uint32_t thread) {
    m_atBarrier[thread] = true;
    if (++m_barrierCount == m_place.threads) {
        m_barrierCount = 0;
        m_atBarrier.assign(m_atBarrier.size(), false);
        // The last to arrive goes on like all others, somewhere in the order.
        for (auto place = m_order.rbegin(); place != m_order.rend(); ++place) push(*place);
    }
    leave(thread);
}

uint64_t Block::meet(uint32_t thread, const WarpRequest& request) {
    const uint32_t lane = thread % 32, bit = 1u << lane;
    Warp& warp = m_warps[thread / 32];
    if (!(request.mask & bit)) fail(thread, "a thread called a warp operation whose mask does not name it");
    warp.requests[lane] = request;
    warp.waiting |= bit;
    if ((warp.waiting & request.mask) == request.mask) {
        for (uint32_t other = 0; other < 32; ++other)
            if ((request.mask >> other & 1u) &&
                (warp.requests[other].mask != request.mask || warp.requests[other].work != request.work))
                fail(thread, "lanes of a warp met with different masks or operations");
        finishMeeting(thread / 32, request.mask, lane);
    } else {
        leave(thread);
    }
    return warp.results[lane];
}

// What every lane gets alike.
uint64_t Block::common(const Warp& warp, const WarpRequest& request) {
    if (request.work == WarpWork::Ballot) {
        uint64_t votes = 0;
        for (uint32_t lane = 0; lane < 32; ++lane)
            if ((request.mask >> lane & 1u) && warp.requests[lane].value) votes |= 1u << lane;
        return votes;
    }
    float values[32];
    for (uint32_t lane = 0; lane < 32; ++lane) values[lane] = asFloat(warp.requests[lane].value);
    if (request.work == WarpWork::Sum) return asBits(butterfly(values));
    return asBits(*std::max_element(values, values + 32));
}

// Lane i gets the sum of value i % count.
void Block::sums(Warp& warp, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        float values[32];
        for (uint32_t lane = 0; lane < 32; ++lane)
            values[lane] = reinterpret_cast<const float*>(static_cast<uintptr_t>(warp.requests[lane].value))[i];
        const uint64_t sum = asBits(butterfly(values));
        for (uint32_t lane = i; lane < 32; lane += count) warp.results[lane] = sum;
    }
}

void Block::finishMeeting(uint32_t warpIndex, uint32_t mask, uint32_t last) {
    Warp& warp = m_warps[warpIndex];
    const WarpRequest& request = warp.requests[last];
    if (request.work == WarpWork::Shuffle) {
        // A lane outside the mask has no value to give: rubbish, as on a card.
        for (uint32_t lane = 0; lane < 32; ++lane)
            if (mask >> lane & 1u) {
                const uint32_t source = warp.requests[lane].source;
                warp.results[lane] = mask >> source & 1u ? warp.requests[source].value : ~uint64_t(0);
            }
    } else if (request.work == WarpWork::Sums) {
        sums(warp, request.source);
    } else if (request.work != WarpWork::Barrier) {
        const uint64_t result = common(warp, request);
        for (uint32_t lane = 0; lane < 32; ++lane)
            if (mask >> lane & 1u) warp.results[lane] = result;
    }
    warp.waiting &= ~mask;
    for (uint32_t lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1u) && lane != last) push(warpIndex * 32 + lane);
}

std::string Block::stuck() const {
    uint32_t atWarp = 0;
    for (const auto& warp : m_warps)
        for (uint32_t lane = 0; lane < 32; ++lane) atWarp += warp.waiting >> lane & 1u;
    return "of " + std::to_string(m_place.threads) + " threads " + std::to_string(m_barrierCount) +
           " wait at a barrier and " + std::to_string(atWarp) + " at a warp operation that others never reach";
}

} // namespace steelyard::emulator
