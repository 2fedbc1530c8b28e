#include "tests/ops/op_case.h"

namespace steelyard::tests {

Result<GuardedBuffer> GuardedBuffer::make(Device& device, const std::vector<uint8_t>& bytes) {
    std::vector<uint8_t> guarded(bytes.size() + 2 * kGuardBytes, kGuardValue);
    std::copy(bytes.begin(), bytes.end(), guarded.begin() + kGuardBytes);
    auto buffer = device.allocate(guarded.size());
    if (!buffer) return buffer.error();
    device.write(*buffer, 0, guarded);
    GuardedBuffer result;
    result.address = buffer->address() + kGuardBytes;
    result.buffer = std::move(*buffer);
    return result;
}

Result<std::vector<uint8_t>> GuardedBuffer::read(Device& device, size_t bytes) const {
    std::vector<uint8_t> guarded(bytes + 2 * kGuardBytes);
    const auto result = device.read(buffer, 0, guarded);
    if (!result) return result.error();
    for (size_t i = 0; i < kGuardBytes; ++i) {
        if (guarded[i] != kGuardValue) return Error{"the op wrote before the array"};
        if (guarded[kGuardBytes + bytes + i] != kGuardValue) return Error{"the op wrote behind the array"};
    }
    return std::vector<uint8_t>(guarded.begin() + kGuardBytes, guarded.end() - kGuardBytes);
}

Activations randomActivations(uint32_t rows, uint32_t depth, uint32_t planes, Random& random, float size) {
    Activations a;
    a.x = random.normals(size_t(rows) * depth, size);
    for (uint32_t i = 0; i < 32; ++i) a.x[i] = 0.0f; // a block of zeros
    a.codes.resize(a.x.size() * planes);
    a.scales.resize(a.x.size() / 32);
    a.sums.resize(a.x.size() / 32);
    const auto address = [](auto& values) { return reinterpret_cast<uint64_t>(values.data()); };
    const ops::QuantizeRows op{address(a.x), address(a.codes), address(a.scales), address(a.sums), rows, depth, planes, 0};
    for (uint32_t row = 0; planes > 0 && row < rows; ++row) compute(op, row);
    return a;
}

std::vector<uint8_t> packedWeight(const Device& device, TensorType type, uint32_t layout, const std::vector<uint8_t>& source,
                                  uint64_t rows, uint64_t columns, uint64_t count) {
    if (layout == 0) return source;
    const uint64_t bytes = device.weightLayout(type, rows, columns).bytes, sourceBytes = source.size() / count;
    std::vector<uint8_t> packed(count * bytes);
    for (uint64_t i = 0; i < count; ++i)
        device.pack(type, layout, std::span(source).subspan(i * sourceBytes, sourceBytes), rows, columns,
                    std::span(packed).subspan(i * bytes, bytes));
    return packed;
}

} // namespace steelyard::tests
