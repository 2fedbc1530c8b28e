// Values compared as integers, so that what is no number has a place too.
#ifndef STEELYARD_ORDER
#define STEELYARD_ORDER

// An integer that orders as the value does; 0 for what is no number.
uint orderOf(float value) {
    const uint bits = floatBitsToUint(value == 0.0 ? 0.0 : value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0u;
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

#endif
