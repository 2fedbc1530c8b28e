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

template <class Op>
OpCase opCase(const std::string& detail, std::function<std::string(Device&)> run) {
    OpCase row;
    row.name = std::string(Op::name) + " " + detail;
    row.op = ops::opId<Op>;
    row.run = std::move(run);
    return row;
}

// Simple arithmetic, rounded in any order.
constexpr Tolerance kExactSum{Tolerance::Kind::Float, 1e-13, 1e-6};
// Division, square root, exponential and tangent as devices compute them.
constexpr Tolerance kFunction{Tolerance::Kind::Float, 1e-11, 1e-4};
// Sums of up to 2048 products in float32, in any order of blocks.
constexpr Tolerance kProduct{Tolerance::Kind::Float, 1e-10, 1e-4};

// Activations as a product wants them: floats, or codes in so many planes made by the scalar definition.
struct Activations {
    std::vector<float> x;
    std::vector<int8_t> codes;
    std::vector<float> scales, sums;
};
Activations randomActivations(uint32_t rows, uint32_t depth, uint32_t planes, Random& random, float size = 1.0f);

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

// Weights as the device keeps them, `count` matrices one after the other: layout 0, or each rearranged by Device::pack.
std::vector<uint8_t> packedWeight(const Device& device, TensorType type, uint32_t layout, const std::vector<uint8_t>& source,
                                  uint64_t rows, uint64_t columns, uint64_t count = 1);

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
    // Says that the array of `field` is a weight, or `count` of them, that the device keeps in `layout`.
    OpCheck& weight(uint64_t Op::*field, TensorType type, uint32_t layout, uint64_t rows, uint64_t columns, uint64_t count = 1) {
        for (const auto& binding : m_bindings)
            if (binding.field == field) m_arrays[binding.array].packing = Packing{type, layout, rows, columns, count};
        return *this;
    }
    // The activations of a product.
    OpCheck& activations(const Activations& values) {
        if (values.codes.empty()) return input(&Op::x, values.x);
        return input(&Op::x, values.codes).input(&Op::xScales, values.scales).input(&Op::xSums, values.sums);
    }

    std::string check(Device& device) {
        std::vector<GuardedBuffer> buffers;
        std::vector<std::vector<uint8_t>> kept;
        for (const auto& array : m_arrays) {
            const auto& p = array.packing;
            kept.push_back(p ? packedWeight(device, p->type, p->layout, array.bytes, p->rows, p->columns, p->count) : array.bytes);
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
        uint64_t rows, columns, count;
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
        if constexpr (requires { op.layout; }) op.layout = 0;
        if constexpr (requires { op.expertStride; }) op.expertStride = op.outputs * kernels::rowBytes(op.type, op.depth);
        for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
    }
    std::string fieldName(size_t array) const { return "array " + std::to_string(array); }

    Op m_op;
    std::vector<Array> m_arrays;
    std::vector<Binding> m_bindings;
};

// The rows, by file: products, attention, experts, ops that carry a state, hyper-connections and compressed keys, and the ops
// that work row by row.
std::vector<OpCase> productCases();
std::vector<OpCase> attentionCases();
std::vector<OpCase> expertCases();
std::vector<OpCase> stateCases();
std::vector<OpCase> compressedCases();
std::vector<OpCase> rowCases();

} // namespace steelyard::tests
