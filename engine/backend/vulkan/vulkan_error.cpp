#include "engine/backend/vulkan/vulkan_error.h"

namespace steelyard {

std::string vulkanErrorText(VkResult result) {
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "the system has no memory left";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "the device has no memory left";
    case VK_ERROR_DEVICE_LOST:
        return "the device was lost (its driver stopped or reset it); load the model again";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "the driver could not be initialised";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "the driver could not map memory";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "a requested layer is not installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "an extension is missing";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "a feature is missing";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "the driver does not fit";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "the driver's limit of allocations is reached";
    default:
        return "the driver reported error " + std::to_string(static_cast<int>(result));
    }
}

} // namespace steelyard
