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

std::vector<uint8_t> packedWeight(const Device& device, TensorType type, uint32_t layout, const std::vector<uint8_t>& source,
                                  uint64_t rows, uint64_t columns) {
    if (layout == 0) return source;
    std::vector<uint8_t> packed(device.weightLayout(type, rows, columns).bytes);
    device.pack(type, layout, source, rows, columns, packed);
    return packed;
}

} // namespace steelyard::tests
