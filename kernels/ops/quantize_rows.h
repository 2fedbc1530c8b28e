// Quantizes activation rows to 8-bit blocks of 32, once, for all the products that read them.
//
//   scale(r, b) = max over the block of |x| / 127,   code = round to nearest(x / scale)
//   with two planes, what the code leaves over is kept in steps (kernels::kPlaneSteps to a code): rest = round((x / scale -
//   code) * steps). Two planes are as good as 16 bits, and products of 8 bits are all they need.
//   sum(r, b) = scale * (sum of codes + sum of rests / steps)
//   x       float [rows, columns], columns a multiple of 32
//   codes   int8  [rows, planes, columns]; planes is 1 or 2
//   scales  float [rows, columns / 32]
//   sums    float [rows, columns / 32]; what a weight's minimum is multiplied with
// A block of zeros has scale 0. Reads x; writes codes, scales, sums.
#pragma once

#include "kernels/ops/op.h"
#include "kernels/quant/format.h"

#include <cmath>

namespace steelyard::ops {

using kernels::kPlaneSteps;

struct QuantizeRows {
    static constexpr const char* name = "quantize_rows";
    uint64_t x;
    uint64_t codes;
    uint64_t scales;
    uint64_t sums;
    uint32_t rows;
    uint32_t columns;
    uint32_t planes;
    uint32_t reserved;
};
static_assert(isOp<QuantizeRows>);

inline uint32_t items(const QuantizeRows& op) { return op.rows; }

inline void compute(const QuantizeRows& op, uint32_t row) {
    for (uint32_t block = 0; block < op.columns / 32; ++block) {
        const float* x = at<const float>(op.x) + uint64_t(row) * op.columns + block * 32;
        int8_t* codes = at<int8_t>(op.codes) + uint64_t(row) * op.planes * op.columns + block * 32;
        float largest = 0.0f;
        for (int i = 0; i < 32; ++i) largest = std::fmax(largest, std::fabs(x[i]));
        const float scale = largest / 127.0f;
        const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
        int sum = 0, restSum = 0;
        for (int i = 0; i < 32; ++i) {
            const float scaled = x[i] * inverse;
            codes[i] = static_cast<int8_t>(std::nearbyint(scaled));
            sum += codes[i];
            if (op.planes < 2) continue;
            int8_t& rest = codes[op.columns + i];
            rest = static_cast<int8_t>(std::nearbyint((scaled - static_cast<float>(codes[i])) * kernels::kPlaneSteps));
            restSum += rest;
        }
        const uint64_t index = uint64_t(row) * (op.columns / 32) + block;
        at<float>(op.scales)[index] = scale;
        at<float>(op.sums)[index] = scale * (static_cast<float>(sum) + static_cast<float>(restSum) / kernels::kPlaneSteps);
    }
}

} // namespace steelyard::ops
