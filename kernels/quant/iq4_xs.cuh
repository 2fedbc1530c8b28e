// IQ4_XS: 256 values in 136 bytes, eight groups of 32. value = scale * (s[g] - 32) * book[code], with the book of codebook.h.
//   0..1    half   scale
//   2..3    u16    bits 2g and 2g + 1 are the upper two bits of the 6-bit s[g]
//   4..7    the low four bits of s[g] in byte g / 2, low nibble for even g
//   8..135  16 bytes for each group: byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/codebook.h"

namespace steelyard::kernels {

struct IQ4_XS {
    static constexpr uint32_t typeId = 23, blockValues = 256, blockBytes = 136;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    using Book = NonlinearBook;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        unpackNibbles<Book>(block + 8 + part * 16, 16, out.codes);
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t part) {
        const uint32_t low = (block[4 + part / 2] >> (part & 1u) * 4) & 15u, high = (uint32_t(readU16(block + 2)) >> part * 2) & 3u;
        return oneScale(readU16(block), static_cast<int32_t>(low | (high << 4)) - 32);
    }
};

} // namespace steelyard::kernels
