// The paged cache (kernels/ops/cache_layout.h): its constants, where a row lies, how its values are read, and the rounding of what
// is stored there. Where types are constants of a pipeline, what is said of other types vanishes.
#ifndef STEELYARD_CACHE
#define STEELYARD_CACHE
#include "include/op.glsl"
#include "include/codebook.glsl"
#include "quant/f8_e4m3.glsl"

const uint BLOCK_TOKENS = 32u;
const uint CACHE_GROUP = 32u;
const uint CACHE_F32 = 0u;
const uint CACHE_F16 = 1u;
const uint CACHE_Q4_0 = 2u;
const uint CACHE_Q5_1 = 7u;
const uint CACHE_Q8_0 = 8u;
const uint CACHE_IQ4_NL = 20u;
const uint CACHE_BF16 = 30u;
const uint CACHE_MXFP4 = 39u;
const uint CACHE_F8_E4M3 = 200u;

// Bytes of the codes (x) and of the head (y) of 32 values.
uvec2 groupBytes(uint type) {
    if (type == CACHE_F32) return uvec2(128u, 0u);
    if (type == CACHE_F16 || type == CACHE_BF16) return uvec2(64u, 0u);
    if (type == CACHE_F8_E4M3) return uvec2(32u, 0u);
    if (type == CACHE_Q8_0) return uvec2(32u, 2u);
    if (type == CACHE_Q5_1) return uvec2(16u, 8u);
    return uvec2(16u, type == CACHE_MXFP4 ? 1u : 2u);
}
bool isCoded(uint type) { return groupBytes(type).y > 0u; }

// Bytes of one position of one cache head.
uvec2 rowBytes(uint type, uint headDim) {
    const uvec2 group = groupBytes(type);
    return uvec2(group.x * headDim / CACHE_GROUP, group.y * (headDim / CACHE_GROUP));
}

// Addresses of the codes and of the heads of a row.
struct CacheRow { uint64_t codes, heads; };

CacheRow rowAt(uint64_t part, uint type, uint kvHead, uint position, uint headDim) {
    const uvec2 bytes = rowBytes(type, headDim);
    const uint slot = position % BLOCK_TOKENS;
    const uint64_t head = part + uint64_t(kvHead) * (BLOCK_TOKENS * (bytes.x + bytes.y));
    return CacheRow(head + slot * bytes.x, head + BLOCK_TOKENS * bytes.x + slot * bytes.y);
}
// The row `steps` positions further in the same block.
CacheRow rowAfter(CacheRow row, int steps, uvec2 bytes) {
    return CacheRow(row.codes + int64_t(steps) * bytes.x, row.heads + int64_t(steps) * bytes.y);
}

uvec4 bytesOf(uint word) { return uvec4(word, word >> 8, word >> 16, word >> 24) & 255u; }

// Values 4i to 4i + 3 of a row of a coded type.
vec4 loadCodes(CacheRow row, uint type, uint i) {
    const uint group = i / 8u, place = i % 8u;
    ReadWords codes = ReadWords(row.codes);
    if (type == CACHE_Q8_0) {
        const float scale = halfToFloat(uint(ReadHalves(row.heads).v[group]));
        const int word = int(codes.v[i]);
        return scale * vec4((ivec4(word) << ivec4(24, 16, 8, 0)) >> 24);
    }
    const uvec4 nibbles = bytesOf(codes.v[group * 4u + (place & 3u)] >> (place & 4u)) & 15u;
    if (type == CACHE_Q5_1) {
        const vec2 scale = unpackHalf2x16(ReadWords(row.heads).v[2u * group]);
        const uint fifth = ReadWords(row.heads).v[2u * group + 1u] >> (4u * place);
        return fma(scale.xxxx, vec4(nibbles | ((uvec4(fifth) >> uvec4(0u, 1u, 2u, 3u)) & 1u) << 4), scale.yyyy);
    }
    if (type == CACHE_MXFP4) {
        const uint64_t head = row.heads + group;
        const uint exponent = (ReadWords(head & ~3ul).v[0] >> (uint(head & 3ul) * 8u)) & 255u;
        const float scale = uintBitsToFloat(exponent < 2u ? 0x00200000u << exponent : (exponent - 1u) << 23);
        return scale * vec4(float4Value(nibbles.x), float4Value(nibbles.y), float4Value(nibbles.z), float4Value(nibbles.w));
    }
    const float scale = halfToFloat(uint(ReadHalves(row.heads).v[group]));
    if (type == CACHE_Q4_0) return scale * (vec4(nibbles) - 8.0);
    return scale * vec4(nonlinearValue(nibbles.x), nonlinearValue(nibbles.y), nonlinearValue(nibbles.z), nonlinearValue(nibbles.w));
}

// Values 4i to 4i + 3 of a row, or the single value i; the former needs rows of floats and halves that are aligned to 8 bytes.
vec4 loadFour(CacheRow row, uint type, uint i) {
    if (isCoded(type)) return loadCodes(row, type, i);
    if (type == CACHE_F8_E4M3) {
        const uvec4 codes = bytesOf(ReadWords(row.codes).v[i]);
        return vec4(float8ToFloat(codes.x), float8ToFloat(codes.y), float8ToFloat(codes.z), float8ToFloat(codes.w));
    }
    ReadLongs longs = ReadLongs(row.codes);
    if (type == CACHE_F32)
        return uintBitsToFloat(uvec4(unpackUint2x32(longs.v[2u * i]), unpackUint2x32(longs.v[2u * i + 1u])));
    const uvec2 four = unpackUint2x32(longs.v[i]);
    if (type == CACHE_BF16) return uintBitsToFloat(uvec4(four.x << 16, four.x & 0xFFFF0000u, four.y << 16, four.y & 0xFFFF0000u));
    return vec4(unpackHalf2x16(four.x), unpackHalf2x16(four.y));
}
float loadOne(CacheRow row, uint type, uint i) {
    if (type == CACHE_F32) return ReadFloats(row.codes).v[i];
    if (type == CACHE_F16) return halfToFloat(uint(ReadHalves(row.codes).v[i]));
    if (type == CACHE_BF16) return uintBitsToFloat(uint(ReadHalves(row.codes).v[i]) << 16);
    return loadFour(row, type, i / 4u)[i % 4u];
}

// The bfloat16 nearest to a value, ties to even.
uint roundToBfloat(float value) {
    const uint bits = floatBitsToUint(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return bits >> 16 | 0x40u;
    return (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
}

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
