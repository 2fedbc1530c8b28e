// CUDA as a device, and its emulation on the processor: the same host code over a table of runtime functions, bound to the
// driver's runtime or to the emulator (kernels/emulator).
#pragma once

#include "engine/backend/backend.h"
#include "engine/core/log.h"

#include <vector>

namespace steelyard {

// All CUDA devices with ids "cuda:0" and so on, or one unusable row with the reason (not built in, no driver, ...).
std::vector<DeviceInfo> listCuda();

Result<std::unique_ptr<Device>> openCuda(uint32_t index, const LogSink& log);

// The kernels run on the processor; in builds with tests. A row that says why where it is not built in.
DeviceInfo emulatedInfo();
Result<std::unique_ptr<Device>> openEmulated(const LogSink& log);

} // namespace steelyard
