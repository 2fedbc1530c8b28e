#include "tests/engine/failing_device.h"

#include "engine/backend/cuda/emulated_runtime.h"
#include "engine/backend/cuda/runtime_device.h"
#include "engine/backend/vulkan/vulkan_device.h"

#include <volk.h>

namespace steelyard {

namespace {

// The driver's functions have no place for a caller's data.
struct VulkanCalls {
    VolkDeviceTable real{};
    uint64_t made = 0, failing = 0;

    bool fails() { return ++made == failing; }
};
VulkanCalls vulkanCalls;

// The driver's function behind a member of the table, with the same arguments, unless it is the call that fails.
template <auto member, class Function>
struct Counted;
template <auto member, class... Arguments>
struct Counted<member, VkResult(VKAPI_PTR*)(Arguments...)> {
    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        return vulkanCalls.fails() ? VK_ERROR_OUT_OF_DEVICE_MEMORY : (vulkanCalls.real.*member)(arguments...);
    }
};
template <auto... members>
void count(VolkDeviceTable& table) {
    ((table.*members = &Counted<members, std::remove_reference_t<decltype(table.*members)>>::call), ...);
}

} // namespace

FailingDevice failingEmulatedCard(uint64_t call) {
    EmulatedOptions options;
    options.failingCall = call;
    options.failure = CudaRuntime::kOutOfMemory;
    DeviceInfo row;
    row.name = "A card";
    const auto use = std::make_shared<EmulatedUse>();
    auto device = openOverRuntime(makeEmulatedRuntime(options, use), 0, row);
    if (!device) return {nullptr, {}, device.sentence()};
    return {std::move(*device), [use] { return use->calls; }, {}};
}

FailingDevice failingVulkan(uint64_t call) {
    auto device = openVulkan(0, {}, VulkanTuning::AsDevice, [call](VolkDeviceTable& table) {
        vulkanCalls = {table, 0, call};
        using Table = VolkDeviceTable;
        count<&Table::vkQueueSubmit, &Table::vkBeginCommandBuffer, &Table::vkEndCommandBuffer, &Table::vkAllocateCommandBuffers,
              &Table::vkCreateCommandPool, &Table::vkCreateShaderModule, &Table::vkCreateComputePipelines, &Table::vkWaitSemaphores,
              &Table::vkGetSemaphoreCounterValue>(table);
    });
    if (!device) return {nullptr, {}, device.sentence()};
    return {std::move(*device), [] { return vulkanCalls.made; }, {}};
}

} // namespace steelyard
