// The device over a table of runtime functions: what cuda:0 and the emulator have in common, and what tests build with a
// runtime that fails.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_runtime_table.h"

#include <memory>

namespace steelyard {

// Opens device `index` of a runtime. `row` is its line in the list of devices.
Result<std::unique_ptr<Device>> openOverRuntime(std::shared_ptr<CudaRuntime> runtime, int index, const DeviceInfo& row);

} // namespace steelyard
