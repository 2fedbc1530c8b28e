// The processor as a device: scalar definitions, replaced by vector code where the processor has the instructions, spread
// over a pool of workers. Device addresses are host addresses.
#pragma once

#include "engine/backend/backend.h"

namespace steelyard {

DeviceInfo cpuInfo();

// `threads` workers including the caller; 0 = physical cores. `scalarOnly` uses nothing but the scalar definitions (tests).
std::unique_ptr<Device> openCpu(uint32_t threads, bool scalarOnly = false);

} // namespace steelyard
