// Threads and launches with nvcc: each function is the instruction of its name. The twin is
// kernels/emulator/emulated_launch.h; what kernels may use is what both have.
#pragma once

#include "kernels/device/warp_sums.h"
#include "kernels/launchers.h"

#include <cuda_runtime.h>

namespace steelyard::kernels {

using Target = CudaTarget;

namespace cuda {

// A thread that knows its place only.
class SoloThread {
public:
    __device__ uint32_t index() const { return threadIdx.x; }
    __device__ uint32_t blockX() const { return blockIdx.x; }
    __device__ uint32_t blockY() const { return blockIdx.y; }
    __device__ uint32_t blockZ() const { return blockIdx.z; }
    // Place among all threads of a one-dimensional grid.
    __device__ uint64_t globalIndex() const { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
};

// A thread that works together with its block and warp. Masks name the lanes that take part; all of them must arrive.
class Thread : public SoloThread {
public:
    static constexpr uint32_t kAllLanes = 0xFFFFFFFFu;

    __device__ uint32_t lane() const { return threadIdx.x % 32; }
    __device__ uint32_t warp() const { return threadIdx.x / 32; }

    __device__ void barrier() const { __syncthreads(); }
    __device__ void warpBarrier(uint32_t mask = kAllLanes) const { __syncwarp(mask); }

    template <class T>
    __device__ T shuffle(T value, uint32_t lane, uint32_t mask = kAllLanes) const {
        return __shfl_sync(mask, value, static_cast<int>(lane));
    }
    template <class T>
    __device__ T shuffleXor(T value, uint32_t bits, uint32_t mask = kAllLanes) const {
        return __shfl_xor_sync(mask, value, static_cast<int>(bits));
    }
    template <class T>
    __device__ T shuffleDown(T value, uint32_t distance, uint32_t mask = kAllLanes) const {
        return __shfl_down_sync(mask, value, distance);
    }
    __device__ uint32_t ballot(bool value, uint32_t mask = kAllLanes) const { return __ballot_sync(mask, value); }
    __device__ bool any(bool value, uint32_t mask = kAllLanes) const { return __any_sync(mask, value) != 0; }
    __device__ bool all(bool value, uint32_t mask = kAllLanes) const { return __all_sync(mask, value) != 0; }

    // Sum and maximum over the warp, the same in every lane; the order is the butterfly 16, 8, 4, 2, 1.
    __device__ float warpSum(float value) const {
        for (uint32_t bits = 16; bits > 0; bits /= 2) value += shuffleXor(value, bits);
        return value;
    }
    __device__ float warpMaximum(float value) const {
        for (uint32_t bits = 16; bits > 0; bits /= 2) value = fmaxf(value, shuffleXor(value, bits));
        return value;
    }

    // Sums of several values at once: lane i gets that of value i % count.
    template <uint32_t count>
    __device__ float warpSums(float (&values)[count]) const {
        return sumsByShuffles(*this, values);
    }

    template <class T>
    __device__ T atomicAdd(T* address, T value) const {
        return ::atomicAdd(address, value);
    }

    template <class T>
    __device__ T* dynamicShared() const {
        extern __shared__ uint4 steelyardDynamicShared[]; // aligned to 16 bytes
        return reinterpret_cast<T*>(steelyardDynamicShared);
    }
};

} // namespace cuda

using cuda::SoloThread;
using cuda::Thread;

template <class Kernel, class Op>
__global__ void __launch_bounds__(Kernel::kThreads) kernelEntry(const Op op) {
    if constexpr (isCooperative<Kernel>) {
        __shared__ typename Kernel::Shared shared;
        Kernel::run(Thread{}, shared, op);
    } else {
        Kernel::run(SoloThread{}, op);
    }
}

// Dynamic shared memory that a block gets on every card, beside what kernels declare, without asking.
constexpr uint32_t kUsualSharedBytes = 32 * 1024;

// Starts a kernel on a stream; an empty grid starts nothing.
template <class Kernel, class Op>
void launch(const Grid& grid, void* stream, const Op& op) {
    static_assert(Kernel::kThreads % 32 == 0 && Kernel::kThreads <= 1024);
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
    constexpr auto entry = kernelEntry<Kernel, Op>;
    if (grid.sharedBytes > kUsualSharedBytes) // more must be asked for; where there is less the launch fails
        cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(grid.sharedBytes));
    entry<<<dim3(grid.x, grid.y, grid.z), Kernel::kThreads, grid.sharedBytes, static_cast<cudaStream_t>(stream)>>>(op);
}

} // namespace steelyard::kernels
