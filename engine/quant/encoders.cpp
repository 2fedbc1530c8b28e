#include "engine/quant/encoders.h"

#include "engine/quant/encoders/vector_encoders.h"

#include <cfloat>

namespace steelyard {

// One per file of encoders/, but for those of encoder_list.h.
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

const Encoder* find(std::span<const Encoder> encoders, TensorType type) {
    for (const auto& row : encoders)
        if (row.type == type) return &row;
    return nullptr;
}

} // namespace

const Encoder* encoderOf(TensorType type) {
    if (const Encoder* encoder = find(kEncoders, type)) return encoder;
    static const VectorEncoders* const kBest = availableEncoders().front();
    return find(kBest->encoders, type);
}

} // namespace steelyard
