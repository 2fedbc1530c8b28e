#include "engine/backend/cuda/runtime_device.h"

#include "engine/backend/cuda/cuda_error.h"
#include "engine/backend/cuda/pinned_ring.h"
#include "engine/core/checked_math.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <thread>

namespace steelyard {

namespace {

// What cudaMalloc rounds to at least.
constexpr uint64_t kAllocationBytes = 512;

class GraphRecording : public Recording {
public:
    GraphRecording(std::shared_ptr<CudaRuntime> runtime, CudaRuntime::Graph graph)
        : m_runtime(std::move(runtime)), m_graph(graph) {}
    ~GraphRecording() override { m_runtime->destroyGraph(m_graph); }
    CudaRuntime::Graph graph() const { return m_graph; }

private:
    std::shared_ptr<CudaRuntime> m_runtime;
    CudaRuntime::Graph m_graph;
};

// All work goes through one stream, so it runs in the order it was made. A lock lets a load write from its own thread; it
// is held for the whole of a recording, so that such a write cannot fall into one.
class RuntimeDevice : public Device {
public:
    using Status = CudaRuntime::Status;

    RuntimeDevice(std::shared_ptr<CudaRuntime> runtime, int index, const DeviceInfo& row)
        : m_runtime(std::move(runtime)), m_index(index), m_info(row), m_ring(m_runtime) {
        m_info.reason.clear();
    }
    ~RuntimeDevice() override {
        enter();
        if (!m_stream) return;
        m_runtime->synchronize(m_stream);
        m_runtime->destroyStream(m_stream);
    }

    Result<void> open() {
        CudaRuntime::Properties properties;
        const auto lock = enter();
        check(m_runtime->properties(m_index, properties), "it was opened");
        m_multiprocessors = properties.multiprocessors;
        if (m_error.empty()) check(m_runtime->createStream(m_stream), "it was opened");
        if (m_error.empty()) check(m_ring.open(), "memory for copies was taken");
        return state();
    }

    const DeviceInfo& info() const override { return m_info; }

    Memory memory() const override {
        Memory memory;
        const std::lock_guard lock(m_mutex);
        memory.allocatedBytes = m_allocated;
        uint64_t freeBytes = 0, totalBytes = 0;
        if (m_runtime->setDevice(m_index) || m_runtime->memoryInfo(freeBytes, totalBytes) || totalBytes == 0) return memory;
        memory.freeBytes = freeBytes;
        memory.totalBytes = totalBytes;
        return memory;
    }

    Result<Buffer> allocate(uint64_t bytes) override {
        const auto lock = enter();
        if (!m_error.empty()) return Error{m_error};
        uint64_t address = 0;
        const auto rounded = checkedAlignUp(std::max<uint64_t>(bytes, 1), kAllocationBytes);
        const Status status = rounded ? m_runtime->allocate(address, *rounded) : CudaRuntime::kOutOfMemory;
        if (status == CudaRuntime::kOutOfMemory) return Error{noRoom(bytes)};
        if (status) {
            check(status, "memory was taken");
            return Error{m_error};
        }
        m_allocated += *rounded;
        return Buffer(this, address, bytes, *rounded);
    }

    Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const override {
        uint64_t sum = 0;
        for (const uint64_t size : sizes) {
            const auto rounded = checkedAlignUp(std::max<uint64_t>(size, 1), kAllocationBytes);
            const auto next = rounded ? checkedAdd(sum, *rounded) : std::nullopt;
            if (!next) return Error{"The model is larger than any memory."};
            sum = *next;
        }
        return sum;
    }

    std::optional<Buffer> adopt(std::span<const uint8_t>) override { return std::nullopt; }

    void release(uint64_t address, uint64_t, uint64_t handle) override {
        const auto lock = enter();
        m_runtime->release(address); // after a failure the runtime refuses; the memory goes with the process's context
        m_allocated -= handle;
    }

    void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) override {
        assert(offset + source.size() <= buffer.bytes());
        const auto lock = enter();
        assert(!m_isRecording);
        if (m_error.empty()) check(m_ring.write(buffer.address() + offset, source, m_stream), "data was written");
    }

    Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) override {
        assert(offset + destination.size() <= buffer.bytes());
        const auto lock = enter();
        assert(!m_isRecording);
        if (m_error.empty()) check(m_ring.read(destination, buffer.address() + offset, m_stream), "a result was read");
        return state();
    }

    void launch(uint32_t op, const void* bytes, size_t) override {
        const auto lock = enter();
        if (!m_error.empty()) return;
        const std::string doing = "the op " + std::string(ops::AllOps::names()[op]) + " was started";
        const char* refusal = nullptr;
        const Status status = m_runtime->launch(op, bytes, m_stream, refusal);
        if (refusal) m_error = m_info.name + " cannot run the op " + ops::AllOps::names()[op] + " here: " + refusal + ".";
        else check(status, doing.c_str());
    }

