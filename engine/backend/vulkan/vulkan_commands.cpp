#include "engine/backend/vulkan/vulkan_commands.h"

#include "engine/core/checked_math.h"

#include <algorithm>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint64_t kStagingBytes = 4u << 20;
// A submission must stay well below the half second after which desktop drivers reset a device.
constexpr uint32_t kLaunchesPerSubmit = 256;
constexpr double kWorkPerSubmit = 20e9;

bool conflicts(const VulkanAccess& a, const VulkanAccess& b) {
    return (a.write || b.write) && a.first < b.end && b.first < a.end;
}

} // namespace

VulkanCommands::VulkanCommands(VulkanContext& context, VulkanMemory& memory, VulkanPipelines& pipelines)
    : m_context(context), m_memory(memory), m_pipelines(pipelines) {}

VulkanCommands::~VulkanCommands() {
    if (!m_context.device) return;
    auto& vk = m_context.vk;
    vk.vkDeviceWaitIdle(m_context.device);
    for (auto& slot : m_slots)
        if (slot.chunk) m_memory.destroy(*slot.chunk);
    if (m_readBack) m_memory.destroy(*m_readBack);
    if (m_list.pool) vk.vkDestroyCommandPool(m_context.device, m_list.pool, nullptr);
    if (m_pool) vk.vkDestroyCommandPool(m_context.device, m_pool, nullptr);
    if (m_timeline) vk.vkDestroySemaphore(m_context.device, m_timeline, nullptr);
}

void VulkanCommands::open() {
    auto& vk = m_context.vk;
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = m_context.physical.queueFamily;
    if (!m_context.check(vk.vkCreateCommandPool(m_context.device, &pool, nullptr, &m_pool))) return;
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo semaphore{};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    semaphore.pNext = &type;
    if (!m_context.check(vk.vkCreateSemaphore(m_context.device, &semaphore, nullptr, &m_timeline))) return;
    const auto host = [&](std::unique_ptr<VulkanMemory::Chunk>& chunk, bool forReading) {
        auto created = m_memory.createHostBuffer(kStagingBytes, forReading);
        if (created)
            chunk = std::move(*created);
        else
            m_context.fail(m_context.physical.info.name + " gave no memory for copies: " + created.sentence() + ".");
    };
    for (auto& slot : m_slots)
        host(slot.chunk, false);
    host(m_readBack, true);
}

VkCommandBuffer VulkanCommands::allocate(VkCommandPool pool) {
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    m_context.check(m_context.vk.vkAllocateCommandBuffers(m_context.device, &allocate, &buffer));
    return buffer;
}

void VulkanCommands::begin(VkCommandBuffer buffer, VkCommandBufferUsageFlags flags) {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = flags;
    if (!m_context.check(m_context.vk.vkBeginCommandBuffer(buffer, &info))) return;
    m_launches = 0;
    m_work = 0;
    barrier(buffer);
}

