// A device that shows what its products multiply: it passes everything on to another one, and tells an observer of each
// product's weight and input rows before it runs.
//
// Only over a device whose addresses are the computer's own memory (the processor, the emulated card). Inputs that were
// quantized are shown as they were before. Recordings are lists of its own, so that what is replayed is seen too. Knows
// nothing of models: weights are addresses.
#pragma once

#include "engine/backend/backend.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace steelyard {

// A product of rows with a matrix, or with the matrices that `ids` name.
struct SeenProduct {
    uint64_t weight = 0;
    const float* x = nullptr; // [rows, inputSlots, columns]
    uint32_t rows = 0, columns = 0;
    uint32_t slots = 1, inputSlots = 1; // inputSlots is `slots`, or 1: all slots read the same row
    uint32_t matrices = 1;
    const int32_t* ids = nullptr; // [rows, slots]; null: one matrix after the other
};

class ObservingDevice : public Device {
public:
    using Observer = std::function<void(const SeenProduct&)>;
    ObservingDevice(std::unique_ptr<Device> device, Observer observer) : m_device(std::move(device)), m_observer(std::move(observer)) {}

    const DeviceInfo& info() const override { return m_device->info(); }
    Memory memory() const override { return m_device->memory(); }
    Result<Buffer> allocate(uint64_t bytes) override { return m_device->allocate(bytes); }
    Result<uint64_t> bytesTaken(std::span<const uint64_t> sizes) const override { return m_device->bytesTaken(sizes); }
    std::optional<Buffer> adopt(std::span<const uint8_t> memory) override { return m_device->adopt(memory); }
    void release(uint64_t address, uint64_t bytes, uint64_t handle) override { m_device->release(address, bytes, handle); }
    void write(const Buffer& buffer, uint64_t offset, std::span<const uint8_t> source) override { m_device->write(buffer, offset, source); }
    Result<void> read(const Buffer& buffer, uint64_t offset, std::span<uint8_t> destination) override { return m_device->read(buffer, offset, destination); }
    void launch(uint32_t op, const void* bytes, size_t size) override;
    std::unique_ptr<Recording> record(const std::function<void()>& body) override;
    void replay(const Recording& recording) override;
    Result<void> synchronize() override { return m_device->synchronize(); }
    uint64_t losses() const override { return m_device->losses(); }
    std::string unsupported(uint32_t op, std::optional<TensorType> type) const override { return m_device->unsupported(op, type); }
    WeightLayout weightLayout(TensorType type, uint64_t rows, uint64_t columns) const override { return m_device->weightLayout(type, rows, columns); }
    WeightLayout tableLayout(TensorType type, uint64_t rows, uint64_t columns) const override { return m_device->tableLayout(type, rows, columns); }
    void pack(TensorType type, uint32_t layout, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
              std::span<uint8_t> destination) const override {
        m_device->pack(type, layout, source, rows, columns, destination);
    }
    ops::Activation activationFor(TensorType type) const override { return m_device->activationFor(type); }
    uint32_t attentionSplits(uint32_t rows, uint32_t heads, uint32_t longest) const override { return m_device->attentionSplits(rows, heads, longest); }

private:
    struct Launch {
        uint32_t op;
        std::vector<uint8_t> bytes;
    };
    class List : public Recording {
    public:
        std::vector<Launch> launches;
    };
    void look(uint32_t op, const void* bytes);
    void keep(const ops::QuantizeRows& op);
    const float* floatsOf(ops::Activation activation, uint64_t x) const;

    std::unique_ptr<Device> m_device;
    Observer m_observer;
    List* m_recording = nullptr;                   // that is being made
    std::map<uint64_t, std::vector<float>> m_kept; // by the address of their codes: rows before they were quantized
};

} // namespace steelyard
