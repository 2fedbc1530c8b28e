// TQ2_0: 256 values in 66 bytes. value = scale * (code - 1).
//   0..63   codes; value v of a half h (128 values): byte 32h + (v mod 32), bits 2 * (v / 32) and up
//   64..65  half   scale
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct TQ2_0 {
    static constexpr uint32_t typeId = 35, blockValues = 256, blockBytes = 66;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        const uint8_t* run = block + (part / 4) * 32;
        const uint32_t shift = (part & 3u) * 2;
        for (int i = 0; i < 32; ++i) out.codes[i] = static_cast<int8_t>(((run[i] >> shift) & 3) - 1);
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block + 64)); }
};

} // namespace steelyard::kernels
