// IQ4_NL: 32 values in 18 bytes. value = scale * book[code], with the book of codebook.h.
//   0..1    half   scale
//   2..17   byte i holds code i (low nibble) and code i + 16 (high nibble)
#pragma once

#include "kernels/quant/codebook.h"

namespace steelyard::kernels {

struct IQ4_NL {
    static constexpr uint32_t typeId = 20, blockValues = 32, blockBytes = 18;
    static constexpr ProductClass productClass = ProductClass::Scale32;
    using Book = NonlinearBook;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t, Unpacked32& out) {
        unpackNibbles<Book>(block + 2, 16, out.codes);
        out.setScales(groupScales(block, 0));
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block)); }
};

} // namespace steelyard::kernels
