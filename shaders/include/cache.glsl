// The paged cache's constants (kernels/ops/cache_layout.h) and the rounding of what is stored there.
#ifndef STEELYARD_CACHE
#define STEELYARD_CACHE

const uint BLOCK_TOKENS = 32u;
const uint CACHE_F32 = 0u;
const uint CACHE_F16 = 1u;

// The half nearest to a value, ties to even, by bit work: packHalf2x16 may round either way.
uint roundToHalf(float value) {
    const uint bits = floatBitsToUint(value);
    const uint negative = (bits >> 16) & 0x8000u;
    const uint magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return negative | 0x7E00u;
    if (magnitude >= 0x477FF000u) return negative | 0x7C00u;
    if (magnitude < 0x38800000u) { // subnormal: multiples of 2^-24
        return negative | uint(roundEven(uintBitsToFloat(magnitude) * 16777216.0));
    }
    return negative | ((magnitude + 0xFFFu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13);
}

#endif
