// F8_E4M3: one byte per value, of the cache only; layout in kernels/quant/f8_e4m3.cuh.
#ifndef STEELYARD_F8_E4M3
#define STEELYARD_F8_E4M3

float float8ToFloat(uint code) {
    const uint exponent = (code >> 3) & 15u, mantissa = code & 7u;
    const float magnitude = exponent == 0u ? float(mantissa) * 0.001953125 : uintBitsToFloat((exponent + 120u) << 23 | mantissa << 20);
    return (code & 128u) == 0u ? magnitude : -magnitude;
}

uint floatToFloat8(float value) {
    const uint bits = floatBitsToUint(value), negative = (bits >> 24) & 128u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return negative | 0x7Fu;
    if (magnitude >= 0x43E00000u) return negative | 0x7Eu;
    if (magnitude < 0x3C800000u) return negative | uint(roundEven(uintBitsToFloat(magnitude) * 512.0)); // below 2^-6
    return negative | ((magnitude + 0x7FFFFu + ((magnitude >> 20) & 1u) - 0x3C000000u) >> 20);
}

#endif
