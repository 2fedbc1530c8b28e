// Products with experts, on the tiles of mat_mul.cuh: so each (row, slot) gets the numbers that mat_mul gives for its one row.
//
// Few (row, slot)s: a block per (row, slot) and part of the outputs, as mat_mul of one row. Many: a block per expert and part
// of the outputs, which looks through all ids, and multiplies those that name its expert a tile at a time; one more block
// clears what no expert makes. Bound: the bytes of the experts used for few rows, arithmetic for many.
#pragma once

#include "kernels/ops/mat_mul.cuh"

namespace steelyard::kernels {

namespace {

// A (row, slot) per block.
template <class Format, ops::Activation activation>
struct ExpertItemKernel {
    using Tile = MatMulKernel<Format, activation, 1, 1>;
    using Shared = typename Tile::Shared;
    static constexpr uint32_t kThreads = Tile::kThreads;

    static __device__ void run(const Thread& thread, Shared& shared, const ops::ExpertMatMul& op) {
        const uint32_t item = thread.blockY();
        const int32_t expert = ops::expertOf(op, item);
        const ops::MatMul product = ops::productOf(op, item, expert < 0 ? 0u : static_cast<uint32_t>(expert));
        if (expert < 0) {
            const uint32_t count = Tile::outputsPerBlock(product), first = thread.blockX() * count;
            for (uint32_t i = first + thread.index(); i < first + count && i < op.outputs; i += kThreads)
                ops::at<float>(product.y)[i] = 0.0f;
            return;
        }
        Tile::multiply(thread, shared, product, thread.blockX(), TileRows<1>(0, 1), 1, [&](uint32_t, uint32_t output, float sum) {
            ops::at<float>(product.y)[output] = op.bias ? sum + ops::at<const float>(product.bias)[output] : sum;
        });
    }
};

// The (row, slot)s of one expert (-1: of none), in ascending order; the same in every warp.
class ExpertItems {
public:
    __device__ ExpertItems(const ops::ExpertMatMul& op, int32_t expert)
        : m_op(op), m_expert(expert), m_next(op.ids ? 0 : static_cast<uint32_t>(expert)) {}

    // The next one, in `item`; false at the end. All lanes of a warp call it together.
    __device__ bool next(const Thread& thread, uint32_t& item) {
        const uint32_t items = m_op.rows * m_op.slots;
        if (!m_op.ids) {
            item = m_next;
            m_next += m_op.slots;
            return item < items;
        }
        while (m_found == 0) {
            if (m_next >= items) return false;
            const uint32_t first = m_next + thread.lane(), second = first + 32;
            const bool isFirst = first < items && ops::expertOf(m_op, first) == m_expert;
            const bool isSecond = second < items && ops::expertOf(m_op, second) == m_expert;
            m_found = thread.ballot(isFirst) | uint64_t(thread.ballot(isSecond)) << 32;
            m_next += 64;
        }
        item = m_next - 64 + lowestBit(m_found);
        m_found &= m_found - 1;
        return true;
    }

private:
    const ops::ExpertMatMul& m_op;
    int32_t m_expert;
    uint32_t m_next;      // the first item that was not looked at
    uint64_t m_found = 0; // among the 64 before it: bits of those that are still to come
};

// An expert per block.
template <class Format, ops::Activation activation>
struct ExpertGroupKernel {
    static constexpr uint32_t kRows = hasLargestTile<Format, activation> ? 8 : 4, kOutputs = kRows / 2;
    using Tile = MatMulKernel<Format, activation, kRows, kOutputs>;
    using Shared = typename Tile::Shared;
    static constexpr uint32_t kThreads = Tile::kThreads;

    // The block's outputs of all (row, slot)s that have no expert.
    static __device__ void clear(const Thread& thread, const ops::ExpertMatMul& op) {
        const uint32_t count = Tile::outputsPerBlock(ops::productOf(op, 0, 0)), first = thread.blockX() * count;
        ExpertItems items(op, -1);
        for (uint32_t item = 0; items.next(thread, item);)
            for (uint32_t i = first + thread.index(); i < first + count && i < op.outputs; i += kThreads)
                ops::at<float>(op.y)[uint64_t(item) * op.yStride + i] = 0.0f;
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::ExpertMatMul& op) {
        const uint32_t expert = thread.blockY();
        if (expert == op.experts) return clear(thread, op);
        const ops::MatMul product = ops::productOf(op, 0, expert);
        ExpertItems items(op, static_cast<int32_t>(expert));
        for (bool more = true; more;) {
            TileRows<kRows> rows;
            uint32_t count = 0, item = 0, itemOfLane = 0; // the lane's row of the tile
            while (count < kRows && (more = items.next(thread, item))) {
                for (uint32_t i = 0; i < kRows; ++i)
                    if (i >= count) rows.index[i] = op.inputSlots == 1 ? item / op.slots : item;
                if (thread.lane() / kOutputs == count) itemOfLane = item;
                ++count;
            }
            if (count == 0) return; // the same for the whole block
            Tile::multiply(thread, shared, product, thread.blockX(), rows, count, [&](uint32_t, uint32_t output, float sum) {
                if (op.bias) sum += ops::at<const float>(product.bias)[output];
                ops::at<float>(op.y)[uint64_t(itemOfLane) * op.yStride + output] = sum;
            });
            thread.barrier();
        }
    }
};

} // namespace

template <class AnyTarget, class Format>
const char* MatMulFormat<AnyTarget, Format>::launchExperts(const ops::ExpertMatMul& op, void* stream) {
    if (!isFloatFormat(Format::productClass) && op.expertStride % blockAlignment(Format::blockBytes) != 0)
        return "its experts are not aligned to their blocks";
    return withActivation<Format>(op.weight, op.x, op.activation, [&]<ops::Activation activation>() {
        using Item = ExpertItemKernel<Format, activation>;
        using Group = ExpertGroupKernel<Format, activation>;
        const uint32_t items = op.rows * op.slots;
        if (items == 0) return;
        const ops::MatMul product = ops::productOf(op, 0, 0);
        const auto blocks = [&]<class Tile>() { return blocksFor(op.outputs, Tile::outputsPerBlock(product)); };
        if (items <= op.experts) launch<Item>({blocks.template operator()<typename Item::Tile>(), items}, stream, op);
        else launch<Group>({blocks.template operator()<typename Group::Tile>(), op.experts + (op.ids ? 1 : 0)}, stream, op);
    });
}

} // namespace steelyard::kernels
