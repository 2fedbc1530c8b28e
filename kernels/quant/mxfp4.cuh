// MXFP4: 32 values in 17 bytes. value = 2^(exponent - 128) * book[code]: four-bit floating point (codebook.h, doubled).
//   0       u8     exponent
//   1..16   byte i holds code i (low nibble) and code i + 16 (high nibble)
// The scale of its GroupScales is in bfloat16, which holds every such power of two.
#pragma once

#include "kernels/quant/codebook.h"

namespace steelyard::kernels {

struct MXFP4 {
    static constexpr uint32_t typeId = 39, blockValues = 32, blockBytes = 17;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    using Book = Float4Book;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        unpackNibbles<Book>(block + 1, 16, out.codes);
        out.setScale(bfloat16ToFloat(groupScales(block, 0).scale));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) {
        const uint32_t exponent = block[0]; // the two lowest powers are below the smallest normal number
        return oneScale(static_cast<uint16_t>(exponent < 2 ? 0x20u << exponent : (exponent - 1u) << 7));
    }
};

} // namespace steelyard::kernels
