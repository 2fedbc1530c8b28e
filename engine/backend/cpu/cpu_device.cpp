#include "engine/backend/cpu/cpu_device.h"

#include "engine/core/checked_math.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace steelyard {

namespace {

class ListRecording : public Recording {
public:
    struct Launch {
        uint32_t op;
        alignas(8) unsigned char bytes[128];
    };
    std::vector<Launch> launches;
};

class CpuDevice : public Device {
public:
    CpuDevice() : m_info(cpuInfo()) {}

    const DeviceInfo& info() const override { return m_info; }
    Memory memory() const override {
        Memory memory;
        memory.totalBytes = m_info.memoryBytes;
        memory.freeBytes = m_info.freeBytes;
        memory.allocatedBytes = m_allocated;
        return memory;
    }
    Result<Buffer> allocate(uint64_t bytes) override {
        void* memory = ::operator new(bytes, std::align_val_t(256), std::nothrow);
        if (!memory) return Error{"The system has no memory left."};
        m_allocated += bytes;
        const auto address = reinterpret_cast<uint64_t>(memory);
        return Buffer(this, address, bytes, address);
    }
    std::optional<Buffer> adopt(std::span<const uint8_t> memory) override {
        return Buffer(this, reinterpret_cast<uint64_t>(memory.data()), memory.size(), 0);
    }
    void release(uint64_t, uint64_t bytes, uint64_t handle) override {
        if (!handle) return;
        m_allocated -= bytes;
        ::operator delete(reinterpret_cast<void*>(handle), std::align_val_t(256));
    }
    void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) override {
        std::memcpy(reinterpret_cast<void*>(buffer.address() + offset), source.data(), source.size());
    }
    Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) override {
        std::memcpy(destination.data(), reinterpret_cast<const void*>(buffer.address() + offset), destination.size());
        return {};
    }
    void launch(uint32_t op, const void* bytes, size_t size) override {
        ListRecording::Launch launch{op, {}};
        std::memcpy(launch.bytes, bytes, size);
        if (m_recording) m_recording->launches.push_back(launch);
        else execute(launch);
    }
    std::unique_ptr<Recording> record(const std::function<void()>& body) override {
        auto recording = std::make_unique<ListRecording>();
        m_recording = recording.get();
        body();
        m_recording = nullptr;
        return recording;
    }
    void replay(const Recording& recording) override {
        for (const auto& launch : static_cast<const ListRecording&>(recording).launches) execute(launch);
    }
    Result<void> synchronize() override { return {}; }
    std::string unsupported(uint32_t, std::optional<TensorType> type) const override {
        if (type && !kernels::isSupportedType(static_cast<uint32_t>(*type)))
            return "tensor type " + std::string(steelyard::info(*type).name) + " is not supported";
        return {};
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
        return isFloat ? ops::Activation::Float : ops::Activation::Int8;
    }
    uint32_t attentionSplits(uint32_t, uint32_t, uint32_t) const override { return 1; }

private:
    void execute(const ListRecording::Launch& launch) {
        ops::AllOps::forEach([&]<class Op>() {
            if (ops::opId<Op> != launch.op) return;
            Op op;
            std::memcpy(&op, launch.bytes, sizeof op);
            for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
        });
    }

    DeviceInfo m_info;
    uint64_t m_allocated = 0;
    ListRecording* m_recording = nullptr;
};

} // namespace

DeviceInfo cpuInfo() {
    DeviceInfo row;
    row.id = "cpu";
    row.name = "Processor";
    row.kind = DeviceKind::Cpu;
    row.sharesSystemMemory = true;
    return row;
}

std::unique_ptr<Device> openCpu(uint32_t, bool) { return std::make_unique<CpuDevice>(); }

} // namespace steelyard
