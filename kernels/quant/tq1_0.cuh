// TQ1_0: 256 values in 54 bytes. value = scale * (digit - 1); a byte holds five digits of three as a fraction: digit n of
// byte b is 3 * (b * 3^n mod 256) / 256.
//   0..31   values 0..159: digit n of byte i is value 32n + i
//   32..47  values 160..239: digit n of byte i is value 160 + 16n + i
//   48..51  values 240..255: digit n (four of them) of byte i is value 240 + 4n + i
//   52..53  half   scale
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

struct TQ1_0 {
    static constexpr uint32_t typeId = 34, blockValues = 256, blockBytes = 54;
    static constexpr ProductClass productClass = ProductClass::Scale32;

    __host__ __device__ static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out) {
        for (uint32_t i = 0; i < 32; ++i) {
            const uint32_t value = part * 32 + i;
            if (value < 160) out.codes[i] = code(block[value & 31u], value / 32);
            else if (value < 240) out.codes[i] = code(block[32 + (value & 15u)], (value - 160) / 16);
            else out.codes[i] = code(block[48 + (value & 3u)], (value - 240) / 4);
        }
        out.setScales(groupScales(block, part));
    }

    __host__ __device__ static int8_t code(uint32_t byte, uint32_t digit) {
        constexpr uint64_t powers = 0x511B090301ull; // 81, 27, 9, 3, 1
        const uint32_t moved = (byte * static_cast<uint32_t>((powers >> digit * 8) & 255u)) & 255u;
        return static_cast<int8_t>(static_cast<int>((moved * 3) >> 8) - 1);
    }

    __host__ __device__ static GroupScales groupScales(const uint8_t* block, uint32_t) { return oneScale(readU16(block + 52)); }
};

} // namespace steelyard::kernels
