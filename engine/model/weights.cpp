#include "engine/model/weights.h"

#include "engine/core/checked_math.h"
#include "engine/core/job_pool.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

namespace steelyard {

namespace {

constexpr uint64_t kPiece = 8u << 20;        // bytes of a write, between two looks at `cancelled`
constexpr uint64_t kSlice = 1u << 20;        // bytes of a job of packing
constexpr uint64_t kSliceRows = 64;          // a multiple of the rows that the processor's layout groups: its slices follow one another
constexpr uint64_t kPackedBytes = 64u << 20; // that wait to be written to a device
constexpr uint64_t kVectorAlignment = 256;   // of each norm or bias in the common buffer

std::string shapeText(uint64_t rows, uint64_t columns) {
    return rows == 1 ? std::to_string(columns) : std::to_string(columns) + " x " + std::to_string(rows);
}

// Values that a vector's tensor must have.
uint64_t tensorValues(const WeightSlot& slot) {
    return slot.selection.period == 0 ? slot.columns / slot.repeat : uint64_t(slot.columns) / slot.selection.count * slot.selection.period;
}

Result<const GgufTensor*> checkedVector(const WeightSlot& slot, const GgufTensor& tensor) {
    if (tensor.columns() * tensor.rows() != tensorValues(slot))
        return Error{"The tensor " + slot.name + " has " + std::to_string(tensor.columns() * tensor.rows()) + " values, expected " +
                     std::to_string(tensorValues(slot)) + "."};
    if (tensor.type == TensorType::F32 || tensor.type == TensorType::F16 || tensor.type == TensorType::BF16) return &tensor;
    return Error{"The tensor " + slot.name + " has type " + std::string(info(tensor.type).name) + ", which a norm or bias cannot have."};
}

uint32_t opOf(const WeightSlot& slot) {
    if (slot.use == WeightUse::Table) return ops::opId<ops::GetRows>;
    return slot.experts > 1 ? ops::opId<ops::ExpertMatMul> : ops::opId<ops::MatMul>;
}

// The tensor of a slot, with shape and type checked.
Result<const GgufTensor*> checkedTensor(const WeightSlot& slot, const GgufFile& file, const Device& device) {
    const GgufTensor* tensor = file.findTensor(slot.name);
    if (!tensor) return Error{"The file has no tensor " + slot.name + "."};
    if (slot.use == WeightUse::Vector) return checkedVector(slot, *tensor);
    if (tensor->columns() != slot.columns || tensor->rows() != slot.tensorRows())
        return Error{"The tensor " + slot.name + " has shape " + shapeText(tensor->rows(), tensor->columns()) + ", expected " +
                     shapeText(slot.tensorRows(), slot.columns) + "."};
    const std::string problem = device.unsupported(opOf(slot), tensor->type);
    if (!problem.empty()) return Error{"The tensor " + slot.name + " cannot be used on " + device.info().name + ": " + problem + "."};
    return tensor;
}

// The layout of so many rows of one matrix of a slot.
Device::WeightLayout layoutOf(const WeightSlot& slot, uint64_t rows, const GgufTensor& tensor, const Device& device) {
    if (slot.use == WeightUse::Table) return device.tableLayout(tensor.type, rows, slot.columns);
    return device.weightLayout(tensor.type, rows, slot.columns);
}

// Where the rows of a slot's matrices lie in its tensor: one run of rows per matrix where each matrix is whole, else many.
struct RowRuns {
    uint64_t first = 0, count = 0, step = 0; // rows: the first run, its length, from run to run
    uint64_t runs = 0;

    explicit RowRuns(const WeightSlot& slot) {
        const auto& selection = slot.selection;
        first = selection.first;
        count = selection.period ? selection.count : slot.rows;
        step = selection.period ? selection.period : slot.rows;
        runs = uint64_t(slot.rows) * slot.experts / count;
    }
    // True when each matrix is one run, so that it can be used where it lies.
    bool whole(const WeightSlot& slot) const { return count == slot.rows; }
};

// Whether the file's bytes serve as they are.
bool usableInPlace(const WeightSlot& slot, const Device::WeightLayout& layout) {
    return layout.layout == 0 && RowRuns(slot).whole(slot);
}

// The tensors that lie on a share's device.
std::vector<WeightSlot> slotsOf(const ModelSpec& spec, const DeviceShare& share, ModelWeights& weights) {
    auto slots = weightSlots(spec, weights);
    slots.erase(std::remove_if(slots.begin(), slots.end(), [&](const auto& slot) { return !share.holds(slot.place); }), slots.end());
    return slots;
}

// The state of one load.
class Loader {
public:
    Loader(const GgufFile& file, Device& device, const std::function<void(float)>& progress, const std::atomic<bool>& cancelled)
        : m_file(file), m_device(device), m_progress(progress), m_cancelled(cancelled) {}

