#include "engine/backend/cuda/pinned_ring.h"

#include <algorithm>
#include <cstring>

namespace steelyard {

PinnedRing::~PinnedRing() {
    for (auto event : m_events)
        if (event) m_runtime->destroyEvent(event);
    if (m_memory) m_runtime->releasePinned(m_memory);
}

PinnedRing::Status PinnedRing::open() {
    void* memory = nullptr;
    if (const Status status = m_runtime->allocatePinned(memory, (kSlots + 1) * kSlotBytes)) return status;
    m_memory = static_cast<uint8_t*>(memory);
    for (auto& event : m_events)
        if (const Status status = m_runtime->createEvent(event)) return status;
    return CudaRuntime::kSuccess;
}

PinnedRing::Status PinnedRing::nextSlot(CudaRuntime::Stream stream) {
    if (const Status status = m_runtime->recordEvent(m_events[m_slot], stream)) return status;
    m_inUse[m_slot] = true;
    m_slot = (m_slot + 1) % kSlots;
    m_used = 0;
    return m_inUse[m_slot] ? m_runtime->waitForEvent(m_events[m_slot]) : CudaRuntime::kSuccess;
}

PinnedRing::Status PinnedRing::write(uint64_t address, std::span<const uint8_t> source, CudaRuntime::Stream stream) {
    while (!source.empty()) {
        const uint64_t bytes = std::min<uint64_t>(source.size(), kSlotBytes);
        if (m_used + bytes > kSlotBytes)
            if (const Status status = nextSlot(stream)) return status;
        uint8_t* place = slot(m_slot) + m_used;
        std::memcpy(place, source.data(), bytes);
        if (const Status status = m_runtime->copyToDevice(address, place, bytes, stream)) return status;
        m_used = std::min(kSlotBytes, (m_used + bytes + 255) / 256 * 256);
        address += bytes;
        source = source.subspan(bytes);
    }
    return CudaRuntime::kSuccess;
}

PinnedRing::Status PinnedRing::read(std::span<uint8_t> destination, uint64_t address, CudaRuntime::Stream stream) {
    uint8_t* place = slot(kSlots);
    while (!destination.empty()) {
        const uint64_t bytes = std::min<uint64_t>(destination.size(), kSlotBytes);
        if (const Status status = m_runtime->copyToHost(place, address, bytes, stream)) return status;
        if (const Status status = m_runtime->synchronize(stream)) return status;
        std::memcpy(destination.data(), place, bytes);
        address += bytes;
        destination = destination.subspan(bytes);
    }
    return CudaRuntime::kSuccess;
}

} // namespace steelyard
