// F16: IEEE halves, rounded to nearest even.
#include "engine/quant/encoders.h"

#include "kernels/device/half.h"

namespace steelyard {

void encodeF16(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    for (uint64_t i = 0; i < count; ++i) {
        const uint16_t half = kernels::floatToHalf(values[i]);
        std::memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}

} // namespace steelyard
