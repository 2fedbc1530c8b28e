// Which devices there are, in order of preference, and why one is not used. The one list of backends.
#pragma once

#include "engine/backend/backend.h"
#include "engine/core/log.h"

#include <memory>
#include <string>
#include <vector>

namespace steelyard {

struct DeviceOptions {
    uint32_t threads = 0; // processor workers; 0 = as many as there are physical cores
    LogSink log;
};

// All devices: CUDA, hardware Vulkan, processor, software Vulkan, emulator (in builds with tests). Each unusable one has
// its reason. Fast: nothing is compiled or uploaded.
std::vector<DeviceInfo> listDevices();

// Opens a device: "auto" takes the first usable one that passes the self-test; "cuda", "vulkan", "vulkan:1", "cpu",
// "emulated" name one. The error says why not.
Result<std::unique_ptr<Device>> openDevice(const std::string& id, const DeviceOptions& options);

// A short computation of every op against its scalar definition; empty, or which op is wrong by how much.
std::string selfTest(Device& device);

} // namespace steelyard