    std::unique_ptr<Recording> record(const std::function<void()>& body) override {
        const auto lock = enter();
        if (m_error.empty()) check(m_runtime->beginCapture(m_stream), "a recording began");
        if (!m_error.empty()) return nullptr;
        m_isRecording = true;
        body();
        m_isRecording = false;
        CudaRuntime::Graph graph = nullptr;
        const Status status = m_runtime->endCapture(m_stream, graph); // also after an error: the stream must be usable
        if (m_error.empty() && status == CudaRuntime::kOutOfMemory) return nullptr; // the launches can still be made one by one
        if (m_error.empty()) check(status, "a recording ended");
        if (status) return nullptr;
        auto recording = std::make_unique<GraphRecording>(m_runtime, graph);
        if (!m_error.empty()) return nullptr;
        return recording;
    }

    void replay(const Recording& recording) override {
        const auto lock = enter();
        if (!m_error.empty()) return;
        check(m_runtime->launchGraph(static_cast<const GraphRecording&>(recording).graph(), m_stream), "a recording was run");
    }

    Result<void> synchronize() override {
        const auto lock = enter();
        if (m_error.empty()) check(m_runtime->synchronize(m_stream), "it computed");
        return state();
    }

    uint64_t losses() const override { return m_losses; }

    std::string unsupported(uint32_t, std::optional<TensorType> type) const override {
        if (!type || kernels::isSupportedType(static_cast<uint32_t>(*type))) return {};
        return "the tensor type " + std::string(steelyard::info(*type).name) + " is not supported";
    }

    WeightLayout weightLayout(TensorType type, uint64_t rows, uint64_t columns) const override {
        return {0, rows * kernels::rowBytes(static_cast<uint32_t>(type), static_cast<uint32_t>(columns))};
    }

    void pack(TensorType, uint32_t, std::span<const uint8_t> source, uint64_t, uint64_t,
              std::span<uint8_t> destination) const override {
        std::memcpy(destination.data(), source.data(), source.size());
    }

    ops::Activation activationFor(TensorType type) const override {
        const bool isFloat = type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16;
        return isFloat ? ops::Activation::Float : ops::Activation::Int8Pair; // as exact as floats; only the weight's bytes count
    }

    // As many parts as fill the card twice, in powers of two, but none shorter than a segment.
    uint32_t attentionSplits(uint32_t rows, uint32_t heads, uint32_t longest) const override {
        const uint32_t segments = std::bit_ceil(std::max(1u, (longest + ops::kSegmentTokens - 1) / ops::kSegmentTokens));
        const uint32_t blocks = std::max(1u, rows * heads / 2); // neighbouring heads mostly share a block
        return std::min({segments, std::bit_floor(std::max(1u, 2 * m_multiprocessors / blocks)), 1024u});
    }

private:
    // Takes the lock and makes the card the calling thread's own.
    std::unique_lock<std::recursive_mutex> enter() {
        std::unique_lock lock(m_mutex);
        if (m_thread != std::this_thread::get_id()) {
            check(m_runtime->setDevice(m_index), "it was chosen");
            m_thread = std::this_thread::get_id();
        }
        return lock;
    }
    void check(Status status, const char* doing) {
        if (!status || !m_error.empty()) return;
        m_error = cudaSentence(*m_runtime, status, m_info.name, doing);
        m_passes = status == CudaRuntime::kOutOfMemory;
    }
    // Running out of memory is told once, so that it ends one step and no more; all else stays.
    Result<void> state() {
        if (m_error.empty()) return {};
        const Error error{m_error};
        if (m_passes) {
            m_error.clear();
            ++m_losses;
        }
        return error;
    }
    std::string noRoom(uint64_t bytes) const {
        uint64_t freeBytes = 0, totalBytes = 0;
        std::string text = m_info.name + " has no room for " + byteText(bytes);
        if (m_runtime->memoryInfo(freeBytes, totalBytes) == CudaRuntime::kSuccess && totalBytes > 0)
            text += ": " + byteText(freeBytes) + " of " + byteText(totalBytes) + " are free";
        return text + ". Close other programs, or take a smaller model or context.";
    }

    std::shared_ptr<CudaRuntime> m_runtime;
    int m_index;
    DeviceInfo m_info;
    mutable std::recursive_mutex m_mutex;
    std::thread::id m_thread;
    CudaRuntime::Stream m_stream = nullptr;
    PinnedRing m_ring;
    uint32_t m_multiprocessors = 1;
    uint64_t m_allocated = 0;
    bool m_isRecording = false;
    std::string m_error;   // sticks
    bool m_passes = false; // unless it was for want of memory
    std::atomic<uint64_t> m_losses = 0;
};

} // namespace

Result<std::unique_ptr<Device>> openOverRuntime(std::shared_ptr<CudaRuntime> runtime, int index, const DeviceInfo& row) {
    auto device = std::make_unique<RuntimeDevice>(std::move(runtime), index, row);
    const auto opened = device->open();
    if (!opened) return opened.error();
    return std::unique_ptr<Device>(std::move(device));
}

} // namespace steelyard
