// Device memory. Large buffers have an allocation of their own; small ones share chunks, because drivers allow only a
// few thousand allocations and round each up. Addresses are aligned to 256 bytes. Knows nothing of commands.
#pragma once

#include "engine/backend/vulkan/vulkan_context.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace steelyard {

class VulkanMemory {
public:
    explicit VulkanMemory(VulkanContext& context) : m_context(context) {}
    ~VulkanMemory();
    VulkanMemory(const VulkanMemory&) = delete;
    VulkanMemory& operator=(const VulkanMemory&) = delete;

    // One VkBuffer over one VkDeviceMemory.
    struct Chunk {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        uint64_t address = 0;
        uint64_t bytes = 0;     // usable
        uint64_t allocated = 0; // as the driver rounds it
        uint8_t* mapped = nullptr;
        std::map<uint64_t, uint64_t> free; // gaps of a shared chunk: offset to size
    };
    struct Piece {
        uint64_t address = 0;
        uint64_t handle = 0; // the chunk
    };

    // A piece of device memory, or a sentence with what was asked and what is free.
    Result<Piece> allocate(uint64_t bytes);
    void release(uint64_t address, uint64_t bytes, uint64_t handle);

    // What such pieces, one after the other, would take besides what is allocated; an error as allocate() would give it.
    Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const;

    // A mapped buffer in host memory for copies; for reading back, cached where there is such memory.
    Result<std::unique_ptr<Chunk>> createHostBuffer(uint64_t bytes, bool forReading);
    void destroy(Chunk& chunk);

    // The buffer and offset of an address inside a piece.
    static const Chunk& chunk(uint64_t handle) {
        return *reinterpret_cast<const Chunk*>(static_cast<uintptr_t>(handle));
    }

    uint64_t allocatedBytes() const { return m_allocated; }

private:
    Result<std::unique_ptr<Chunk>> create(uint64_t bytes, VkBufferUsageFlags usage, VkMemoryPropertyFlags required,
                                          VkMemoryPropertyFlags preferred);
    std::optional<uint32_t> memoryType(uint32_t allowed, VkMemoryPropertyFlags required,
                                       VkMemoryPropertyFlags preferred) const;
    Result<std::unique_ptr<Chunk>> createDeviceChunk(uint64_t bytes);
    using Gaps = std::map<uint64_t, uint64_t>; // offset to size
    static std::optional<uint64_t> take(Gaps& free, uint64_t bytes);
    static void giveBack(Gaps& free, uint64_t offset, uint64_t bytes);
    // What the driver makes of the size of a buffer for the device.
    uint64_t rounded(uint64_t bytes) const;
    Error refusal(uint64_t bytes, const std::string& why) const;
    bool tooLarge(uint64_t bytes) const;

    VulkanContext& m_context;
    std::vector<std::unique_ptr<Chunk>> m_shared, m_own;
    uint64_t m_allocated = 0;
    mutable std::map<uint64_t, uint64_t> m_rounded; // sizes that the driver was asked for
};

} // namespace steelyard
