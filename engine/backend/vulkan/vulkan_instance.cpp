#include "engine/backend/vulkan/vulkan_instance.h"

#include "engine/backend/vulkan/vulkan_error.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace steelyard {

namespace {

constexpr uint32_t kApiVersion = VK_API_VERSION_1_2;

// volk keeps the loader's functions in globals of its own; this guards them while they are filled and read.
std::mutex& loaderMutex() {
    static std::mutex mutex;
    return mutex;
}

std::string versionText(uint32_t version) {
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version));
}

// The features that the shaders use, as one chain.
struct Features {
    VkPhysicalDeviceFeatures2 base{};
    VkPhysicalDeviceVulkan11Features v11{};
    VkPhysicalDeviceVulkan12Features v12{};

    Features() {
        base.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
        v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
        base.pNext = &v11;
        v11.pNext = &v12;
    }
    Features(const Features&) = delete;
    Features& operator=(const Features&) = delete;

    // The missing ones by name; empty when all are there.
    std::string missing() const {
        std::string names;
        const auto need = [&](VkBool32 there, const char* name) {
            if (!there) names += (names.empty() ? "" : ", ") + std::string(name);
        };
        need(v12.bufferDeviceAddress, "buffer device addresses");
        need(base.features.shaderInt64, "64-bit integers in shaders");
        need(v11.storageBuffer16BitAccess, "16-bit storage");
        need(v12.timelineSemaphore, "timeline semaphores");
        return names;
    }
    void request() {
        v12.bufferDeviceAddress = VK_TRUE;
        base.features.shaderInt64 = VK_TRUE;
        v11.storageBuffer16BitAccess = VK_TRUE;
        v12.timelineSemaphore = VK_TRUE;
    }
};

} // namespace

