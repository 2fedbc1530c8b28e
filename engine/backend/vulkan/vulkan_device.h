// Vulkan compute as a device. Loaded at run time: without a loader or driver the list says why and nothing else
// happens.
#pragma once

#include "engine/backend/backend.h"
#include "engine/core/log.h"

#include <functional>
#include <vector>

struct VolkDeviceTable;

namespace steelyard {

// All Vulkan devices with ids "vulkan:0" and so on (software ones marked), or one unusable row with the reason.
std::vector<DeviceInfo> listVulkan();

// How launches are shaped: for what the device is, or as on a graphics card, so that tests on a software device run the
// card's variants too.
enum class VulkanTuning { AsDevice, AsCard };

// Opens the device with this index of listVulkan(). `adjust`, where it is given, may put other functions in place of the driver's
// (tests let calls fail).
Result<std::unique_ptr<Device>> openVulkan(uint32_t index, const LogSink& log, VulkanTuning tuning = VulkanTuning::AsDevice,
                                           const std::function<void(VolkDeviceTable&)>& adjust = {});

} // namespace steelyard
