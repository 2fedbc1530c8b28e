// How a kernel is written and started, the same with nvcc and with an ordinary compiler (where the emulator runs it).
//
// A kernel is a struct in an unnamed namespace of an .cu file:
//     struct AddKernel {
//         static constexpr uint32_t kThreads = 256;                       // threads of a block, a multiple of 32
//         static __device__ void run(const SoloThread& thread, const ops::Add& op);
//     };
// whose threads know nothing of each other. A kernel whose threads cooperate (barriers, shuffles, shared memory) has a
// member type Shared, the shared memory of a block, and gets a Thread:
//     struct Shared { float partial[8]; };
//     static __device__ void run(const Thread& thread, Shared& shared, const ops::RmsNorm& op);
// Device-only helpers are templates over the thread's type or stand in an unnamed namespace too: that keeps the two
// compilations of one source apart when both are linked. What they share (formats, half, dot products) is the same code for host and device.
#pragma once

#include "kernels/device/keywords.h"

#include <cstdint>

namespace steelyard::kernels {

// The blocks of a launch, and the bytes of shared memory that Thread::dynamicShared() gives beyond the kernel's Shared.
struct Grid {
    uint32_t x = 1, y = 1, z = 1;
    uint32_t sharedBytes = 0;
};

template <class Kernel>
constexpr bool isCooperative = requires { typename Kernel::Shared; };

// Blocks of `threads` threads that cover `count` items.
__host__ __device__ inline uint32_t blocksFor(uint64_t count, uint32_t threads) {
    return static_cast<uint32_t>((count + threads - 1) / threads);
}

} // namespace steelyard::kernels

#if defined(__CUDACC__)
#include "kernels/device/cuda_launch.h"
#else
#include "kernels/emulator/emulated_launch.h"
#endif