Result<std::unique_ptr<VulkanInstance>> VulkanInstance::create() {
    std::lock_guard lock(loaderMutex());
    if (volkInitialize() != VK_SUCCESS)
        return Error{"No Vulkan loader was found. It comes with the graphics driver, or with the system package of the "
                     "Vulkan loader."};
    if (volkGetInstanceVersion() < kApiVersion)
        return Error{"The Vulkan loader is too old (" + versionText(volkGetInstanceVersion()) +
                     "); version 1.2 is needed."};
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "Steelyard";
    application.pEngineName = "Steelyard";
    application.apiVersion = kApiVersion;
    VkInstanceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    create.pApplicationInfo = &application;
    std::unique_ptr<VulkanInstance> instance(new VulkanInstance);
    const VkResult result = vkCreateInstance(&create, nullptr, &instance->m_instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return Error{"No Vulkan driver is installed."};
    if (result != VK_SUCCESS) return Error{"Vulkan could not be started: " + vulkanErrorText(result) + "."};
    volkLoadInstanceOnly(instance->m_instance);
    instance->m_destroyInstance = vkDestroyInstance;
    instance->m_enumeratePhysicalDevices = vkEnumeratePhysicalDevices;
    instance->m_properties = vkGetPhysicalDeviceProperties2;
    instance->m_features = vkGetPhysicalDeviceFeatures2;
    instance->m_memoryProperties = vkGetPhysicalDeviceMemoryProperties2;
    instance->m_queueFamilies = vkGetPhysicalDeviceQueueFamilyProperties;
    instance->m_extensions = vkEnumerateDeviceExtensionProperties;
    instance->m_createDevice = vkCreateDevice;
    return instance;
}

VulkanInstance::~VulkanInstance() {
    if (m_instance) m_destroyInstance(m_instance, nullptr);
}

std::vector<VulkanPhysicalDevice> VulkanInstance::devices() const {
    uint32_t count = 0;
    std::vector<VkPhysicalDevice> handles;
    if (m_enumeratePhysicalDevices(m_instance, &count, nullptr) == VK_SUCCESS) {
        handles.resize(count);
        if (m_enumeratePhysicalDevices(m_instance, &count, handles.data()) < 0) count = 0;
        handles.resize(count);
    }
    std::vector<VulkanPhysicalDevice> devices;
    for (uint32_t i = 0; i < handles.size(); ++i)
        devices.push_back(describe(handles[i], i));
    return devices;
}

VulkanPhysicalDevice VulkanInstance::describe(VkPhysicalDevice handle, uint32_t index) const {
    VulkanPhysicalDevice device;
    device.handle = handle;
    device.info.id = "vulkan:" + std::to_string(index);
    device.info.kind = DeviceKind::Vulkan;

    VkPhysicalDeviceMaintenance4Properties maintenance4{};
    maintenance4.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES;
    VkPhysicalDeviceVulkan11Properties v11{};
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    m_properties(handle, &properties);
    device.properties = properties.properties;
    device.info.name = device.properties.deviceName;
    device.info.software = device.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.info.sharesSystemMemory =
        device.info.software || device.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    const auto refuse = [&](const std::string& why) {
        device.info.usable = false;
        device.info.reason = device.info.name + " cannot be used: " + why + ".";
        return device;
    };
    if (device.properties.apiVersion < kApiVersion)
        return refuse("its driver has Vulkan " + versionText(device.properties.apiVersion) + ", and 1.2 is needed");

    uint32_t extensionCount = 0;
    m_extensions(handle, nullptr, &extensionCount, nullptr);
    std::vector<VkExtensionProperties> extensions(extensionCount);
    m_extensions(handle, nullptr, &extensionCount, extensions.data());
    const auto has = [&](const char* name) {
        return std::any_of(extensions.begin(), extensions.end(),
                           [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
    };
    device.memoryBudget = has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    const bool knowsMaintenance4 =
        device.properties.apiVersion >= VK_API_VERSION_1_3 || has(VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
    properties.pNext = &v11;
    if (knowsMaintenance4) v11.pNext = &maintenance4;
    m_properties(handle, &properties);
    device.maxAllocationBytes = v11.maxMemoryAllocationSize;
    device.maxBufferBytes = knowsMaintenance4 ? maintenance4.maxBufferSize : v11.maxMemoryAllocationSize;
    device.subgroupSize = v11.subgroupSize;
    device.subgroupShuffle = (v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
                             (v11.subgroupSupportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT);

    VkPhysicalDeviceMemoryProperties2 memory{};
    memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
    m_memoryProperties(handle, &memory);
    device.memory = memory.memoryProperties;
    uint64_t total = 0;
    for (uint32_t i = 0; i < device.memory.memoryHeapCount; ++i)
        if (device.memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            total += device.memory.memoryHeaps[i].size;
    device.info.memoryBytes = total;
    device.info.freeBytes = freeBytes(device);

    Features features;
    m_features(handle, &features.base);
    const std::string missing = features.missing();
    if (!missing.empty()) return refuse("it lacks " + missing);
    if (device.properties.limits.maxPushConstantsSize < 128)
        return refuse("it takes less than 128 bytes of push constants");

    const auto family = computeFamily(handle);
    if (!family) return refuse("it has no queue for computing");
    device.queueFamily = *family;
    if (device.info.software) device.info.reason = "A software device, used only when asked for.";
    return device;
}

std::optional<uint32_t> VulkanInstance::computeFamily(VkPhysicalDevice handle) const {
    uint32_t count = 0;
    m_queueFamilies(handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    m_queueFamilies(handle, &count, families.data());
    for (uint32_t i = 0; i < count; ++i)
        if (families[i].queueCount > 0 && (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) return i;
    return std::nullopt;
}

std::optional<uint64_t> VulkanInstance::freeBytes(const VulkanPhysicalDevice& physical) const {
    if (!physical.memoryBudget) return std::nullopt;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
    budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
    VkPhysicalDeviceMemoryProperties2 memory{};
    memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
    memory.pNext = &budget;
    m_memoryProperties(physical.handle, &memory);
    uint64_t free = 0;
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
        if (!(memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)) continue;
        if (budget.heapBudget[i] > budget.heapUsage[i]) free += budget.heapBudget[i] - budget.heapUsage[i];
    }
    return free;
}

Result<VkDevice> VulkanInstance::createDevice(const VulkanPhysicalDevice& physical, VolkDeviceTable& table) const {
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = physical.queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    Features features;
    features.request();
    std::vector<const char*> extensions;
    if (physical.memoryBudget) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    VkDeviceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    create.pNext = &features.base;
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queue;
    create.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    create.ppEnabledExtensionNames = extensions.data();
    VkDevice device = VK_NULL_HANDLE;
    const VkResult result = m_createDevice(physical.handle, &create, nullptr, &device);
    if (result != VK_SUCCESS)
        return Error{physical.info.name + " could not be opened: " + vulkanErrorText(result) + "."};
    std::lock_guard lock(loaderMutex());
    volkLoadDeviceTable(&table, device);
    return device;
}

} // namespace steelyard
