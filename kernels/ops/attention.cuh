// How attention adds up segments of positions: a binary tree by place, so that the result does not depend on how the
// segments are spread over blocks.
//
// A sum is a vector with the largest score and the sum of weights it was made with. Segment i of a part joins the tree like
// one more unit of a binary counter: two sums of 2^n neighbouring segments become one of 2^(n+1). A part covers 2^n
// segments by absolute place, so its sum is a node of the whole tree and the merge of all parts goes on with the same
// nodes. Segments outside the window are absent and change nothing.
#pragma once

#include "kernels/device/arithmetic.h"
#include "kernels/launch.h"

#include <cmath>

namespace steelyard::kernels {

namespace {

// Segments that one of `splits` parts covers: a power of two that reaches the end of the table.
__host__ __device__ inline uint32_t segmentsPerPart(const ops::Attention& op) {
    const uint64_t segments = (uint64_t(op.tableStride) * ops::kBlockTokens + ops::kSegmentTokens - 1) / ops::kSegmentTokens;
    uint32_t perPart = 1;
    while (uint64_t(perPart) * op.splits < segments) perPart *= 2;
    return perPart;
}

// Levels of a tree over `count` places.
__host__ __device__ inline uint32_t treeLevels(uint32_t count) {
    uint32_t levels = 1;
    while ((uint64_t(1) << (levels - 1)) < count) ++levels;
    return levels;
}

// The positions that a row attends, and the segments in which they lie.
struct AttendedRange {
    uint32_t first = 1, last = 0, firstSegment = 1, lastSegment = 0; // none

    AttendedRange() = default;
    __host__ __device__ AttendedRange(const ops::Attention& op, uint32_t position)
        : first(ops::firstVisible(op, position)), last(position),
          firstSegment(first / ops::kSegmentTokens), lastSegment(position / ops::kSegmentTokens) {}

    __device__ void join(const AttendedRange& other) {
        first = other.first < first ? other.first : first;
        last = other.last > last ? other.last : last;
        firstSegment = other.firstSegment < firstSegment ? other.firstSegment : firstSegment;
        lastSegment = other.lastSegment > lastSegment ? other.lastSegment : lastSegment;
    }
    __device__ bool has(uint32_t position) const { return position >= first && position <= last; }
    __device__ bool hasSegment(uint32_t segment) const { return segment >= firstSegment && segment <= lastSegment; }
};

// The tree of one head, in shared memory. Each thread owns the values thread, thread + threads, ... of every vector; the
// scores belong to thread 0, so a barrier must stand between two calls. `filled` is what a thread knows of the tree, 0 at
// first: bit l says that level l holds a sum.
class SegmentTree {
public:
    static __host__ __device__ uint32_t floats(uint32_t levels, uint32_t dims) { return (levels + 1) * dims + 2 * levels; }

    __device__ SegmentTree(float* memory, uint32_t levels, uint32_t dims, uint32_t& filled)
        : m_vectors(memory), m_largest(memory + (levels + 1) * dims), m_sums(m_largest + levels), m_levels(levels),
          m_dims(dims), m_filled(filled) {}

    // The vector of the sum that is being made.
    __device__ float* current() const { return m_vectors + m_levels * m_dims; }

    // Adds the current sum as place `index`.
    template <class AnyThread>
    __device__ void add(const AnyThread& thread, uint32_t threads, uint32_t index, float largest, float sum) {
        uint32_t level = 0;
        for (; index >> level & 1u; ++level)
            if (m_filled >> level & 1u) merge(thread, threads, level, largest, sum);
        float* kept = m_vectors + level * m_dims;
        for (uint32_t i = thread.index(); i < m_dims; i += threads) kept[i] = current()[i];
        if (thread.index() == 0) {
            m_largest[level] = largest;
            m_sums[level] = sum;
        }
        m_filled |= 1u << level;
    }

    // Makes the current sum the sum of all that is in the tree; at least one place was added.
    template <class AnyThread>
    __device__ void finish(const AnyThread& thread, uint32_t threads, float& largest, float& sum) {
        bool isFirst = true;
        for (uint32_t level = 0; level < m_levels; ++level) {
            if (!(m_filled >> level & 1u)) continue;
            if (isFirst) {
                for (uint32_t i = thread.index(); i < m_dims; i += threads) current()[i] = m_vectors[level * m_dims + i];
                largest = m_largest[level];
                sum = m_sums[level];
            } else {
                merge(thread, threads, level, largest, sum);
            }
            isFirst = false;
        }
    }

private:
    // Merges the sum kept at a level (the earlier positions) into the current one.
    template <class AnyThread>
    __device__ void merge(const AnyThread& thread, uint32_t threads, uint32_t level, float& largest, float& sum) {
        const float both = fmaxf(m_largest[level], largest);
        const float earlier = expf(m_largest[level] - both), later = expf(largest - both);
        const float* kept = m_vectors + level * m_dims;
        for (uint32_t i = thread.index(); i < m_dims; i += threads)
            current()[i] = multiplyAdd(kept[i], earlier, multiply(current()[i], later));
        sum = multiplyAdd(m_sums[level], earlier, multiply(sum, later));
        largest = both;
        m_filled &= ~(1u << level);
    }

    float* m_vectors; // [levels + 1, dims]
    float* m_largest; // [levels]
    float* m_sums;    // [levels]
    uint32_t m_levels, m_dims;
    uint32_t& m_filled;
};

} // namespace

} // namespace steelyard::kernels
