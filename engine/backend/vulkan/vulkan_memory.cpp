#include "engine/backend/vulkan/vulkan_memory.h"

#include "engine/core/checked_math.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint64_t kAlignment = 256;
constexpr uint64_t kLargeBytes = 4u << 20;      // from here on a buffer has its own allocation
constexpr uint64_t kFirstChunkBytes = 4u << 20; // shared chunks grow with what is in use, so that little lies idle
constexpr uint64_t kLargestChunkBytes = 64u << 20;

constexpr VkBufferUsageFlags kDeviceUsage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// The next shared chunk, when chunks of so many bytes are in use and a piece finds no gap.
uint64_t nextChunkBytes(uint64_t inUse, uint64_t piece) {
    return std::max(std::clamp(inUse / 4 / kFirstChunkBytes * kFirstChunkBytes, kFirstChunkBytes, kLargestChunkBytes), piece);
}

std::string megabytes(uint64_t bytes) {
    return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

} // namespace

VulkanMemory::~VulkanMemory() {
    for (auto& chunk : m_shared)
        destroy(*chunk);
    for (auto& chunk : m_own)
        destroy(*chunk);
}

std::optional<uint32_t> VulkanMemory::memoryType(uint32_t allowed, VkMemoryPropertyFlags required,
                                                 VkMemoryPropertyFlags preferred) const {
    const auto& memory = m_context.physical.memory;
    for (const VkMemoryPropertyFlags wanted : {required | preferred, required})
        for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
            if ((allowed >> i & 1u) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
    return std::nullopt;
}

Result<std::unique_ptr<VulkanMemory::Chunk>> VulkanMemory::create(uint64_t bytes, VkBufferUsageFlags usage,
                                                                  VkMemoryPropertyFlags required,
                                                                  VkMemoryPropertyFlags preferred) {
    auto& vk = m_context.vk;
    auto chunk = std::make_unique<Chunk>();
    chunk->bytes = bytes;
    VkBufferCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = bytes;
    create.usage = usage;
    VkResult result = vk.vkCreateBuffer(m_context.device, &create, nullptr, &chunk->buffer);
    if (result == VK_SUCCESS) {
        VkMemoryRequirements needs{};
        vk.vkGetBufferMemoryRequirements(m_context.device, chunk->buffer, &needs);
        chunk->allocated = needs.size;
        const auto type = memoryType(needs.memoryTypeBits, required, preferred);
        VkMemoryAllocateFlagsInfo flags{};
        flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        VkMemoryAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        if (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) allocate.pNext = &flags;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = type.value_or(0);
        result = type ? vk.vkAllocateMemory(m_context.device, &allocate, nullptr, &chunk->memory)
                      : VK_ERROR_FEATURE_NOT_PRESENT;
    }
    if (result == VK_SUCCESS) result = vk.vkBindBufferMemory(m_context.device, chunk->buffer, chunk->memory, 0);
    if (result != VK_SUCCESS) {
        chunk->allocated = 0;
        destroy(*chunk);
        return Error{vulkanErrorText(result)};
    }
    m_allocated += chunk->allocated;
    return chunk;
}

void VulkanMemory::destroy(Chunk& chunk) {
    if (chunk.buffer) m_context.vk.vkDestroyBuffer(m_context.device, chunk.buffer, nullptr);
    if (chunk.memory) m_context.vk.vkFreeMemory(m_context.device, chunk.memory, nullptr);
    m_allocated -= chunk.allocated;
    chunk = Chunk{};
}

Result<std::unique_ptr<VulkanMemory::Chunk>> VulkanMemory::createDeviceChunk(uint64_t bytes) {
    auto chunk = create(bytes, kDeviceUsage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
    if (!chunk) return chunk;
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = (*chunk)->buffer;
    (*chunk)->address = m_context.vk.vkGetBufferDeviceAddress(m_context.device, &info);
    if ((*chunk)->address % kAlignment != 0) {
        destroy(**chunk);
        return Error{"the driver gave an address that is not aligned to 256 bytes"};
    }
    return chunk;
}

Result<std::unique_ptr<VulkanMemory::Chunk>> VulkanMemory::createHostBuffer(uint64_t bytes, bool forReading) {
    auto chunk = create(bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                        forReading ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0);
    if (!chunk) return chunk;
    void* mapped = nullptr;
    const VkResult result = m_context.vk.vkMapMemory(m_context.device, (*chunk)->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result != VK_SUCCESS) {
        destroy(**chunk);
        return Error{vulkanErrorText(result)};
    }
    (*chunk)->mapped = static_cast<uint8_t*>(mapped);
    return chunk;
}

// First fit; nothing when no gap is large enough.
std::optional<uint64_t> VulkanMemory::take(Gaps& free, uint64_t bytes) {
    const auto gap = std::find_if(free.begin(), free.end(), [&](const auto& g) { return g.second >= bytes; });
    if (gap == free.end()) return std::nullopt;
    const uint64_t offset = gap->first, rest = gap->second - bytes;
    free.erase(gap);
    if (rest > 0) free[offset + bytes] = rest;
    return offset;
}

void VulkanMemory::giveBack(Gaps& free, uint64_t offset, uint64_t bytes) {
    auto next = free.lower_bound(offset);
    if (next != free.end() && offset + bytes == next->first) {
        bytes += next->second;
        next = free.erase(next);
    }
    if (next != free.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    free[offset] = bytes;
}

Error VulkanMemory::refusal(uint64_t bytes, const std::string& why) const {
    const auto free = m_context.instance->freeBytes(m_context.physical);
    return Error{m_context.physical.info.name + " could not give " + megabytes(bytes) + ": " + why +
                 (free ? " (" + megabytes(*free) + " are free)." : ".")};
}

bool VulkanMemory::tooLarge(uint64_t bytes) const {
    return bytes > m_context.physical.maxBufferBytes || bytes > UINT64_MAX - kAlignment;
}

Result<VulkanMemory::Piece> VulkanMemory::allocate(uint64_t bytes) {
    if (tooLarge(bytes)) return refusal(bytes, "its driver allows at most " + megabytes(m_context.physical.maxBufferBytes) + " in one piece");
    const uint64_t size = alignUp(std::max<uint64_t>(bytes, 1), kAlignment);
    const auto piece = [](Chunk& chunk, uint64_t offset) {
        return Piece{chunk.address + offset, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&chunk))};
    };
    if (size >= kLargeBytes) {
        auto chunk = createDeviceChunk(std::min(size, m_context.physical.maxBufferBytes));
        if (!chunk) return refusal(bytes, chunk.sentence());
        m_own.push_back(std::move(*chunk));
        return piece(*m_own.back(), 0);
    }
    for (auto& chunk : m_shared)
        if (const auto offset = take(chunk->free, size)) return piece(*chunk, *offset);
    uint64_t inUse = 0;
    for (const auto& chunk : m_shared)
        inUse += chunk->bytes;
    auto chunk = createDeviceChunk(nextChunkBytes(inUse, size));
    if (!chunk) chunk = createDeviceChunk(size);
    if (!chunk) return refusal(bytes, chunk.sentence());
    (*chunk)->free[0] = (*chunk)->bytes;
    m_shared.push_back(std::move(*chunk));
    return piece(*m_shared.back(), *take(m_shared.back()->free, size));
}

// allocate() with the gaps of the shared chunks copied, and sizes in place of chunks.
Result<uint64_t> VulkanMemory::bytesTaken(std::span<const uint64_t> sizes) const {
    std::vector<Gaps> shared;
    uint64_t inUse = 0, taken = 0;
    for (const auto& chunk : m_shared) {
        shared.push_back(chunk->free);
        inUse += chunk->bytes;
    }
    for (const uint64_t bytes : sizes) {
        if (tooLarge(bytes)) return refusal(bytes, "its driver allows at most " + megabytes(m_context.physical.maxBufferBytes) + " in one piece");
        const uint64_t size = alignUp(std::max<uint64_t>(bytes, 1), kAlignment);
        if (size >= kLargeBytes) {
            taken += rounded(std::min(size, m_context.physical.maxBufferBytes));
            continue;
        }
        if (std::any_of(shared.begin(), shared.end(), [&](Gaps& free) { return take(free, size).has_value(); })) continue;
        const uint64_t chunk = nextChunkBytes(inUse, size);
        taken += rounded(chunk);
        inUse += chunk;
        shared.push_back({{0, chunk}});
        take(shared.back(), size);
    }
    return taken;
}

uint64_t VulkanMemory::rounded(uint64_t bytes) const {
    uint64_t& known = m_rounded[bytes];
    if (known > 0) return known;
    known = bytes;
    VkBufferCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = bytes;
    create.usage = kDeviceUsage;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (m_context.vk.vkCreateBuffer(m_context.device, &create, nullptr, &buffer) != VK_SUCCESS) return known;
    VkMemoryRequirements needs{};
    m_context.vk.vkGetBufferMemoryRequirements(m_context.device, buffer, &needs);
    m_context.vk.vkDestroyBuffer(m_context.device, buffer, nullptr);
    known = needs.size;
    return known;
}

void VulkanMemory::release(uint64_t address, uint64_t bytes, uint64_t handle) {
    const auto is = [&](const std::unique_ptr<Chunk>& chunk) {
        return reinterpret_cast<uintptr_t>(chunk.get()) == static_cast<uintptr_t>(handle);
    };
    if (const auto own = std::find_if(m_own.begin(), m_own.end(), is); own != m_own.end()) {
        destroy(**own);
        m_own.erase(own);
        return;
    }
    const auto shared = std::find_if(m_shared.begin(), m_shared.end(), is);
    if (shared == m_shared.end()) return;
    Chunk& chunk = **shared;
    giveBack(chunk.free, address - chunk.address, alignUp(std::max<uint64_t>(bytes, 1), kAlignment));
    if (chunk.free.size() == 1 && chunk.free.begin()->second == chunk.bytes) {
        destroy(chunk);
        m_shared.erase(shared);
    }
}

} // namespace steelyard
