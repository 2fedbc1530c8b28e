// The door between kernels and the host: one function per op, in two compilations (the graphics card's and the
// emulator's), found by tag. Plain C++, included by the kernels and by engine/backend/cuda.
#pragma once

#include "kernels/ops/ops.h"

#include <array>
#include <cstring>

namespace steelyard::kernels {

struct CudaTarget;     // compiled by nvcc; a stream is a cudaStream_t
struct EmulatedTarget; // compiled by the ordinary compiler; a stream is an emulator::Stream*

// Starts the kernels of an op on a stream. Defined in kernels/ops/<op>.cu. Returns null, or what the op cannot do;
// failures of the launch itself stick to the stream.
template <class Target, class Op>
const char* launchOp(const Op& op, void* stream);

using Launcher = const char* (*)(const void* bytes, void* stream);

// The launchers of a target by op number.
template <class Target>
std::array<Launcher, ops::AllOps::count> launchers() {
    std::array<Launcher, ops::AllOps::count> all{};
    ops::AllOps::forEach([&]<class Op>() {
        all[ops::opId<Op>] = [](const void* bytes, void* stream) {
            Op op;
            std::memcpy(&op, bytes, sizeof op);
            return launchOp<Target, Op>(op, stream);
        };
    });
    return all;
}

} // namespace steelyard::kernels
