// F32: the values as they are, little-endian.
#include "engine/quant/encoders.h"

#include <bit>
#include <cstring>

namespace steelyard {

void encodeF32(const float* values, const float*, uint64_t count, uint8_t* bytes) {
    static_assert(std::endian::native == std::endian::little, "the file's byte order is the machine's");
    std::memcpy(bytes, values, count * sizeof(float));
}

} // namespace steelyard
