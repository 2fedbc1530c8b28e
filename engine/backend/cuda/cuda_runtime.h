// The runtime's table over NVIDIA's runtime library, which is linked statically: without a driver its calls fail and
// nothing else happens. Only in builds with CUDA.
#pragma once

#include "engine/backend/cuda/cuda_runtime_table.h"

#include <memory>

namespace steelyard {

std::shared_ptr<CudaRuntime> makeCudaRuntime();

// The CUDA version of the library, as driverVersion() counts.
int cudaLibraryVersion();

} // namespace steelyard
