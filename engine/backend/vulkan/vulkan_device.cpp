#include "engine/backend/vulkan/vulkan_device.h"

#include "engine/backend/vulkan/vulkan_commands.h"
#include "engine/backend/vulkan/vulkan_grids.h"
#include "engine/backend/vulkan/vulkan_weights.h"

#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>

namespace steelyard {

namespace {

// The pieces of this folder behind the Device interface. One lock around them: the engine's thread computes while a
// load's thread may upload.
class VulkanDevice : public Device {
public:
    VulkanDevice() : m_memory(m_context), m_pipelines(m_context), m_commands(m_context, m_memory, m_pipelines) {}

    static Result<std::unique_ptr<Device>> open(uint32_t index, const LogSink& log, VulkanTuning tuning,
                                                const std::function<void(VolkDeviceTable&)>& adjust);

    const DeviceInfo& info() const override { return m_context.physical.info; }
    Memory memory() const override;
    Result<Buffer> allocate(uint64_t bytes) override;
    Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const override {
        std::lock_guard lock(m_mutex);
        return m_memory.bytesTaken(sizes);
    }
    std::optional<Buffer> adopt(std::span<const uint8_t>) override { return std::nullopt; }
    void release(uint64_t address, uint64_t bytes, uint64_t handle) override;
    void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) override;
    Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) override;
    void launch(uint32_t op, const void* bytes, size_t size) override;
    std::unique_ptr<Recording> record(const std::function<void()>& body) override;
    void replay(const Recording& recording) override;
    Result<void> synchronize() override;
    uint64_t losses() const override { return m_losses; }
    std::string unsupported(uint32_t op, std::optional<TensorType> type) const override;
    WeightLayout weightLayout(TensorType type, uint64_t rows, uint64_t columns) const override;
    WeightLayout tableLayout(TensorType type, uint64_t rows, uint64_t columns) const override {
        return weightLayout(type, rows, columns);
    }
    void pack(TensorType type, uint32_t layout, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
              std::span<uint8_t> destination) const override;
    ops::Activation activationFor(TensorType) const override { return ops::Activation::Float; }
    uint32_t attentionSplits(uint32_t rows, uint32_t heads, uint32_t longest) const override;

    void destroy(VulkanCommandList& list) {
        std::lock_guard lock(m_mutex);
        m_commands.destroy(list);
    }

private:
    // The error, if any. Memory that ran out is told once; the work that was not submitted is given up.
    Result<void> status();
    // Where an address of a buffer lies in its chunk.
    static uint64_t chunkOffset(const Buffer& buffer, uint64_t offset) {
        return buffer.address() - VulkanMemory::chunk(buffer.handle()).address + offset;
    }

    mutable std::recursive_mutex m_mutex; // recursive: record() holds it while its body launches
    VulkanContext m_context;
    VulkanMemory m_memory;
    VulkanPipelines m_pipelines;
    VulkanCommands m_commands;
    VulkanLimits m_limits;
    std::atomic<uint64_t> m_losses = 0;
};

// Must go before its device.
class VulkanRecording : public Recording {
public:
    VulkanRecording(VulkanDevice& device, VulkanCommandList list) : m_device(device), m_list(std::move(list)) {}
    ~VulkanRecording() override { m_device.destroy(m_list); }
    const VulkanCommandList& list() const { return m_list; }

private:
    VulkanDevice& m_device;
    VulkanCommandList m_list;
};

Result<std::unique_ptr<Device>> VulkanDevice::open(uint32_t index, const LogSink& log, VulkanTuning tuning,
                                                   const std::function<void(VolkDeviceTable&)>& adjust) {
    auto instance = VulkanInstance::create();
    if (!instance) return instance.error();
    const auto devices = (*instance)->devices();
    if (index >= devices.size())
        return Error{"There is no Vulkan device with number " + std::to_string(index) + "; there are " +
                     std::to_string(devices.size()) + "."};
    if (!devices[index].info.usable) return Error{devices[index].info.reason};
    auto device = std::make_unique<VulkanDevice>();
    VulkanContext& context = device->m_context;
    context.physical = devices[index];
    context.physical.info.reason.clear();
    auto handle = (*instance)->createDevice(context.physical, context.vk);
    if (!handle) return handle.error();
    if (adjust) adjust(context.vk);
    context.instance = std::move(*instance);
    context.device = *handle;
    context.vk.vkGetDeviceQueue(context.device, context.physical.queueFamily, 0, &context.queue);

    const auto& limits = context.physical.properties.limits;
    device->m_limits.largestGroup = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    device->m_limits.sharedBytes = limits.maxComputeSharedMemorySize;
    device->m_limits.subgroupSize = context.physical.subgroupSize;
    device->m_limits.software = context.physical.info.software && tuning == VulkanTuning::AsDevice;
    // Shuffles need whole subgroups inside the 16 pairs of activations that a part reads. A software device reads
    // memory lane by lane, and profits; hardware broadcasts a common address by itself.
    device->m_limits.shuffles = device->m_limits.software && context.physical.subgroupShuffle &&
                                context.physical.subgroupSize >= 4 && context.physical.subgroupSize <= 16;
    device->m_pipelines.open();
    if (!context.failed()) device->m_commands.open();
    if (context.failed()) return Error{context.error};
    const auto grids = device->m_memory.allocate(vulkanGrids().size());
    if (!grids) return grids.error();
    const VulkanMemory::Chunk& chunk = VulkanMemory::chunk(grids->handle);
    device->m_commands.write(chunk, grids->address - chunk.address, vulkanGrids());
    device->m_pipelines.setGrids(grids->address);
    if (log) log(LogLevel::Info, "Vulkan device " + context.physical.info.name + " is open.");
    return std::unique_ptr<Device>(std::move(device));
}

