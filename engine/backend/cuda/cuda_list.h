// The list of CUDA devices of a runtime, each unusable one with its reason. Apart from cuda_device.cpp so that tests can
// ask it about runtimes that no computer here has.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_runtime_table.h"

#include <vector>

namespace steelyard {

// `libraryVersion` is the CUDA version that the build needs; `cardPresent` says whether the system shows a card.
std::vector<DeviceInfo> cudaDevicesOf(CudaRuntime& runtime, int libraryVersion, bool cardPresent);

} // namespace steelyard
