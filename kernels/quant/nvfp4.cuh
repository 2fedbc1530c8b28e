// NVFP4: 64 values in 36 bytes, four groups of 16. value = scale[g] / 2 * book[code]: four-bit floating point (codebook.h,
// doubled) with scales in eight bits.
//   0..3    scales: 4 bits of exponent (bias 7), 3 of mantissa; 0x7F is no number and counts as 0
//   4..35   8 bytes for each group: byte i holds code i (low nibble) and code i + 8 (high nibble)
// The factors of its GroupScales are the scales' bytes.
#pragma once

#include "kernels/quant/codebook.h"

namespace steelyard::kernels {

struct NVFP4 {
    static constexpr uint32_t typeId = 40, blockValues = 64, blockBytes = 36;
    static constexpr ProductClass productClass = ProductClass::Scale16;
    using Book = Float4Book;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const GroupScales group = groupScales(block, part);
        for (uint32_t h = 0; h < 2; ++h) {
            unpackNibbles<Book>(block + 4 + (part * 2 + h) * 8, 8, out.codes + h * 16);
            out.scale[h] = scaleOf(group.factor[h]);
            out.minimum[h] = 0.0f;
        }
    }

    // Half of an eight-bit number. Moved up, its bits are a half's with the bias 15 instead of 7.
    __host__ __device__ static float scaleOf(int32_t bits) { return halfToFloat(static_cast<uint16_t>(bits << 7)) * 128.0f; }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const auto factor = [&](uint32_t g) { return block[g] == 0x7Fu ? 0 : static_cast<int32_t>(block[g] & 0x7Fu); };
        return {0, 0, {factor(part * 2), factor(part * 2 + 1)}, {1, 1}};
    }
};

} // namespace steelyard::kernels
