// Devices whose n-th call of the driver finds no memory, and how many calls were made. One Vulkan device at a time.
#pragma once

#include "engine/backend/backend.h"

#include <functional>
#include <memory>
#include <string>

namespace steelyard {

struct FailingDevice {
    std::unique_ptr<Device> device; // null, and why
    std::function<uint64_t()> calls;
    std::string problem;
};

// `call` counts from 1; 0 = none fails.
FailingDevice failingEmulatedCard(uint64_t call);
FailingDevice failingVulkan(uint64_t call);

} // namespace steelyard
