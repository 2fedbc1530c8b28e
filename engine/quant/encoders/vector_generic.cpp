#include "engine/backend/cpu/simd_generic.h"

#include "engine/quant/encoders/encoder_list.h"
#include "engine/quant/encoders/vector_encoders.h"

namespace steelyard {

const VectorEncoders& genericEncoders() {
    static constexpr VectorEncoders kEncoders{"generic", kVectorEncoders, decodeF16, decodeBF16};
    return kEncoders;
}

} // namespace steelyard