Device::Memory VulkanDevice::memory() const {
    std::lock_guard lock(m_mutex);
    Memory memory;
    memory.totalBytes = m_context.physical.info.memoryBytes;
    memory.freeBytes = m_context.instance->freeBytes(m_context.physical);
    memory.allocatedBytes = m_memory.allocatedBytes();
    return memory;
}

Result<Buffer> VulkanDevice::allocate(uint64_t bytes) {
    std::lock_guard lock(m_mutex);
    if (m_context.failed()) return Error{m_context.error};
    auto piece = m_memory.allocate(bytes);
    if (!piece) return piece.error();
    return Buffer(this, piece->address, bytes, piece->handle);
}

void VulkanDevice::release(uint64_t address, uint64_t bytes, uint64_t handle) {
    std::lock_guard lock(m_mutex);
    m_commands.wait(); // earlier launches may still use it
    m_memory.release(address, bytes, handle);
}

void VulkanDevice::write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) {
    assert(offset <= buffer.bytes() && source.size() <= buffer.bytes() - offset);
    if (source.empty()) return;
    std::lock_guard lock(m_mutex);
    m_commands.write(VulkanMemory::chunk(buffer.handle()), chunkOffset(buffer, offset), source);
}

Result<void> VulkanDevice::read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) {
    assert(offset <= buffer.bytes() && destination.size() <= buffer.bytes() - offset);
    std::lock_guard lock(m_mutex);
    if (!destination.empty())
        m_commands.read(VulkanMemory::chunk(buffer.handle()), chunkOffset(buffer, offset), destination);
    return status();
}

void VulkanDevice::launch(uint32_t op, const void* bytes, size_t size) {
    std::lock_guard lock(m_mutex);
    if (m_context.failed()) return;
    m_commands.launch(describeLaunch(op, bytes, size, m_limits), bytes, size);
}

std::unique_ptr<Recording> VulkanDevice::record(const std::function<void()>& body) {
    std::lock_guard lock(m_mutex);
    if (m_context.failed()) return nullptr;
    m_commands.beginList();
    body();
    auto recording = std::make_unique<VulkanRecording>(*this, m_commands.endList());
    return m_context.failed() ? nullptr : std::move(recording);
}

void VulkanDevice::replay(const Recording& recording) {
    std::lock_guard lock(m_mutex);
    m_commands.replay(static_cast<const VulkanRecording&>(recording).list());
}

Result<void> VulkanDevice::synchronize() {
    std::lock_guard lock(m_mutex);
    m_commands.wait();
    return status();
}

Result<void> VulkanDevice::status() {
    if (!m_context.failed()) return {};
    const Error error{m_context.error};
    if (m_context.passes) {
        m_commands.wait(); // what was submitted; the rest is dropped
        m_context.error.clear();
        m_context.passes = false;
        ++m_losses;
    }
    return error;
}

std::string VulkanDevice::unsupported(uint32_t op, std::optional<TensorType> type) const {
    if (shaderName(op, type)) return {};
    const auto names = ops::AllOps::names();
    if (op >= names.size()) return "there is no op with number " + std::to_string(op);
    if (!type) return "Vulkan has no shader for the op " + std::string(names[op]);
    return "Vulkan has no shader for the op " + std::string(names[op]) + " with tensor type " +
           std::string(steelyard::info(*type).name);
}

Device::WeightLayout VulkanDevice::weightLayout(TensorType type, uint64_t rows, uint64_t columns) const {
    const uint32_t layout = hasTileLayout(type) ? 1 : 0;
    return {layout, vulkanWeightBytes(type, layout, rows, columns)};
}

void VulkanDevice::pack(TensorType type, uint32_t layout, std::span<const uint8_t> source, uint64_t rows,
                        uint64_t columns, std::span<uint8_t> destination) const {
    if (layout == 1)
        packTiles(type, source, rows, columns, destination);
    else
        std::memcpy(destination.data(), source.data(), std::min(source.size(), destination.size()));
}

uint32_t VulkanDevice::attentionSplits(uint32_t rows, uint32_t heads, uint32_t longest) const {
    return vulkanAttentionSplits(rows, heads, longest, m_limits);
}

} // namespace

std::vector<DeviceInfo> listVulkan() {
    DeviceInfo none;
    none.id = "vulkan";
    none.name = "Vulkan";
    none.kind = DeviceKind::Vulkan;
    none.usable = false;
    const auto instance = VulkanInstance::create();
    if (!instance) {
        none.reason = instance.sentence();
        return {none};
    }
    std::vector<DeviceInfo> rows;
    for (const auto& device : (*instance)->devices())
        rows.push_back(device.info);
    if (rows.empty()) {
        none.reason = "Vulkan is installed, but no driver offers a device.";
        return {none};
    }
    return rows;
}

Result<std::unique_ptr<Device>> openVulkan(uint32_t index, const LogSink& log, VulkanTuning tuning,
                                           const std::function<void(VolkDeviceTable&)>& adjust) {
    return VulkanDevice::open(index, log, tuning, adjust);
}

} // namespace steelyard
