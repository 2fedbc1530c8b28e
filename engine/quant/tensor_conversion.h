// A range of a tensor's values as bytes of another type: read, decoded, checked and encoded. Keeps nothing but buffers, of
// which each thread has its own. Knows nothing of where the bytes go.
#pragma once

#include "engine/quant/quantize_plan.h"

#include <vector>

namespace steelyard {

class TensorConversion {
public:
    explicit TensorConversion(const QuantizePlan& plan) : m_plan(plan) {}

    // Values [first, first + count) of a tensor, whole blocks of both types; bytes() has them afterwards.
    Result<void> convert(size_t tensor, uint64_t first, uint64_t count);
    std::span<const uint8_t> bytes() const { return m_bytes; }

private:
    Result<void> check(const GgufTensor& tensor, TensorType type, float largest) const;
    void encode(const GgufTensor& tensor, TensorType type, uint64_t first);

    const QuantizePlan& m_plan;
    std::vector<uint8_t> m_source, m_bytes;
    std::vector<float> m_values;
};

} // namespace steelyard
