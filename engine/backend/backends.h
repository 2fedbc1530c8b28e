// Which devices there are, in order of preference, and why one is not used. The one list of backends.
#pragma once

#include "engine/backend/backend.h"
#include "engine/core/log.h"

#include <functional>
#include <memory>
#include <optional>
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

// Opens a device: "auto" takes the fastest usable one that passes the self-test; "cuda", "vulkan", "vulkan:1", "cpu",
// "emulated" name one. The error says why not.
Result<std::unique_ptr<Device>> openDevice(const std::string& id, const DeviceOptions& options);

// The fastest hardware device that passes the self-test and that `refusal` has nothing against (it returns a sentence or
// nothing); the processor is measured only against other devices. `notices` gets a sentence for each device passed over.
Result<std::unique_ptr<Device>> openFastest(const DeviceOptions& options, const std::function<std::string(Device&)>& refusal,
                                            std::vector<std::string>& notices);

// A short computation against known numbers; empty, or which op is wrong by how much.
std::string selfTest(Device& device);

// Milliseconds of a product that streams 32 MB of weights, the shape of decoding; nothing when the device cannot do it.
std::optional<double> selfTestMilliseconds(Device& device);

} // namespace steelyard
