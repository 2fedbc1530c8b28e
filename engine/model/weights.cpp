#include "engine/model/weights.h"

#include "engine/core/checked_math.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace steelyard {

namespace {

constexpr uint64_t kPiece = 8u << 20;       // bytes between two looks at `cancelled`
constexpr uint64_t kVectorAlignment = 256;  // of each norm or bias in the common buffer

std::string shapeText(uint64_t rows, uint64_t columns) {
    return rows == 1 ? std::to_string(columns) : std::to_string(columns) + " x " + std::to_string(rows);
}

// The tensor of a slot, with shape and type checked.
Result<const GgufTensor*> checkedTensor(const WeightSlot& slot, const GgufFile& file, const Device& device) {
    const GgufTensor* tensor = file.findTensor(slot.name);
    if (!tensor) return Error{"The file has no tensor " + slot.name + "."};
    if (tensor->columns() != slot.columns || tensor->rows() != slot.rows)
        return Error{"The tensor " + slot.name + " has shape " + shapeText(tensor->rows(), tensor->columns()) +
                     ", expected " + shapeText(slot.rows, slot.columns) + "."};
    if (slot.use == WeightUse::Vector) {
        if (tensor->type == TensorType::F32 || tensor->type == TensorType::F16 || tensor->type == TensorType::BF16) return tensor;
        return Error{"The tensor " + slot.name + " has type " + std::string(info(tensor->type).name) + ", which a norm or bias cannot have."};
    }
    const uint32_t op = slot.use == WeightUse::Table ? ops::opId<ops::GetRows> : ops::opId<ops::MatMul>;
    const std::string problem = device.unsupported(op, tensor->type);
    if (!problem.empty()) return Error{"The tensor " + slot.name + " cannot be used on " + device.info().name + ": " + problem + "."};
    return tensor;
}

Device::WeightLayout layoutOf(const WeightSlot& slot, const GgufTensor& tensor, const Device& device) {
    if (slot.use == WeightUse::Table) return device.tableLayout(tensor.type, slot.rows, slot.columns);
    return device.weightLayout(tensor.type, slot.rows, slot.columns);
}

// The state of one load.
class Loader {
public:
    Loader(const GgufFile& file, Device& device, const std::function<void(float)>& progress, const std::atomic<bool>& cancelled)
        : m_file(file), m_device(device), m_progress(progress), m_cancelled(cancelled) {}

    Result<std::unique_ptr<ModelWeights>> run(const ModelSpec& spec) {
        auto weights = std::make_unique<ModelWeights>();
        m_weights = weights.get();
        m_weights->parts.assign(m_file.parts().begin(), m_file.parts().end());
        const auto slots = weightSlots(spec, *weights);
        for (const auto& slot : slots) {
            const auto tensor = checkedTensor(slot, m_file, m_device);
            if (!tensor) return tensor.error();
            m_totalBytes += (*tensor)->bytes;
        }
        if (auto done = loadVectors(slots); !done) return done.error();
        for (const auto& slot : slots)
            if (slot.use != WeightUse::Vector)
                if (auto done = loadMatrix(slot); !done) return done.error();
        if (auto done = m_device.synchronize(); !done) return done.error();
        if (!m_file.stillWhole()) return Error{"The model file changed while it was being read; load it again."};
        return weights;
    }

private:
    Result<void> advance(uint64_t bytes) {
        m_doneBytes += bytes;
        if (m_progress) m_progress(static_cast<float>(static_cast<double>(m_doneBytes) / static_cast<double>(std::max<uint64_t>(m_totalBytes, 1))));
        if (m_cancelled) return Error{"The load was cancelled."};
        return {};
    }