    Result<std::unique_ptr<ModelWeights>> run(const ModelSpec& spec, const DeviceShare& share) {
        auto weights = std::make_unique<ModelWeights>();
        m_weights = weights.get();
        m_weights->parts.assign(m_file.parts().begin(), m_file.parts().end());
        const auto slots = slotsOf(spec, share, *weights);
        for (const auto& slot : slots) {
            const auto tensor = checkedTensor(slot, m_file, m_device);
            if (!tensor) return tensor.error();
            m_totalBytes += (*tensor)->bytes;
        }
        if (auto done = loadVectors(slots); !done) return done.error();
        for (const auto& slot : slots)
            if (slot.use != WeightUse::Vector)
                if (auto done = loadMatrix(slot); !done) return done.error();
        if (auto done = packPlanned(); !done) return done.error();
        if (auto done = m_device.synchronize(); !done) return done.error();
        if (!m_file.stillWhole()) return Error{"The model file changed while it was being read; load it again."};
        return weights;
    }

private:
    // Of the loading thread or of a job; one at a time.
    Result<void> advance(uint64_t bytes) {
        std::lock_guard lock(m_progressMutex);
        m_doneBytes += bytes;
        const auto all = static_cast<double>(std::max<uint64_t>(m_totalBytes, 1));
        if (m_progress) m_progress(static_cast<float>(std::min(static_cast<double>(m_doneBytes) / all, 1.0))); // packed bytes may be more
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
            decodeVector(slot, tensor, values.data() + offset / sizeof(float));
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

    // The values that the slot takes of a tensor.
    void decodeVector(const WeightSlot& slot, const GgufTensor& tensor, float* out) const {
        const uint64_t count = tensorValues(slot);
        std::vector<float> all(count);
        kernels::decodeRow(static_cast<uint32_t>(tensor.type), m_file.data(tensor).data(), static_cast<uint32_t>(count), all.data());
        const auto& selection = slot.selection;
        for (uint64_t i = 0; i < count; ++i)
            if (selection.period == 0 || (i % selection.period >= selection.first && i % selection.period < selection.first + selection.count))
                out = std::fill_n(out, slot.repeat, all[i]);
    }

    Result<void> loadMatrix(const WeightSlot& slot) {
        const GgufTensor& tensor = *m_file.findTensor(slot.name);
        const auto layout = layoutOf(slot, slot.rows, tensor, m_device);
        *slot.matrix = {0, tensor.type, layout.layout, slot.rows, slot.columns, slot.experts, layout.bytes};
        if (usableInPlace(slot, layout) && adoptMatrix(slot, tensor)) return advance(tensor.bytes);
        const Key key{slot.name, layout.layout, slot.selection.first};
        if (const auto loaded = m_loaded.find(key); loaded != m_loaded.end()) {
            slot.matrix->address = loaded->second; // a tied head in the table's layout
            return advance(tensor.bytes);
        }
        auto buffer = m_device.allocate(layout.bytes * slot.experts);
        if (!buffer) return buffer.error();
        slot.matrix->address = m_loaded[key] = buffer->address();
        m_weights->bytes += buffer->bytes();
        m_weights->buffers.push_back(std::move(*buffer));
        for (uint32_t expert = 0; expert < slot.experts; ++expert)
            if (auto done = layout.layout == 0 ? copyMatrix(slot, tensor, layout, expert) : planPacking(slot, tensor, layout, expert); !done)
                return done;
        return {};
    }

    // A matrix in the file's own layout, to the device.
    Result<void> copyMatrix(const WeightSlot& slot, const GgufTensor& tensor, const Device::WeightLayout& layout, uint32_t expert) {
        std::vector<uint8_t> gathered;
        return upload(m_weights->buffers.size() - 1, expert * layout.bytes, rowsOf(slot, tensor, expert, 0, slot.rows, gathered));
    }

    Result<void> upload(size_t buffer, uint64_t offset, std::span<const uint8_t> bytes) {
        for (uint64_t done = 0; done < bytes.size(); done += kPiece) {
            const auto piece = bytes.subspan(done, std::min<uint64_t>(kPiece, bytes.size() - done));
            m_device.write(m_weights->buffers[buffer], offset + done, piece);
            if (auto result = advance(piece.size()); !result) return result;
        }
        return {};
    }

    // Rows of one of a slot's matrices that are to be packed, and where they go. The slot outlives the load.
    struct Packing {
        const WeightSlot* slot;
        const GgufTensor* tensor;
        uint32_t expert, layout;
        uint64_t firstRow, rows;
        size_t buffer; // index into ModelWeights::buffers
        uint64_t offset, bytes;
    };

    // The processor packs slices of a matrix into their place, all at the end; for other devices whole matrices are packed
    // beside each other before they are written, as many as kPackedBytes hold.
    Result<void> planPacking(const WeightSlot& slot, const GgufTensor& tensor, const Device::WeightLayout& layout, uint32_t expert) {
        const uint64_t rowBytes = tensor.bytes / slot.tensorRows();
        const uint64_t slice = packsInPlace() ? alignUp(kSlice / std::max<uint64_t>(rowBytes, 1) + 1, kSliceRows) : slot.rows;
        for (uint64_t first = 0; first < slot.rows; first += slice) {
            const uint64_t rows = std::min<uint64_t>(slice, slot.rows - first);
            const uint64_t begin = first == 0 ? 0 : layoutOf(slot, first, tensor, m_device).bytes;
            const uint64_t bytes = layoutOf(slot, rows, tensor, m_device).bytes;
            m_packings.push_back({&slot, &tensor, expert, layout.layout, first, rows, m_weights->buffers.size() - 1,
                                  expert * layout.bytes + begin, bytes});
            m_packedBytes += bytes;
        }
        return packsInPlace() || m_packedBytes < kPackedBytes ? Result<void>() : packPlanned();
    }

    // Buffers of the processor are memory like any other.
    bool packsInPlace() const { return m_device.info().kind == DeviceKind::Cpu; }

    // Packs what was planned on all processors at once.
    Result<void> packPlanned() {
        std::vector<std::vector<uint8_t>> packed(packsInPlace() ? 0 : m_packings.size());
        m_pool.forEach(m_packings.size(), [&](uint64_t i) {
            const Packing& job = m_packings[i];
            if (m_cancelled) return;
            std::span<uint8_t> target(reinterpret_cast<uint8_t*>(m_weights->buffers[job.buffer].address()) + job.offset, job.bytes);
            if (!packsInPlace()) {
                packed[i].resize(job.bytes);
                target = packed[i];
            }
            std::vector<uint8_t> gathered;
            const auto rows = rowsOf(*job.slot, *job.tensor, job.expert, job.firstRow, job.rows, gathered);
            m_device.pack(job.tensor->type, job.layout, rows, job.rows, job.slot->columns, target);
            if (packsInPlace()) (void)advance(rows.size()).ok(); // a cancel ends the other jobs
        });
        if (m_cancelled) return Error{"The load was cancelled."};
        for (size_t i = 0; i < packed.size(); ++i)
            if (auto done = upload(m_packings[i].buffer, m_packings[i].offset, packed[i]); !done) return done;
        m_packings.clear();
        m_packedBytes = 0;
        return {};
    }

    // Rows of one of a slot's matrices, one after the other: where they lie in the file, or gathered.
    std::span<const uint8_t> rowsOf(const WeightSlot& slot, const GgufTensor& tensor, uint32_t expert, uint64_t firstRow, uint64_t rows,
                                    std::vector<uint8_t>& gathered) const {
        const RowRuns runs(slot);
        const auto data = m_file.data(tensor);
        const uint64_t rowBytes = tensor.bytes / slot.tensorRows();
        const uint64_t runsOfOne = runs.runs / slot.experts;
        if (runsOfOne == 1) return data.subspan((expert * runs.step + runs.first + firstRow) * rowBytes, rows * rowBytes);
        gathered.resize(rows * rowBytes);
        for (uint64_t i = 0; i < rows; ++i) {
            const uint64_t row = firstRow + i, run = expert * runsOfOne + row / runs.count;
            const auto source = data.subspan((run * runs.step + runs.first + row % runs.count) * rowBytes, rowBytes);
            std::copy(source.begin(), source.end(), gathered.begin() + static_cast<std::ptrdiff_t>(i * rowBytes));
        }
        return gathered;
    }

    // Uses the mapped bytes where they lie, if the device can. Each page is touched once, so that the first token does not
    // wait for the disk.
    bool adoptMatrix(const WeightSlot& slot, const GgufTensor& tensor) {
        const auto data = m_file.data(tensor);
        const uint64_t rowBytes = tensor.bytes / slot.tensorRows();
        auto& matrix = *slot.matrix;
        if (const auto known = m_adopted.find(slot.name); known != m_adopted.end()) {
            matrix.address = known->second;
        } else {
            auto adopted = m_device.adopt(data);
            if (!adopted) return false;
            matrix.address = m_adopted[slot.name] = adopted->address();
            touch(data);
            m_weights->bytes += tensor.bytes;
            m_weights->mappedBytes += tensor.bytes;
            m_weights->mappedRanges.push_back({tensor.part, tensor.offset, tensor.bytes});
            m_weights->buffers.push_back(std::move(*adopted));
        }
        const RowRuns runs(slot);
        matrix.address += runs.first * rowBytes;
        matrix.expertStride = runs.step * rowBytes;
        return true;
    }

    static void touch(std::span<const uint8_t> data) {
        constexpr uint64_t kPage = 4096;
        uint8_t touched = 0;
        for (uint64_t at = 0; at < data.size(); at += kPage) touched = static_cast<uint8_t>(touched ^ *static_cast<const volatile uint8_t*>(&data[at]));
    }

    // A loaded matrix: its tensor, layout and first row.
    using Key = std::tuple<std::string, uint32_t, uint32_t>;

    const GgufFile& m_file;
    Device& m_device;
    const std::function<void(float)>& m_progress;
    const std::atomic<bool>& m_cancelled;
    ModelWeights* m_weights = nullptr;
    std::map<Key, uint64_t> m_loaded;          // addresses
    std::map<std::string, uint64_t> m_adopted; // tensors used where the file is mapped
    JobPool m_pool;
    std::vector<Packing> m_packings;
    uint64_t m_packedBytes = 0; // that m_packings will take
    std::mutex m_progressMutex;
    uint64_t m_totalBytes = 0, m_doneBytes = 0;
};

} // namespace

Result<WeightSize> weightSize(const ModelSpec& spec, const GgufFile& file, const Device& device, const DeviceShare& share) {
    ModelWeights none;
    WeightSize size;
    uint64_t vectorBytes = 0;
    std::set<std::string> mapped;
    std::set<std::tuple<std::string, uint32_t, uint32_t>> counted; // tensor, layout, first row
    const bool maps = device.info().kind == DeviceKind::Cpu;
    for (const auto& slot : slotsOf(spec, share, none)) {
        const auto tensor = checkedTensor(slot, file, device);
        if (!tensor) return tensor.error();
        if (slot.use == WeightUse::Vector) {
            vectorBytes = alignUp(vectorBytes, kVectorAlignment) + uint64_t(slot.columns) * sizeof(float);
            continue;
        }
        const auto layout = layoutOf(slot, slot.rows, **tensor, device);
        if (maps && usableInPlace(slot, layout)) {
            if (mapped.insert(slot.name).second) size.mappedBytes += (*tensor)->bytes;
        } else if (counted.insert({slot.name, layout.layout, slot.selection.first}).second) {
            size.allocations.push_back(layout.bytes * slot.experts);
        }
    }
    size.allocations.insert(size.allocations.begin(), std::max<uint64_t>(vectorBytes, 4)); // loadVectors comes first
    size.allocatedBytes = std::accumulate(size.allocations.begin(), size.allocations.end(), uint64_t(0));
    return size;
}

TokenWork workPerToken(const ModelSpec& spec, const GgufFile& file, const DeviceShare& share) {
    ModelWeights none;
    TokenWork work;
    for (const auto& slot : slotsOf(spec, share, none)) {
        const GgufTensor* tensor = file.findTensor(slot.name);
        if (!tensor || slot.use == WeightUse::Table) continue;
        if (slot.use == WeightUse::Vector) {
            work.bytesRead += slot.columns * sizeof(float);
            continue;
        }
        const uint64_t ofMatrix = tensor->bytes / slot.tensorRows() * slot.rows;
        const auto& feedForward = spec.layers[slot.place.layer].feedForward;
        const bool chosen = slot.experts > 1 && slot.place.part == WeightPlace::Part::FeedForward && feedForward && feedForward->experts;
        const uint64_t matrices = chosen ? feedForward->experts->used : slot.experts;
        work.bytesRead += ofMatrix * matrices;
        if (slot.place.part != WeightPlace::Part::Output) work.products += uint64_t(slot.rows) * slot.columns * matrices;
    }
    return work;
}

Result<std::unique_ptr<ModelWeights>> loadWeights(const ModelSpec& spec, const GgufFile& file, Device& device,
                                                  const std::function<void(float)>& progress,
                                                  const std::atomic<bool>& cancelled, const DeviceShare& share) {
    return Loader(file, device, progress, cancelled).run(spec, share);
}

} // namespace steelyard
