// The queue: launches and copies are recorded into command buffers, submitted in batches and run in order.
//
// A barrier stands between two commands only where one touches what the other writes; every command buffer starts with
// one, so that buffers may follow each other in any order. A submission has a number that a timeline semaphore counts.
// Uploads go through a ring of staging slots, so that the device copies one while the host fills the next.
#pragma once

#include "engine/backend/vulkan/vulkan_memory.h"
#include "engine/backend/vulkan/vulkan_pipelines.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace steelyard {

// Command buffers that can be submitted again.
struct VulkanCommandList {
    VkCommandPool pool = VK_NULL_HANDLE;
    std::vector<VkCommandBuffer> buffers;
};

class VulkanCommands {
public:
    VulkanCommands(VulkanContext& context, VulkanMemory& memory, VulkanPipelines& pipelines);
    ~VulkanCommands();
    VulkanCommands(const VulkanCommands&) = delete;
    VulkanCommands& operator=(const VulkanCommands&) = delete;

    // Creates pools, semaphore and staging memory; a failure is in the context's error.
    void open();

    void launch(const VulkanLaunch& launch, const void* bytes, size_t size);
    void write(const VulkanMemory::Chunk& chunk, uint64_t offset, std::span<const uint8_t> source);
    void read(const VulkanMemory::Chunk& chunk, uint64_t offset, std::span<uint8_t> destination);

    // Launches between these two are noted and not run.
    void beginList();
    VulkanCommandList endList();
    void replay(const VulkanCommandList& list);
    // Waits for its last run and frees it.
    void destroy(VulkanCommandList& list);

    // Submits what is recorded.
    void submit();
    // Submits and waits for everything.
    void wait();

private:
    struct Slot {
        std::unique_ptr<VulkanMemory::Chunk> chunk;
        uint64_t serial = 0; // of the last submission that reads it
        uint64_t used = 0;
    };
    struct Spare {
        VkCommandBuffer buffer;
        uint64_t serial;
    };

    VkCommandBuffer current();
    VkCommandBuffer allocate(VkCommandPool pool);
    void begin(VkCommandBuffer buffer, VkCommandBufferUsageFlags flags);
    void barrier(VkCommandBuffer buffer);
    // Places a barrier where the accesses need one, and notes them.
    void order(VkCommandBuffer buffer, std::span<const VulkanAccess> accesses);
    void dispatch(VkCommandBuffer buffer, const VulkanDispatch& dispatch, const void* bytes, size_t size);
    void submit(std::span<const VkCommandBuffer> buffers);
    void waitFor(uint64_t serial);
    Slot& stagingSlot();

    VulkanContext& m_context;
    VulkanMemory& m_memory;
    VulkanPipelines& m_pipelines;
    VkCommandPool m_pool = VK_NULL_HANDLE;
    VkSemaphore m_timeline = VK_NULL_HANDLE;
    uint64_t m_submitted = 0, m_finished = 0;
    VkCommandBuffer m_current = VK_NULL_HANDLE;
    uint32_t m_launches = 0; // in the current buffer
    double m_work = 0;
    std::vector<VulkanAccess> m_pending; // since the last barrier
    std::vector<Spare> m_spares;
    std::array<Slot, 4> m_slots;
    uint32_t m_slot = 0;
    std::unique_ptr<VulkanMemory::Chunk> m_readBack;
    bool m_noting = false;
    VulkanCommandList m_list;
};

} // namespace steelyard
