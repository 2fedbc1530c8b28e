// What a compute device is to the engine: memory, copies, and ops launched by number.
//
// Addresses are 64-bit device addresses; ops (kernels/ops) hold them and nothing else. There is no method per op: launch
// takes the op's number and bytes. Launches and copies of one device run in the order they were made, and the caller
// never needs a barrier. Errors stick: after one, later launches do nothing and synchronize() returns the sentence until
// the device is rebuilt. Only memory that ran out passes: it is told once, and losses() says that work was lost. A device is used
// by one thread at a time (the engine's); uploads of a load may come from another.
#pragma once

#include "engine/core/result.h"
#include "engine/core/tensor_type.h"
#include "kernels/ops/ops.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace steelyard {

enum class DeviceKind { Cuda, Vulkan, Cpu, Emulated };

struct DeviceInfo {
    std::string id;   // what --device takes: "cpu", "vulkan:0", "cuda:0", "emulated"
    std::string name; // as the driver says
    DeviceKind kind = DeviceKind::Cpu;
    std::optional<uint64_t> memoryBytes, freeBytes;
    bool sharesSystemMemory = false;
    bool software = false;  // a software Vulkan device: used only when asked for
    bool usable = true;
    std::string reason;     // why it is not usable or not preferred; empty for the chosen one
};

class Device;

// Memory of a device; gives it back when destroyed. Move-only.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device* device, uint64_t address, uint64_t bytes, uint64_t handle)
        : m_device(device), m_address(address), m_bytes(bytes), m_handle(handle) {}
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    inline ~Buffer();

    uint64_t address() const { return m_address; } // 0 for an empty buffer
    uint64_t bytes() const { return m_bytes; }
    uint64_t handle() const { return m_handle; } // the backend's own name for it

private:
    void swap(Buffer& other) noexcept {
        std::swap(m_device, other.m_device);
        std::swap(m_address, other.m_address);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_handle, other.m_handle);
    }
    Device* m_device = nullptr;
    uint64_t m_address = 0, m_bytes = 0, m_handle = 0;
};

// A list of launches that can be run again with the same arguments (the contents of buffers may have changed).
class Recording {
public:
    virtual ~Recording() = default;
};

class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const = 0;

    // Memory now: total, free as the driver tells, and what this device object has allocated (as the driver rounds it).
    struct Memory {
        std::optional<uint64_t> totalBytes, freeBytes;
        uint64_t allocatedBytes = 0;
    };
    virtual Memory memory() const = 0;

    // Uninitialised memory, aligned to 256 bytes; the error says what was asked and what is free.
    virtual Result<Buffer> allocate(uint64_t bytes) = 0;
    // What allocations of these sizes, one after the other, would take from the driver beside memory().allocatedBytes, as it
    // rounds them; the error says which is too large for one piece. Takes nothing.
    virtual Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const = 0;
    // Uses host memory in place, without a copy, where the device can (the processor); otherwise nothing. The memory must
    // outlive the buffer.
    virtual std::optional<Buffer> adopt(std::span<const uint8_t> memory) = 0;
    // Called by Buffer only.
    virtual void release(uint64_t address, uint64_t bytes, uint64_t handle) = 0;

    // Copies; offsets and sizes in bytes. Writing returns once `source` may be reused; reading waits for earlier work.
    virtual void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) = 0;
    virtual Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) = 0;

    // Runs an op after all earlier work. While recording, only notes it.
    virtual void launch(uint32_t op, const void* bytes, size_t size) = 0;
    template <class Op>
    void run(const Op& op) {
        launch(ops::opId<Op>, &op, sizeof op);
    }

    // Notes the launches that `body` makes, without running them; null after an error.
    virtual std::unique_ptr<Recording> record(const std::function<void()>& body) = 0;
    virtual void replay(const Recording& recording) = 0;

    // Waits until all work is done; the error, if any.
    virtual Result<void> synchronize() = 0;

    // How often memory ran out and the device went on: each time some of what was launched or written since the last
    // synchronize() that found no error was lost. Who keeps anything of that must make it anew.
    virtual uint64_t losses() const { return 0; }

    // Whether the op works here, for tensor type `type` where the op has one (GetRows, MatMul); empty, or why not.
    virtual std::string unsupported(uint32_t op, std::optional<TensorType> type) const = 0;

    // How a weight is kept: layout 0 is the file's bytes; others are the device's own and need `pack`.
    struct WeightLayout {
        uint32_t layout = 0;
        uint64_t bytes = 0;
    };
    virtual WeightLayout weightLayout(TensorType type, uint64_t rows, uint64_t columns) const = 0;
    // The same for a table that GetRows reads. Where it is the weight's layout, a tied head shares the bytes.
    virtual WeightLayout tableLayout(TensorType type, uint64_t rows, uint64_t columns) const {
        return {0, tensorBytes(type, rows * columns).value_or(0)};
    }
    // Rearranges a weight (whole rows, as in the file) into `destination`, of the bytes that weightLayout said. Any thread.
    virtual void pack(TensorType type, uint32_t layout, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
                      std::span<uint8_t> destination) const = 0;

    // How activations reach a product with a weight of this type; one answer for all integer formats.
    virtual ops::Activation activationFor(TensorType type) const = 0;

    // How many work groups attention may spread a row's positions over, for the longest row of a step; decides the size
    // of Attention::partials. 1 where the device does not split.
    virtual uint32_t attentionSplits(uint32_t rows, uint32_t heads, uint32_t longest) const = 0;
};

inline Buffer::~Buffer() {
    if (m_device) m_device->release(m_address, m_bytes, m_handle);
}

} // namespace steelyard
