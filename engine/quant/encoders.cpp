#include "engine/quant/encoders.h"

#include <cfloat>

namespace steelyard {

// One per file of encoders/.
void encodeF32(const float* values, const float* importance, uint64_t count, uint8_t* bytes);
void encodeF16(const float* values, const float* importance, uint64_t count, uint8_t* bytes);
void encodeBF16(const float* values, const float* importance, uint64_t count, uint8_t* bytes);
void encodeQ8_0(const float* values, const float* importance, uint64_t count, uint8_t* bytes);

namespace {

constexpr float kLargestHalf = 65504.0f;
constexpr float kLargestBfloat = 3.3895314e38f; // 0x7F7F as bfloat16

constexpr Encoder kEncoders[] = {
    {TensorType::F32, FLT_MAX, encodeF32},
    {TensorType::F16, kLargestHalf, encodeF16},
    {TensorType::BF16, kLargestBfloat, encodeBF16},
    {TensorType::Q8_0, 127 * kLargestHalf, encodeQ8_0},
};

} // namespace

const Encoder* encoderOf(TensorType type) {
    for (const auto& row : kEncoders)
        if (row.type == type) return &row;
    return nullptr;
}

} // namespace steelyard
