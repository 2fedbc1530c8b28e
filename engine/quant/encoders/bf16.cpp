// BF16: the upper half of a single, rounded to nearest even.
#include "engine/quant/encoders.h"

#include "kernels/device/half.h"

namespace steelyard {

void encodeBF16(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    for (uint64_t i = 0; i < count; ++i) {
        const uint16_t bfloat = kernels::floatToBfloat16(values[i]);
        std::memcpy(bytes + i * sizeof bfloat, &bfloat, sizeof bfloat);
    }
}

} // namespace steelyard
