// Formats whose codes are entries of a grid: a number stands for four or eight codes at once, and bits beside it say which
// of them are negative.
//
// A grid is a struct with `entries`, `run` (codes of an entry) and four(entry, half), four codes of an entry as signed bytes
// of a word. The numbers of the grids lie in grids/<grid>.inc, sixteen bits an entry; they are part of the file format (GGUF
// type list) and were chosen by measuring, so that no formula gives them. A grid format names its Grid and supplies
//     static uint32_t gridEntry(const uint8_t* block, uint32_t part, uint32_t run)   which entry is run number `run`
//     static uint32_t signs(const uint8_t* block, uint32_t part)                     bit i: code i is negative
// Knows nothing of blocks.
#pragma once

#include "kernels/quant/format.h"

#include <cstring>

namespace steelyard::kernels {

// Grids of magnitudes 8, 25 and 43 in two bits.
struct WideThrees {
    static constexpr uint32_t run = 8;
    __host__ __device__ static uint32_t four(uint32_t digits) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4; ++i) word |= ((0x002B1908u >> (digits >> 2 * i & 3u) * 8) & 255u) << 8 * i;
        return word;
    }
};

struct GridIq2Xxs : WideThrees {
    static constexpr uint32_t entries = 256;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t half) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq2_xxs.inc"
        };
        return WideThrees::four(kPairs[entry / 2] >> ((entry & 1u) * 16 + half * 8));
    }
};

struct GridIq2Xs : WideThrees {
    static constexpr uint32_t entries = 512;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t half) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq2_xs.inc"
        };
        return WideThrees::four(kPairs[entry / 2] >> ((entry & 1u) * 16 + half * 8));
    }
};

struct GridIq2S : WideThrees {
    static constexpr uint32_t entries = 1024;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t half) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq2_s.inc"
        };
        return WideThrees::four(kPairs[entry / 2] >> ((entry & 1u) * 16 + half * 8));
    }
};

// Magnitudes 4, 12, 20 and so on; the eighth is 62.
struct GridIq3Xxs {
    static constexpr uint32_t entries = 256, run = 4;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq3_xxs.inc"
        };
        const uint32_t digits = kPairs[entry / 2] >> (entry & 1u) * 16;
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t digit = digits >> 4 * i & 7u;
            word |= (digit * 8 + (digit == 7 ? 6 : 4)) << 8 * i;
        }
        return word;
    }
};

// The odd magnitudes 1 to 15.
struct GridIq3S {
    static constexpr uint32_t entries = 512, run = 4;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq3_s.inc"
        };
        const uint32_t digits = kPairs[entry / 2] >> (entry & 1u) * 16;
        return ((digits & 7u) | (digits & 0x70u) << 4 | (digits & 0x700u) << 8 | (digits & 0x7000u) << 12) * 2 + 0x01010101u;
    }
};

// Values -1, 0 and 1, all moved up or down by an eighth: in eighths, 8 * value + 1 for the first 2048 entries, 8 * value - 1
// for as many more.
struct GridIq1 {
    static constexpr uint32_t entries = 4096, run = 8;
    __host__ __device__ static uint32_t four(uint32_t entry, uint32_t half) {
        static constexpr uint32_t kPairs[] = {
#include "kernels/quant/grids/iq1.inc"
        };
        const uint32_t digits = kPairs[(entry & 2047u) / 2] >> ((entry & 1u) * 16 + half * 8);
        const uint32_t codes = entry < 2048 ? 0x000901F9u : 0x0007FFF7u; // -7, 1, 9 or -9, -1, 7
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4; ++i) word |= ((codes >> (digits >> 2 * i & 3u) * 8) & 255u) << 8 * i;
        return word;
    }
};

// Signs of eight codes in seven bits: the eighth makes the number of negative ones even.
__host__ __device__ inline uint32_t evenSigns(uint32_t seven) {
    uint32_t parity = seven ^ (seven >> 4);
    parity ^= parity >> 2;
    parity ^= parity >> 1;
    return seven | (parity & 1u) << 7;
}

// Signs of 32 codes in four times seven bits.
__host__ __device__ inline uint32_t evenSigns32(uint32_t bits) {
    return evenSigns(bits & 127u) | evenSigns(bits >> 7 & 127u) << 8 | evenSigns(bits >> 14 & 127u) << 16 | evenSigns(bits >> 21 & 127u) << 24;
}

// The negative of those of four codes, none of them zero, whose bit is set.
__host__ __device__ inline uint32_t negateFour(uint32_t word, uint32_t bits) {
    const uint32_t one = (bits & 1u) | (bits & 2u) << 7 | (bits & 4u) << 14 | (bits & 8u) << 21;
    return (word ^ one * 255u) + one;
}

template <class Format>
__host__ __device__ inline void unpackGrid(const uint8_t* block, uint32_t part, Unpacked32& out) {
    constexpr uint32_t run = Format::Grid::run;
    const uint32_t signs = Format::signs(block, part);
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t entry = Format::gridEntry(block, part, i * 4 / run);
        const uint32_t word = negateFour(Format::Grid::four(entry, run == 8 ? i & 1u : 0u), signs >> 4 * i);
        memcpy(out.codes + i * 4, &word, 4);
    }
}

} // namespace steelyard::kernels
