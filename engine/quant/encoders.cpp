#include "engine/quant/encoders.h"

#include "engine/quant/encoders/vector_encoders.h"
#include "kernels/quant/formats.h"

#include <bit>
#include <cfloat>
#include <cstring>

namespace steelyard {

namespace {

const VectorEncoders& best() {
    static const VectorEncoders* const kBest = availableEncoders().front();
    return *kBest;
}

void encodeF32(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    static_assert(std::endian::native == std::endian::little, "the file's byte order is the machine's");
    std::memcpy(bytes, values, count * sizeof(float));
}

constexpr Encoder kSingles{TensorType::F32, FLT_MAX, encodeF32};

} // namespace

const Encoder* encoderOf(TensorType type) {
    if (type == TensorType::F32) return &kSingles;
    for (const auto& row : best().encoders)
        if (row.type == type) return &row;
    return nullptr;
}

void decodeValues(TensorType type, const uint8_t* bytes, uint64_t count, float* values) {
    if (type == TensorType::F16) return best().decodeF16(bytes, count, values);
    if (type == TensorType::BF16) return best().decodeBF16(bytes, count, values);
    kernels::decodeRow(static_cast<uint32_t>(type), bytes, static_cast<uint32_t>(count), values);
}

} // namespace steelyard
