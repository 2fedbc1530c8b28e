// One check of one op on one device against the scalar definition of its header, and the means to write it in a few lines.
//
// An OpCheck holds the op's scalars and its arrays. check() puts the arrays into device memory between guard bytes, runs
// the op there, computes the scalar definition on the host, and compares: outputs within a stated tolerance, everything
// else byte by byte. Knows nothing of any particular device.
#pragma once

#include "engine/backend/backend.h"
#include "tests/ops/compare.h"

#include <functional>
#include <string>
#include <vector>

namespace steelyard::tests {

// A row of the test: an op with one shape. `run` gives what is wrong, or nothing.
struct OpCase {
    std::string name;
    uint32_t op = 0;
    std::optional<TensorType> type;
    bool large = false; // hundreds of megabytes: not for the emulator
    std::function<std::string(Device&)> run;
};

constexpr uint64_t kGuardBytes = 256;
constexpr uint8_t kGuardValue = 0xA5;

// Memory of a device that holds `bytes`, with guards before and after.
struct GuardedBuffer {
    Buffer buffer;
    uint64_t address = 0;

    static Result<GuardedBuffer> make(Device& device, const std::vector<uint8_t>& bytes);
    // The bytes now; an error names a device failure or a touched guard.
    Result<std::vector<uint8_t>> read(Device& device, size_t bytes) const;
};

// Weights as the device keeps them: layout 0, or rearranged by Device::pack.
std::vector<uint8_t> packedWeight(const Device& device, TensorType type, uint32_t layout, const std::vector<uint8_t>& source,
                                  uint64_t rows, uint64_t columns);

template <class Op>
class OpCheck {
public:
    explicit OpCheck(const Op& op) : m_op(op) {}

    // An array that the op only reads.
    template <class T>
    OpCheck& input(uint64_t Op::*field, const std::vector<T>& values) {
        return add(field, values, Tolerance{});
    }
    // An array that the op writes (and may read: its values before are given).
    template <class T>
    OpCheck& output(uint64_t Op::*field, const std::vector<T>& values, const Tolerance& tolerance) {
        return add(field, values, tolerance);
    }
    // A field that names the same array as another one.
    OpCheck& same(uint64_t Op::*field, uint64_t Op::*other) {
        for (const auto& binding : m_bindings)
            if (binding.field == other) {
                m_bindings.push_back({field, binding.array});
                break;
            }
        return *this;
    }
    // Says that the array of `field` is a weight that the device keeps in `layout`.
    OpCheck& weight(uint64_t Op::*field, TensorType type, uint32_t layout, uint64_t rows, uint64_t columns) {
        for (const auto& binding : m_bindings)
            if (binding.field == field) m_arrays[binding.array].packing = Packing{type, layout, rows, columns};
        return *this;
    }

    std::string check(Device& device) {
        std::vector<GuardedBuffer> buffers;
        std::vector<std::vector<uint8_t>> kept;
        for (const auto& array : m_arrays) {
            const auto& p = array.packing;
            kept.push_back(p ? packedWeight(device, p->type, p->layout, array.bytes, p->rows, p->columns) : array.bytes);
            auto buffer = GuardedBuffer::make(device, kept.back());
            if (!buffer) return buffer.sentence();
            buffers.push_back(std::move(*buffer));
        }
        device.run(bound([&](size_t array) { return buffers[array].address; }));
        computeOnHost();
        for (size_t i = 0; i < m_arrays.size(); ++i) {
            const auto after = buffers[i].read(device, kept[i].size());
            if (!after) return fieldName(i) + ": " + after.sentence();
            const auto& right = m_arrays[i].packing ? kept[i] : m_arrays[i].bytes;
            const std::string problem = compareBytes(*after, right, m_arrays[i].tolerance);
            if (!problem.empty()) return fieldName(i) + ": " + problem;
        }
        return {};
    }

private:
    struct Packing {
        TensorType type;
        uint32_t layout;
        uint64_t rows, columns;
    };
    struct Array {
        std::vector<uint8_t> bytes;
        Tolerance tolerance;
        std::optional<Packing> packing;
    };
    struct Binding {
        uint64_t Op::*field;
        size_t array;
    };

    template <class T>
    OpCheck& add(uint64_t Op::*field, const std::vector<T>& values, const Tolerance& tolerance) {
        const auto* first = reinterpret_cast<const uint8_t*>(values.data());
        m_bindings.push_back({field, m_arrays.size()});
        m_arrays.push_back({std::vector<uint8_t>(first, first + values.size() * sizeof(T)), tolerance, std::nullopt});
        return *this;
    }
    template <class AddressOf>
    Op bound(AddressOf&& addressOf) const {
        Op op = m_op;
        for (const auto& binding : m_bindings) op.*binding.field = addressOf(binding.array);
        return op;
    }
    // The scalar definition knows layout 0 only, and so do the host's arrays.
    void computeOnHost() {
        Op op = bound([&](size_t array) { return reinterpret_cast<uint64_t>(m_arrays[array].bytes.data()); });
        if constexpr (std::is_same_v<Op, ops::MatMul> || std::is_same_v<Op, ops::GetRows>) op.layout = 0;
        for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
    }
    std::string fieldName(size_t array) const { return "array " + std::to_string(array); }

    Op m_op;
    std::vector<Array> m_arrays;
    std::vector<Binding> m_bindings;
};

// The rows, by file: products, attention, and the ops that work row by row.
std::vector<OpCase> productCases();
std::vector<OpCase> attentionCases();
std::vector<OpCase> rowCases();

} // namespace steelyard::tests
