#include "engine/backend/cpu/simd_avx512.h"

#include "engine/quant/encoders/encoder_list.h"
#include "engine/quant/encoders/vector_encoders.h"

namespace steelyard {

const VectorEncoders& avx512Encoders() {
    static constexpr VectorEncoders kEncoders{"avx512", kVectorEncoders, decodeF16, decodeBF16};
    return kEncoders;
}

} // namespace steelyard
