// Host memory that the card reads by itself, used in turn: a write is copied here and on its way while the caller goes on.
//
// The memory is cut into slots. Writes fill a slot one after the other; a slot is used again when the card has read all of
// it. Invariant: an event is recorded in a slot when it is left, so the wait before its next use covers its last copy.
#pragma once

#include "engine/backend/cuda/cuda_runtime_table.h"

#include <array>
#include <memory>
#include <span>

namespace steelyard {

class PinnedRing {
public:
    using Status = CudaRuntime::Status;

    explicit PinnedRing(std::shared_ptr<CudaRuntime> runtime) : m_runtime(std::move(runtime)) {}
    ~PinnedRing();
    PinnedRing(const PinnedRing&) = delete;
    PinnedRing& operator=(const PinnedRing&) = delete;

    // Takes the memory; called once.
    Status open();
    // Puts a write on the stream; `source` may be reused at once.
    Status write(uint64_t address, std::span<const uint8_t> source, CudaRuntime::Stream stream);
    // Reads and waits.
    Status read(std::span<uint8_t> destination, uint64_t address, CudaRuntime::Stream stream);

private:
    static constexpr uint64_t kSlotBytes = uint64_t(4) << 20;
    static constexpr size_t kSlots = 4;

    Status nextSlot(CudaRuntime::Stream stream);
    uint8_t* slot(size_t index) const { return m_memory + index * kSlotBytes; }

    std::shared_ptr<CudaRuntime> m_runtime;
    uint8_t* m_memory = nullptr; // kSlots for writing, one for reading
    std::array<CudaRuntime::Event, kSlots> m_events{};
    std::array<bool, kSlots> m_inUse{};
    size_t m_slot = 0;
    uint64_t m_used = 0; // bytes of the current slot
};

} // namespace steelyard
