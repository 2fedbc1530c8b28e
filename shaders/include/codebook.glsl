// Four-bit codes that are numbers of a book of sixteen values; twin of kernels/quant/codebook.h. A format defines
// FLOAT4_BOOK before it for the book of the four-bit floating-point formats.
#ifndef STEELYARD_CODEBOOK
#define STEELYARD_CODEBOOK

// Two bits of exponent and one of mantissa, doubled.
float float4Value(uint code) {
    const uint exponent = (code >> 1) & 3u, mantissa = code & 1u;
    const float magnitude = float(exponent == 0u ? mantissa : (2u + mantissa) << (exponent - 1u));
    return (code & 8u) == 0u ? magnitude : -magnitude;
}
float nonlinearValue(uint code) {
    const uint low = code < 4u ? 0xBFAD9881u : 0xF6EADDCFu, high = code < 12u ? 0x26190D01u : 0x71594535u;
    return float(int((code < 8u ? low : high) << (24u - (code & 3u) * 8u)) >> 24);
}

#ifdef VALUES // a format that includes this
#ifdef FLOAT4_BOOK
float bookValue(uint code) { return float4Value(code); }
#else
float bookValue(uint code) { return nonlinearValue(code); }
#endif

// The values of the low (shift 0) or high (shift 4) nibbles of four bytes.
vec4 bookValues(uint w, uint shift) {
    const uvec4 codes = uvec4(nibblesOf(w, shift));
    return vec4(bookValue(codes.x), bookValue(codes.y), bookValue(codes.z), bookValue(codes.w));
}
#endif

#endif
