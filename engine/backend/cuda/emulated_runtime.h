// The runtime's table over the emulator: device memory is the host's, work is done when it is submitted, and errors stick
// to the stream as on a card. Tests let the n-th call fail, limit the memory and count what is left behind.
#pragma once

#include "engine/backend/cuda/cuda_runtime_table.h"

#include <memory>

namespace steelyard {

struct EmulatedOptions {
    uint64_t failingCall = 0;  // this call fails, counted from 1; 0 = none
    bool failsForever = false; // and so do all later ones
    CudaRuntime::Status failure = CudaRuntime::kLaunchFailure;
    uint64_t memoryBytes = 0;  // all device memory; 0 = no limit
    uint64_t seed = 1;         // of the order of blocks and threads
    uint32_t multiprocessors = 8;
    // What the machine seems to have.
    int driverVersion = 13000;
    int cards = 1;
    CudaRuntime::Status countStatus = CudaRuntime::kSuccess;
    int major = 8, minor = 0; // compute capability
};

// What a runtime did; outlives it.
struct EmulatedUse {
    uint64_t calls = 0;
    int64_t live = 0; // memory, streams, events and graphs that were not given back
};

std::shared_ptr<CudaRuntime> makeEmulatedRuntime(const EmulatedOptions& options, std::shared_ptr<EmulatedUse> use = nullptr);

} // namespace steelyard
