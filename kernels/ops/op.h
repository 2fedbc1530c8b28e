// What an op is: a plain struct of 64-bit device addresses and 32-bit scalars, at most 128 bytes, without padding holes.
//
// The same bytes are the CUDA kernel argument, the Vulkan push constants and the processor's argument. Each op header
// holds the contract, the shapes, what is read and written, and the scalar definition, split into independent items so
// that a device may run them in any order:
//     static constexpr const char* name;           // the file stem
//     uint32_t items(const Op&);                   // how many independent items there are
//     void compute(const Op&, uint32_t item);      // one item, in obvious scalar code; addresses are host pointers
// The scalar definition is what every backend is tested against. An address of 0 means "absent" where the contract
// allows it. Shapes are written [slowest, ..., fastest]; rows are contiguous. Ops include nothing but this folder,
// kernels/device and kernels/quant.
#pragma once

#include "kernels/device/half.h"
#include "kernels/device/keywords.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace steelyard::ops {

// A host pointer of a device address; only meaningful on devices whose memory the processor can address.
template <class T>
__host__ __device__ T* at(uint64_t address) {
    return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

template <class Op>
constexpr bool isOp = std::is_trivially_copyable_v<Op> && std::is_standard_layout_v<Op> && sizeof(Op) <= 128 && sizeof(Op) % 8 == 0;

} // namespace steelyard::ops
