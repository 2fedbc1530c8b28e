// The processor as a device: vector code chosen at run time for this processor, spread over a pool of workers. Device
// addresses are host addresses, so mapped files are used in place.
#pragma once

#include "engine/backend/backend.h"

#include <string>
#include <vector>

namespace steelyard {

// Name and memory of the processor.
DeviceInfo cpuInfo();

// Names of the code paths that run here, best first; the last two are always "generic" and "scalar" (nothing but the
// scalar definitions).
std::vector<std::string> cpuCodePaths();

// `threads` workers including the caller; 0 = physical cores. `scalarOnly` uses nothing but the scalar definitions (tests).
std::unique_ptr<Device> openCpu(uint32_t threads, bool scalarOnly = false);

// The same with one of cpuCodePaths(); the best one where the name is not known.
std::unique_ptr<Device> openCpuPath(uint32_t threads, const std::string& codePath);

} // namespace steelyard
