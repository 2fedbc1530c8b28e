// Quantizes activation rows to 8-bit blocks of 32, once, for all the products that read them.
//
//   scale(r, b) = max over the block of |x| / 127,   codes = round to nearest(x / scale),   sum(r, b) = scale * sum of codes
//   x       float [rows, columns], columns a multiple of 32
//   codes   int8  [rows, columns]
//   scales  float [rows, columns / 32]
//   sums    float [rows, columns / 32]; what a weight's minimum is multiplied with
// A block of zeros has scale 0. Reads x; writes codes, scales, sums.
#pragma once

#include "kernels/ops/op.h"

#include <cmath>

namespace steelyard::ops {

struct QuantizeRows {
    static constexpr const char* name = "quantize_rows";
    uint64_t x;
    uint64_t codes;
    uint64_t scales;
    uint64_t sums;
    uint32_t rows;
    uint32_t columns;
};
static_assert(isOp<QuantizeRows>);

inline uint32_t items(const QuantizeRows& op) { return op.rows; }

inline void compute(const QuantizeRows& op, uint32_t row) {
    for (uint32_t block = 0; block < op.columns / 32; ++block) {
        const uint64_t first = uint64_t(row) * op.columns + block * 32;
        const float* x = at<const float>(op.x) + first;
        int8_t* codes = at<int8_t>(op.codes) + first;
        float largest = 0.0f;
        for (int i = 0; i < 32; ++i) largest = std::fmax(largest, std::fabs(x[i]));
        const float scale = largest / 127.0f;
        const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        int sum = 0;
        for (int i = 0; i < 32; ++i) {
            codes[i] = static_cast<int8_t>(std::nearbyint(x[i] * inverse));
            sum += codes[i];
        }
        const uint64_t index = uint64_t(row) * (op.columns / 32) + block;
        at<float>(op.scales)[index] = scale;
        at<float>(op.sums)[index] = scale * static_cast<float>(sum);
    }
}

} // namespace steelyard::ops
