#include "engine/backend/cpu/cpu_device.h"

#include "engine/backend/cpu/cpu_info.h"
#include "engine/backend/cpu/instruction_sets.h"
#include "engine/backend/cpu/op_runner.h"
#include "engine/backend/cpu/panel_layout.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <numeric>

namespace steelyard {

namespace {

constexpr uint64_t kAlignment = 256;
constexpr uint64_t kWholePages = 1u << 20; // from this size on a buffer has pages of its own
constexpr const char* kScalarPath = "scalar";

std::string megabytes(uint64_t bytes) { return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB"; }

class ListRecording : public Recording {
public:
    std::vector<cpu::Launch> launches;
};

class CpuDevice : public Device {
public:
    CpuDevice(uint32_t threads, const cpu::KernelTable* table) : m_info(cpuInfo()), m_runner(threads, table) {}

    const DeviceInfo& info() const override { return m_info; }

    Memory memory() const override {
        const auto system = cpu::systemMemory();
        return {system.totalBytes, system.freeBytes, m_allocated.load()};
    }

    Result<Buffer> allocate(uint64_t bytes) override {
        const auto free = bytes >= kWholePages ? cpu::systemMemory().freeBytes : std::nullopt;
        void* memory = nullptr;
        if (!free || bytes <= *free)
            memory = bytes >= kWholePages ? cpu::allocatePages(bytes) : ::operator new(bytes + 1, std::align_val_t(kAlignment), std::nothrow);
        if (!memory)
            return Error{"The system has no room for " + megabytes(bytes) + (free ? "; " + megabytes(*free) + " are free." : ".")};
        m_allocated += bytes;
        const auto address = reinterpret_cast<uint64_t>(memory);
        return Buffer(this, address, bytes, address);
    }

    Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const override { return std::accumulate(sizes.begin(), sizes.end(), uint64_t(0)); }

    std::optional<Buffer> adopt(std::span<const uint8_t> memory) override {
        return Buffer(this, reinterpret_cast<uint64_t>(memory.data()), memory.size(), 0);
    }

    // An adopted buffer has no handle: its memory belongs to somebody else.
    void release(uint64_t, uint64_t bytes, uint64_t handle) override {
        if (!handle) return;
        m_allocated -= bytes;
        void* memory = reinterpret_cast<void*>(handle);
        if (bytes >= kWholePages) cpu::freePages(memory, bytes);
        else ::operator delete(memory, std::align_val_t(kAlignment));
    }

    void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) override {
        if (source.empty()) return; // no data has no address
        std::memcpy(reinterpret_cast<void*>(buffer.address() + offset), source.data(), source.size());
    }

    Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) override {
        if (!destination.empty()) std::memcpy(destination.data(), reinterpret_cast<const void*>(buffer.address() + offset), destination.size());
        return {};
    }

    void launch(uint32_t op, const void* bytes, size_t size) override {
        cpu::Launch launch{op, {}};
        std::memcpy(launch.bytes, bytes, size);
        if (m_recording) m_recording->launches.push_back(launch);
        else m_runner.run({&launch, 1});
    }

    std::unique_ptr<Recording> record(const std::function<void()>& body) override {
        auto recording = std::make_unique<ListRecording>();
        m_recording = recording.get();
        body();
        m_recording = nullptr;
        return recording;
    }

    void replay(const Recording& recording) override { m_runner.run(static_cast<const ListRecording&>(recording).launches); }

    Result<void> synchronize() override { return {}; }

    std::string unsupported(uint32_t, std::optional<TensorType> type) const override {
        if (type && !kernels::isSupportedType(static_cast<uint32_t>(*type)))
            return "tensor type " + std::string(steelyard::info(*type).name) + " is not supported on the processor";
        return {};
    }

    WeightLayout weightLayout(TensorType type, uint64_t rows, uint64_t columns) const override {
        const auto id = static_cast<uint32_t>(type), depth = static_cast<uint32_t>(columns);
        if (!m_runner.table()) return {0, rows * kernels::rowBytes(id, depth)};
        return {cpu::kPanelLayout, cpu::panelledBytes(id, rows, depth)};
    }

    // A table in panels shares its bytes with a tied head.
    WeightLayout tableLayout(TensorType type, uint64_t rows, uint64_t columns) const override { return weightLayout(type, rows, columns); }

    void pack(TensorType type, uint32_t layout, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
              std::span<uint8_t> destination) const override {
        if (layout != cpu::kPanelLayout) {
            std::memcpy(destination.data(), source.data(), source.size());
            return;
        }
        cpu::packPanels(static_cast<uint32_t>(type), source, rows, static_cast<uint32_t>(columns), destination);
    }

    ops::Activation activationFor(TensorType type) const override {
        const bool isFloat = type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16;
        return isFloat ? ops::Activation::Float : ops::Activation::Int8Pair; // as exact as floats, and only the bytes count
    }

    uint32_t attentionSplits(uint32_t, uint32_t, uint32_t) const override { return 1; } // splits in memory of its own

private:
    DeviceInfo m_info;
    cpu::OpRunner m_runner;
    std::atomic<uint64_t> m_allocated{0};
    ListRecording* m_recording = nullptr;
};

} // namespace

DeviceInfo cpuInfo() {
    DeviceInfo row;
    row.id = "cpu";
    row.name = cpu::processorName();
    if (row.name.empty()) row.name = "Processor";
    row.kind = DeviceKind::Cpu;
    row.sharesSystemMemory = true;
    const auto memory = cpu::systemMemory();
    row.memoryBytes = memory.totalBytes;
    row.freeBytes = memory.freeBytes;
    return row;
}

std::vector<std::string> cpuCodePaths() {
    std::vector<std::string> names;
    for (const auto* table : cpu::availableKernels()) names.emplace_back(table->name);
    names.emplace_back(kScalarPath);
    return names;
}

std::unique_ptr<Device> openCpu(uint32_t threads, bool scalarOnly) { return openCpuPath(threads, scalarOnly ? kScalarPath : ""); }

std::unique_ptr<Device> openCpuPath(uint32_t threads, const std::string& codePath) {
    const auto tables = cpu::availableKernels();
    const cpu::KernelTable* table = tables.front();
    for (const auto* other : tables)
        if (codePath == other->name) table = other;
    if (codePath == kScalarPath) table = nullptr;
    return std::make_unique<CpuDevice>(threads ? threads : cpu::physicalCores(), table);
}

} // namespace steelyard
