// Stands in where Vulkan is not built in.
#include "engine/backend/vulkan/vulkan_device.h"

namespace steelyard {

std::vector<DeviceInfo> listVulkan() {
    DeviceInfo row;
    row.id = "vulkan";
    row.name = "Vulkan";
    row.kind = DeviceKind::Vulkan;
    row.usable = false;
    row.reason = "This build has no Vulkan part.";
    return {row};
}

Result<std::unique_ptr<Device>> openVulkan(uint32_t, const LogSink&, VulkanTuning, const std::function<void(VolkDeviceTable&)>&) {
    return Error{"This build has no Vulkan part."};
}

} // namespace steelyard
