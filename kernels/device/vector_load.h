// Loads of whole blocks with the widest access that their size allows.
#pragma once

#include "kernels/quant/format.h"

namespace steelyard::kernels {

// The widest power of two, at most 16, that divides a block: with the first block aligned to 16 bytes, every block is
// aligned to it.
__host__ __device__ constexpr uint32_t blockAlignment(uint32_t bytes) {
    uint32_t width = 1;
    while (width < 16 && bytes % (width * 2) == 0) width *= 2;
    return width;
}

// Copies `bytes` bytes; both sides are aligned to blockAlignment(bytes).
template <uint32_t bytes>
__host__ __device__ inline void loadBytes(const void* source, void* destination) {
#if defined(__CUDA_ARCH__)
    constexpr uint32_t width = blockAlignment(bytes);
    if constexpr (width == 16) {
#pragma unroll
        for (uint32_t i = 0; i < bytes / 16; ++i) static_cast<uint4*>(destination)[i] = static_cast<const uint4*>(source)[i];
    } else if constexpr (width == 8) {
#pragma unroll
        for (uint32_t i = 0; i < bytes / 8; ++i) static_cast<uint2*>(destination)[i] = static_cast<const uint2*>(source)[i];
    } else if constexpr (width == 4) {
#pragma unroll
        for (uint32_t i = 0; i < bytes / 4; ++i)
            static_cast<uint32_t*>(destination)[i] = static_cast<const uint32_t*>(source)[i];
    } else if constexpr (width == 2) {
#pragma unroll
        for (uint32_t i = 0; i < bytes / 2; ++i)
            static_cast<uint16_t*>(destination)[i] = static_cast<const uint16_t*>(source)[i];
    } else {
#pragma unroll
        for (uint32_t i = 0; i < bytes; ++i) static_cast<uint8_t*>(destination)[i] = static_cast<const uint8_t*>(source)[i];
    }
#else
    memcpy(destination, source, bytes);
#endif
}

// Group `group` (32 values) of a row of an integer format.
template <class Format>
__host__ __device__ inline void loadGroup(const uint8_t* row, uint32_t group, Unpacked32& out) {
    constexpr uint32_t parts = Format::blockValues / 32;
    const uint8_t* block = row + uint64_t(group / parts) * Format::blockBytes;
    if constexpr (parts == 1) {
        alignas(16) uint8_t copy[Format::blockBytes];
        loadBytes<Format::blockBytes>(block, copy);
        Format::unpack32(copy, 0, out);
    } else {
        Format::unpack32(block, group % parts, out);
    }
}

// Eight values of a row of a float format from `index` on; their address is aligned to 16 bytes.
template <class Format>
__host__ __device__ inline void loadEight(const uint8_t* row, uint32_t index, float (&out)[8]) {
    constexpr uint32_t bytes = 8 * Format::blockBytes;
    alignas(16) uint8_t copy[bytes];
    loadBytes<bytes>(row + uint64_t(index) * Format::blockBytes, copy);
    for (uint32_t i = 0; i < 8; ++i) out[i] = Format::load(copy, i);
}

} // namespace steelyard::kernels