    // All norms and biases as float32 in one buffer.
    Result<void> loadVectors(const std::vector<WeightSlot>& slots) {
        std::vector<float> values;
        std::vector<std::pair<const WeightSlot*, uint64_t>> offsets;
        for (const auto& slot : slots) {
            if (slot.use != WeightUse::Vector) continue;
            const uint64_t offset = alignUp(values.size() * sizeof(float), kVectorAlignment);
            values.resize(offset / sizeof(float) + slot.columns);
            const GgufTensor& tensor = *m_file.findTensor(slot.name);
            kernels::decodeRow(static_cast<uint32_t>(tensor.type), m_file.data(tensor).data(), slot.columns,
                               values.data() + offset / sizeof(float));
            offsets.push_back({&slot, offset});
            m_doneBytes += tensor.bytes;
        }
        auto buffer = m_device.allocate(std::max<uint64_t>(values.size() * sizeof(float), 4));
        if (!buffer) return buffer.error();
        m_device.write(*buffer, 0, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)});
        for (const auto& [slot, offset] : offsets) *slot->vector = {buffer->address() + offset, slot->columns};
        m_weights->bytes += buffer->bytes();
        m_weights->buffers.push_back(std::move(*buffer));
        return {};
    }

    Result<void> loadMatrix(const WeightSlot& slot) {
        const GgufTensor& tensor = *m_file.findTensor(slot.name);
        const auto layout = layoutOf(slot, tensor, m_device);
        *slot.matrix = {0, tensor.type, layout.layout, slot.rows, slot.columns};
        if (const auto loaded = m_tensorAddress.find({slot.name, layout.layout}); loaded != m_tensorAddress.end()) {
            slot.matrix->address = loaded->second; // a tied head in the table's layout
            return advance(tensor.bytes);
        }
        const auto data = m_file.data(tensor);
        if (layout.layout == 0) {
            if (auto adopted = m_device.adopt(data)) return adoptMatrix(slot, tensor, std::move(*adopted));
        }
        auto buffer = m_device.allocate(layout.bytes);
        if (!buffer) return buffer.error();
        slot.matrix->address = buffer->address();
        m_tensorAddress[{slot.name, layout.layout}] = buffer->address();
        if (layout.layout == 0) {
            for (uint64_t offset = 0; offset < data.size(); offset += kPiece) {
                const auto piece = data.subspan(offset, std::min<uint64_t>(kPiece, data.size() - offset));
                m_device.write(*buffer, offset, piece);
                if (auto done = advance(piece.size()); !done) return done;
            }
        } else if (m_device.info().kind == DeviceKind::Cpu) {
            m_device.pack(tensor.type, layout.layout, data, slot.rows, slot.columns,
                          {reinterpret_cast<uint8_t*>(buffer->address()), layout.bytes});
            if (auto done = advance(tensor.bytes); !done) return done;
        } else {
            std::vector<uint8_t> packed(layout.bytes);
            m_device.pack(tensor.type, layout.layout, data, slot.rows, slot.columns, packed);
            m_device.write(*buffer, 0, packed);
            if (auto done = advance(tensor.bytes); !done) return done;
        }
        m_weights->bytes += buffer->bytes();
        m_weights->buffers.push_back(std::move(*buffer));
        return {};
    }

    // Uses the mapped bytes where they lie, and touches each page so that the first token does not wait for the disk.
    Result<void> adoptMatrix(const WeightSlot& slot, const GgufTensor& tensor, Buffer adopted) {
        slot.matrix->address = adopted.address();
        m_tensorAddress[{slot.name, 0}] = adopted.address();
        const auto data = m_file.data(tensor);
        constexpr uint64_t kPage = 4096;
        uint8_t touched = 0;
        for (uint64_t offset = 0; offset < data.size(); offset += kPiece) {
            const uint64_t end = std::min<uint64_t>(offset + kPiece, data.size());
            for (uint64_t at = offset; at < end; at += kPage) touched = static_cast<uint8_t>(touched ^ *static_cast<const volatile uint8_t*>(&data[at]));
            if (auto done = advance(end - offset); !done) return done;
        }
        m_weights->bytes += tensor.bytes;
        m_weights->mappedBytes += tensor.bytes;
        m_weights->mappedRanges.push_back({tensor.part, tensor.offset, tensor.bytes});
        m_weights->buffers.push_back(std::move(adopted));
        return {};
    }

    const GgufFile& m_file;
    Device& m_device;
    const std::function<void(float)>& m_progress;
    const std::atomic<bool>& m_cancelled;
    ModelWeights* m_weights = nullptr;
    std::map<std::pair<std::string, uint32_t>, uint64_t> m_tensorAddress; // by name and layout
    uint64_t m_totalBytes = 0, m_doneBytes = 0;
};

} // namespace

Result<WeightSize> weightSize(const ModelSpec& spec, const GgufFile& file, const Device& device) {
    ModelWeights none;
    WeightSize size;
    uint64_t vectorBytes = 0;
    std::set<std::pair<std::string, uint32_t>> counted; // tensors by name and layout
    const bool mapped = device.info().kind == DeviceKind::Cpu;
    for (const auto& slot : weightSlots(spec, none)) {
        const auto tensor = checkedTensor(slot, file, device);
        if (!tensor) return tensor.error();
        if (slot.use == WeightUse::Vector) {
            vectorBytes = alignUp(vectorBytes, kVectorAlignment) + uint64_t(slot.columns) * sizeof(float);
            continue;
        }
        const auto layout = layoutOf(slot, **tensor, device);
        if (!counted.insert({slot.name, layout.layout}).second) continue;
        if (layout.layout == 0 && mapped) size.mappedBytes += layout.bytes;
        else size.allocatedBytes += layout.bytes;
    }
    size.allocatedBytes += vectorBytes;
    return size;
}

Result<std::unique_ptr<ModelWeights>> loadWeights(const ModelSpec& spec, const GgufFile& file, Device& device,
                                                  const std::function<void(float)>& progress,
                                                  const std::atomic<bool>& cancelled) {
    return Loader(file, device, progress, cancelled).run(spec);
}

} // namespace steelyard