// The buffer that is being recorded; begins one where none is. Null after an error.
VkCommandBuffer VulkanCommands::current() {
    if (m_context.failed()) return VK_NULL_HANDLE;
    if (m_current) return m_current;
    if (m_noting) {
        m_current = allocate(m_list.pool);
        if (m_current) begin(m_current, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    } else {
        m_context.check(m_context.vk.vkGetSemaphoreCounterValue(m_context.device, m_timeline, &m_finished));
        const auto spare =
            std::find_if(m_spares.begin(), m_spares.end(), [&](const Spare& s) { return s.serial <= m_finished; });
        if (spare != m_spares.end()) {
            m_current = spare->buffer;
            m_spares.erase(spare);
        } else {
            m_current = allocate(m_pool);
        }
        if (m_current) begin(m_current, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        if (m_current && m_context.failed()) m_spares.push_back({m_current, m_submitted});
    }
    if (m_context.failed()) m_current = VK_NULL_HANDLE; // it did not begin
    return m_current;
}

void VulkanCommands::barrier(VkCommandBuffer buffer) {
    constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                            VK_ACCESS_TRANSFER_WRITE_BIT;
    m_context.vk.vkCmdPipelineBarrier(buffer, kStages, kStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    m_pending.clear();
}

void VulkanCommands::order(VkCommandBuffer buffer, std::span<const VulkanAccess> accesses) {
    const bool needed = std::any_of(accesses.begin(), accesses.end(), [&](const VulkanAccess& access) {
        return std::any_of(m_pending.begin(), m_pending.end(),
                           [&](const VulkanAccess& p) { return conflicts(access, p); });
    });
    if (needed) barrier(buffer);
    m_pending.insert(m_pending.end(), accesses.begin(), accesses.end());
}

void VulkanCommands::dispatch(VkCommandBuffer buffer, const VulkanDispatch& dispatch, const void* bytes, size_t size) {
    const VkPipeline pipeline = m_pipelines.get(dispatch);
    if (!pipeline) return;
    auto& vk = m_context.vk;
    vk.vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdPushConstants(buffer, m_pipelines.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<uint32_t>(size),
                          bytes);
    vk.vkCmdDispatch(buffer, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
}

void VulkanCommands::launch(const VulkanLaunch& launch, const void* bytes, size_t size) {
    if (m_context.failed()) return;
    if (!launch.problem.empty()) {
        m_context.fail(m_context.physical.info.name + ": " + launch.problem + ".");
        return;
    }
    const bool full = m_current && (m_launches >= kLaunchesPerSubmit || m_work + launch.work > kWorkPerSubmit);
    if (full) submit();
    const VkCommandBuffer buffer = current();
    if (!buffer) return;
    order(buffer, {launch.accesses.data(), launch.accessCount});
    for (uint32_t i = 0; i < launch.dispatchCount; ++i) {
        if (i > 0) {
            barrier(buffer);
            m_pending.assign(launch.accesses.begin(), launch.accesses.begin() + launch.accessCount);
        }
        dispatch(buffer, launch.dispatches[i], bytes, size);
    }
    ++m_launches;
    m_work += launch.work;
}

void VulkanCommands::submit(std::span<const VkCommandBuffer> buffers) {
    const uint64_t serial = m_submitted + 1;
    VkTimelineSemaphoreSubmitInfo timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &serial;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.pNext = &timeline;
    info.commandBufferCount = static_cast<uint32_t>(buffers.size());
    info.pCommandBuffers = buffers.data();
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &m_timeline;
    if (m_context.check(m_context.vk.vkQueueSubmit(m_context.queue, 1, &info, VK_NULL_HANDLE))) m_submitted = serial;
}

void VulkanCommands::submit() {
    if (!m_current) return;
    const VkCommandBuffer buffer = m_current;
    m_current = VK_NULL_HANDLE;
    const bool whole = m_context.check(m_context.vk.vkEndCommandBuffer(buffer)) && !m_context.failed();
    if (m_noting) {
        if (whole) m_list.buffers.push_back(buffer); // else it goes with its pool
        return;
    }
    if (whole) submit({&buffer, 1});
    m_spares.push_back({buffer, m_submitted});
    if (!whole) return;
    Slot& slot = m_slots[m_slot];
    if (slot.used > 0) slot.serial = m_submitted;
}

void VulkanCommands::waitFor(uint64_t serial) {
    if (m_context.failed()) { // nothing is submitted any more; what still runs must not lose its memory
        m_context.vk.vkDeviceWaitIdle(m_context.device);
        return;
    }
    if (serial <= m_finished) return;
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &m_timeline;
    info.pValues = &serial;
    if (m_context.check(m_context.vk.vkWaitSemaphores(m_context.device, &info, UINT64_MAX))) m_finished = serial;
}

void VulkanCommands::wait() {
    submit();
    waitFor(m_submitted);
}

// The slot that is being filled; moves on to the next when it is full.
VulkanCommands::Slot& VulkanCommands::stagingSlot() {
    if (m_slots[m_slot].used < kStagingBytes) return m_slots[m_slot];
    submit();
    m_slot = (m_slot + 1) % static_cast<uint32_t>(m_slots.size());
    Slot& next = m_slots[m_slot];
    waitFor(next.serial);
    next.used = 0;
    return next;
}

void VulkanCommands::write(const VulkanMemory::Chunk& chunk, uint64_t offset, std::span<const uint8_t> source) {
    while (!source.empty() && !m_context.failed()) {
        Slot& slot = stagingSlot();
        const VkCommandBuffer buffer = current();
        if (!buffer) return;
        const uint64_t size = std::min<uint64_t>(source.size(), kStagingBytes - slot.used);
        std::memcpy(slot.chunk->mapped + slot.used, source.data(), size);
        const uint64_t address = chunk.address + offset;
        const VulkanAccess access{address, address + size, true};
        order(buffer, {&access, 1});
        const VkBufferCopy copy{slot.used, offset, size};
        m_context.vk.vkCmdCopyBuffer(buffer, slot.chunk->buffer, chunk.buffer, 1, &copy);
        slot.used = std::min(kStagingBytes, alignUp(slot.used + size, 16));
        source = source.subspan(size);
        offset += size;
    }
}

void VulkanCommands::read(const VulkanMemory::Chunk& chunk, uint64_t offset, std::span<uint8_t> destination) {
    while (!destination.empty() && !m_context.failed()) {
        const VkCommandBuffer buffer = current();
        if (!buffer) return;
        const uint64_t size = std::min<uint64_t>(destination.size(), kStagingBytes);
        const uint64_t address = chunk.address + offset;
        const VulkanAccess access{address, address + size, false};
        order(buffer, {&access, 1});
        const VkBufferCopy copy{offset, 0, size};
        m_context.vk.vkCmdCopyBuffer(buffer, chunk.buffer, m_readBack->buffer, 1, &copy);
        VkMemoryBarrier toHost{};
        toHost.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        toHost.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        toHost.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        m_context.vk.vkCmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                          &toHost, 0, nullptr, 0, nullptr);
        wait();
        if (m_context.failed()) return;
        std::memcpy(destination.data(), m_readBack->mapped, size);
        destination = destination.subspan(size);
        offset += size;
    }
}

void VulkanCommands::beginList() {
    submit();
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = m_context.physical.queueFamily;
    m_list = {};
    m_context.check(m_context.vk.vkCreateCommandPool(m_context.device, &pool, nullptr, &m_list.pool));
    m_noting = true;
}

VulkanCommandList VulkanCommands::endList() {
    submit();
    m_noting = false;
    VulkanCommandList list;
    std::swap(list, m_list);
    return list;
}

void VulkanCommands::replay(const VulkanCommandList& list) {
    submit();
    if (m_context.failed() || list.buffers.empty()) return;
    submit(list.buffers);
}

void VulkanCommands::destroy(VulkanCommandList& list) {
    waitFor(m_submitted);
    if (list.pool) m_context.vk.vkDestroyCommandPool(m_context.device, list.pool, nullptr);
    list = {};
}

} // namespace steelyard
