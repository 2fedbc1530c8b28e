// Compresses the keys of each `ratio` positions of a sequence into one, channel by channel: a weighted mean whose weights are
// a softmax of learned scores over the positions.
//
//   y[r, c] = sum_j softmax_j(score_j) value_j  where the row's position p ends a group, (p + 1) mod ratio = 0; else 0
//   without overlap j runs over the group's own positions; with overlap also over those of the group before (if there is
//   one): these by the first half of the values and scores, the group's own by the second
//   values, scores  float [rows, width],  width = channels, or 2 * channels with overlap
//   bias       float [ratio, width]: added to the score of a position p, row p mod ratio
//   y          float [rows, channels]
//   state      float [2, ring, width] of each sequence at state + run.state * stateStride: the values, then the scores with
//              their bias, of position p at p mod ring;  ring = ratio, or 2 * ratio with overlap
//   positions  int32 [rows];  runs  SequenceRun [sequences] (sequence_runs.h)
// Reads values, scores, bias, state, positions, runs; writes y and state. An item is one channel of one sequence. A state is
// only read where a position of the same sequence wrote it. Source: DeepSeek-AI, "DeepSeek-V4" (compressed attention).
#pragma once

#include "kernels/ops/sequence_runs.h"

#include <cmath>

namespace steelyard::ops {

struct CompressKeys {
    static constexpr const char* name = "compress_keys";
    uint64_t values;
    uint64_t scores;
    uint64_t bias;
    uint64_t y;
    uint64_t state;
    uint64_t positions;
    uint64_t runs;
    uint64_t stateStride; // bytes
    uint32_t sequences;
    uint32_t channels;
    uint32_t ratio;
    uint32_t overlap; // 0 or 1
};
static_assert(isOp<CompressKeys>);

__host__ __device__ inline uint32_t items(const CompressKeys& op) { return op.sequences * op.channels; }

__host__ __device__ inline uint32_t compressWidth(uint32_t channels, bool overlap) { return overlap ? 2 * channels : channels; }
__host__ __device__ inline uint32_t compressRing(uint32_t ratio, bool overlap) { return overlap ? 2 * ratio : ratio; }

// Floats of one sequence's state.
inline uint64_t compressState(uint32_t channels, uint32_t ratio, bool overlap) {
    return uint64_t(2) * compressRing(ratio, overlap) * compressWidth(channels, overlap);
}

// The mean of the group that ends at `position`; values and scores point to the channel in ring slot 0.
__host__ __device__ inline float compressedKey(const CompressKeys& op, uint32_t position, const float* values, const float* scores) {
    const uint32_t width = compressWidth(op.channels, op.overlap), ring = compressRing(op.ratio, op.overlap);
    const uint32_t span = op.overlap && position + 1 > op.ratio ? 2 * op.ratio : op.ratio;
    const auto place = [&](uint32_t j) { // of the j-th position, oldest first
        const bool own = j + op.ratio >= span;
        return uint64_t((position + 1 - span + j) % ring) * width + (op.overlap && own ? op.channels : 0);
    };
    float largest = -INFINITY, sum = 0.0f, mean = 0.0f;
    for (uint32_t j = 0; j < span; ++j) largest = std::fmax(largest, scores[place(j)]);
    for (uint32_t j = 0; j < span; ++j) {
        const float weight = std::exp(scores[place(j)] - largest);
        sum += weight;
        mean += weight * values[place(j)];
    }
    return mean / sum;
}

__host__ __device__ inline void compute(const CompressKeys& op, uint32_t item) {
    const SequenceRun run = at<const SequenceRun>(op.runs)[item / op.channels];
    const uint32_t channel = item % op.channels;
    const uint32_t width = compressWidth(op.channels, op.overlap), ring = compressRing(op.ratio, op.overlap);
    float* values = at<float>(op.state + static_cast<uint64_t>(run.state) * op.stateStride) + channel;
    float* scores = values + uint64_t(ring) * width;
    for (int32_t i = 0; i < run.rows; ++i) {
        const uint64_t row = static_cast<uint64_t>(run.firstRow + i);
        const uint32_t position = static_cast<uint32_t>(at<const int32_t>(op.positions)[row]);
        for (uint32_t c = channel; c < width; c += op.channels) {
            const uint64_t place = uint64_t(position % ring) * width + c - channel;
            values[place] = at<const float>(op.values)[row * width + c];
            scores[place] = at<const float>(op.scores)[row * width + c] + at<const float>(op.bias)[uint64_t(position % op.ratio) * width + c];
        }
        const bool ends = (position + 1) % op.ratio == 0;
        at<float>(op.y)[row * op.channels + channel] = ends ? compressedKey(op, position, values, scores) : 0.0f;
    }
}

} // namespace steelyard::ops
