// Sixteen floats at a time: AVX-512 F, BW, VL, DQ with VNNI. Included only by the translation unit compiled for it; all is
// in an unnamed namespace, so that no code made for these instructions can be linked into the rest of the program.
//
// The interface that all vector headers offer (lanes: kLanes):
//   Floats: load, loadPartial, store, storePartial, loadHalf, setHalf, storeHalf, loadBfloat, set1, zero, add, sub, mul, div, fma
//   (a * b + c), max, min, sum, largest, round, powerOf2, selectLess (a < b ? x : y), abs, transpose; prefetch
//   Ints: setInt, addInt, mulInt, moveInts, toFloat, toInt (nearest), storeCodes (as int8), loadSigned, loadUnsigned (bytes),
//   loadFloat8, loadSignedFloat8, pick (numbers of a book of 16 floats), addWhere
//   Codes (4 bytes per lane): loadCodes, lowNibbles, highNibbles, moveBits, insertBits, lookUp, gather, negate, prepareEight,
//   dot (unsigned codes), dotEight (signed codes after prepareEight)
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace {

struct Simd {
    static constexpr uint32_t kLanes = 16;
    static constexpr uint32_t kRowTile = 4;                   // rows of an integer product that share unpacked codes
    static constexpr bool kRowsSideBySide = true;             // their sums advance together: there are registers for that
    static constexpr uint32_t kTileRows = 6, kTileVectors = 4; // float product
    static constexpr int32_t kEightOffset = 128;              // what prepareEight adds to signed codes
    using Floats = __m512;
    using Ints = __m512i;
    using Codes = __m512i;

    static __mmask16 first(uint32_t count) { return static_cast<__mmask16>((1u << count) - 1u); }

    // Always in line: compilers take a function that only prefetches for one without effect.
    [[gnu::always_inline]] static void prefetch(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0); }
    static Floats load(const float* p) { return _mm512_loadu_ps(p); }
    static Floats loadPartial(const float* p, uint32_t count) { return _mm512_maskz_loadu_ps(first(count), p); }
    static void store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
    static void storePartial(float* p, Floats v, uint32_t count) { _mm512_mask_storeu_ps(p, first(count), v); }
    static Floats loadHalf(const void* p) { return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p))); }
    static void storeHalf(void* p, Floats v) {
        _mm256_storeu_si256(static_cast<__m256i*>(p), _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
    static Floats setHalf(const void* p) { // of one half
        uint16_t half;
        std::memcpy(&half, p, sizeof half);
        return set1(_cvtsh_ss(half));
    }
    static Floats loadBfloat(const void* p) {
        const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
        return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
    }
    static Floats set1(float v) { return _mm512_set1_ps(v); }
    static Floats zero() { return _mm512_setzero_ps(); }
    static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm512_div_ps(a, b); }
    static Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    static Floats max(Floats a, Floats b) { return _mm512_max_ps(a, b); }
    static Floats min(Floats a, Floats b) { return _mm512_min_ps(a, b); }
    static Floats abs(Floats a) { return _mm512_abs_ps(a); }
    static float sum(Floats a) { return _mm512_reduce_add_ps(a); }
    static float largest(Floats a) { return _mm512_reduce_max_ps(a); }
    static Floats round(Floats a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static Floats powerOf2(Floats a) { return _mm512_scalef_ps(set1(1.0f), a); }
    static Floats selectLess(Floats a, Floats b, Floats x, Floats y) {
        return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
    }

    // out[j][i] = in[i][j] for a square of kLanes x kLanes; strides in values
    static void transpose(const float* in, size_t inStride, float* out, size_t outStride) {
        __m512 a[16], b[16];
        for (int i = 0; i < 16; ++i) a[i] = load(in + static_cast<size_t>(i) * inStride);
        for (int i = 0; i < 16; i += 2) { // pairs of rows, single values
            b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
            b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
        }
        for (int i = 0; i < 16; i += 4) { // fours of rows: a[i + j] holds columns j, j + 4, j + 8, j + 12
            a[i] = _mm512_shuffle_ps(b[i], b[i + 2], 0x44);
            a[i + 1] = _mm512_shuffle_ps(b[i], b[i + 2], 0xEE);
            a[i + 2] = _mm512_shuffle_ps(b[i + 1], b[i + 3], 0x44);
            a[i + 3] = _mm512_shuffle_ps(b[i + 1], b[i + 3], 0xEE);
        }
        for (int j = 0; j < 4; ++j) { // 128-bit quarters: b[8h + j] columns j, j + 8; b[8h + 4 + j] columns j + 4, j + 12
            for (int h = 0; h < 2; ++h) {
                b[8 * h + j] = _mm512_shuffle_f32x4(a[8 * h + j], a[8 * h + 4 + j], 0x88);
                b[8 * h + 4 + j] = _mm512_shuffle_f32x4(a[8 * h + j], a[8 * h + 4 + j], 0xDD);
            }
        }
        for (int j = 0; j < 8; ++j) {
            store(out + static_cast<size_t>(j) * outStride, _mm512_shuffle_f32x4(b[j], b[8 + j], 0x88));
            store(out + static_cast<size_t>(j + 8) * outStride, _mm512_shuffle_f32x4(b[j], b[8 + j], 0xDD));
        }
    }

    static Ints setInt(int32_t v) { return _mm512_set1_epi32(v); }
    static Ints addInt(Ints a, Ints b) { return _mm512_add_epi32(a, b); }
    static Ints mulInt(Ints a, Ints b) { return _mm512_mullo_epi32(a, b); }
    static Floats toFloat(Ints a) { return _mm512_cvtepi32_ps(a); }
    static Ints toInt(Floats a) { return _mm512_cvtps_epi32(a); }
    static void storeCodes(int8_t* p, Ints a) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(a)); }
    static Ints loadSigned(const void* p) { return _mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))); }
    static Ints loadUnsigned(const void* p) { return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))); }

    template <int From, int Mask, int To>
    static Ints moveInts(Ints v) { return _mm512_slli_epi32(_mm512_and_si512(_mm512_srli_epi32(v, From), _mm512_set1_epi32(Mask)), To); }
    // Numbers of 4 bits of exponent and 3 of mantissa, times 2^-8.
    static Floats loadFloat8(const void* p) {
        return _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128(static_cast<const __m128i*>(p))), 7));
    }

    // The same with a sign.
    static Floats loadSignedFloat8(const void* p) {
        const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(static_cast<const __m128i*>(p)));
        return _mm512_cvtph_ps(_mm256_and_si256(_mm256_slli_epi16(wide, 7), _mm256_set1_epi16(static_cast<short>(0xBF80))));
    }
    static Floats pick(const float* book, Ints numbers) { return _mm512_permutexvar_ps(numbers, _mm512_loadu_ps(book)); }
    // v + add in the lanes whose bit is set.
    static Floats addWhere(Floats v, uint32_t bits, Floats add) { return _mm512_mask_add_ps(v, static_cast<__mmask16>(bits), v, add); }

    static Codes loadCodes(const void* p) { return _mm512_loadu_si512(p); }
    static Codes lowNibbles(Codes v) { return _mm512_and_si512(v, _mm512_set1_epi8(15)); }
    static Codes highNibbles(Codes v) { return _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(15)); }
    // Bits From.. of each byte, of which Mask tells how many, moved to bit To.
    template <int From, int Mask, int To>
    static Codes moveBits(Codes v) {
        Codes moved = v;
        if constexpr (From > To) moved = _mm512_srli_epi16(v, From - To);
        if constexpr (From < To) moved = _mm512_slli_epi16(v, To - From);
        return _mm512_and_si512(moved, _mm512_set1_epi8(static_cast<char>(Mask << To)));
    }
    // base | bits as moveBits gives them
    template <int From, int Mask, int To>
    static Codes insertBits(Codes base, Codes bits) {
        Codes moved = bits;
        if constexpr (From > To) moved = _mm512_srli_epi16(bits, From - To);
        if constexpr (From < To) moved = _mm512_slli_epi16(bits, To - From);
        return _mm512_ternarylogic_epi32(moved, _mm512_set1_epi8(static_cast<char>(Mask << To)), base, 0xEA); // (a & b) | c
    }
    // The values of a book of 16 in place of their numbers.
    static Codes lookUp(Codes numbers, const int8_t* book) {
        return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(book))), numbers);
    }
    static Codes gather(const uint32_t* words, Ints index) { return _mm512_i32gather_epi32(index, words, 4); }
    // The negative of those codes whose bit is set, four bits for each lane from `signs` on.
    static Codes negate(Codes v, const uint8_t* signs) {
        uint64_t bits;
        std::memcpy(&bits, signs, 8);
        return _mm512_mask_sub_epi8(v, bits, _mm512_setzero_si512(), v);
    }
    static Codes prepareEight(Codes v) { return _mm512_xor_si512(v, _mm512_set1_epi8(static_cast<char>(0x80))); }
    // Adds to each lane the products of its four unsigned codes with the same four signed numbers.
    static Ints dot(Ints sum, Codes codes, const int8_t* four) {
        int32_t word;
        std::memcpy(&word, four, 4);
        return _mm512_dpbusd_epi32(sum, codes, _mm512_set1_epi32(word));
    }
    static Ints dotEight(Ints sum, Codes codes, const int8_t* four) { return dot(sum, codes, four); }
};

} // namespace
