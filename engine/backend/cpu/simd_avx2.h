// Eight floats at a time: AVX2 with FMA and F16C; the interface is described in simd_avx512.h. A translation unit that
// defines STEELYARD_AVX_VNNI through its build file gets the dot product instruction of later processors.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace {

struct Simd {
    static constexpr uint32_t kLanes = 8;
    static constexpr uint32_t kTileRows = 4, kTileVectors = 2;
    using Floats = __m256;
    using Ints = __m256i;
    using Codes = __m256i;

    static __m256i first(uint32_t count) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }

    // Always in line: compilers take a function that only prefetches for one without effect.
    [[gnu::always_inline]] static void prefetch(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0); }
    static Floats load(const float* p) { return _mm256_loadu_ps(p); }
    static Floats loadPartial(const float* p, uint32_t count) { return _mm256_maskload_ps(p, first(count)); }
    static void store(float* p, Floats v) { _mm256_storeu_ps(p, v); }
    static void storePartial(float* p, Floats v, uint32_t count) { _mm256_maskstore_ps(p, first(count), v); }
    static Floats loadHalf(const void* p) { return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p))); }
    static void storeHalf(void* p, Floats v) {
        _mm_storeu_si128(static_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
    static Floats setHalf(const void* p) { // of one half
        uint16_t half;
        std::memcpy(&half, p, sizeof half);
        return set1(_cvtsh_ss(half));
    }
    static Floats loadBfloat(const void* p) {
        const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
        return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
    }
    static Floats set1(float v) { return _mm256_set1_ps(v); }
    static Floats zero() { return _mm256_setzero_ps(); }
    static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm256_div_ps(a, b); }
    static Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    static Floats max(Floats a, Floats b) { return _mm256_max_ps(a, b); }
    static Floats min(Floats a, Floats b) { return _mm256_min_ps(a, b); }
    static Floats abs(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
    static float sum(Floats a) {
        __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
        four = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
    }
    static float largest(Floats a) {
        __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
        four = _mm_max_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
    }
    static Floats round(Floats a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static Floats powerOf2(Floats a) {
        const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(a), _mm256_set1_epi32(127));
        return _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
    }
    static Floats selectLess(Floats a, Floats b, Floats x, Floats y) {
        return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
    }

    static void transpose(const float* in, size_t inStride, float* out, size_t outStride) {
        __m256 a[8], b[8];
        for (int i = 0; i < 8; ++i) a[i] = load(in + static_cast<size_t>(i) * inStride);
        for (int i = 0; i < 8; i += 2) {
            b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
            b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
        }
        for (int i = 0; i < 8; i += 4) { // a[i + j] holds columns j and j + 4 of four rows
            a[i] = _mm256_shuffle_ps(b[i], b[i + 2], 0x44);
            a[i + 1] = _mm256_shuffle_ps(b[i], b[i + 2], 0xEE);
            a[i + 2] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0x44);
            a[i + 3] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0xEE);
        }
        for (int j = 0; j < 4; ++j) {
            store(out + static_cast<size_t>(j) * outStride, _mm256_permute2f128_ps(a[j], a[4 + j], 0x20));
            store(out + static_cast<size_t>(j + 4) * outStride, _mm256_permute2f128_ps(a[j], a[4 + j], 0x31));
        }
    }

    static Ints setInt(int32_t v) { return _mm256_set1_epi32(v); }
    static Ints addInt(Ints a, Ints b) { return _mm256_add_epi32(a, b); }
    static Ints mulInt(Ints a, Ints b) { return _mm256_mullo_epi32(a, b); }
    static Floats toFloat(Ints a) { return _mm256_cvtepi32_ps(a); }
    static Ints toInt(Floats a) { return _mm256_cvtps_epi32(a); }
    static void storeCodes(int8_t* p, Ints a) {
        const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packs_epi16(words, words));
    }
    static Ints loadSigned(const void* p) { return _mm256_cvtepi8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p))); }
    static Ints loadUnsigned(const void* p) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p))); }

    template <int From, int Mask, int To>
    static Ints moveInts(Ints v) { return _mm256_slli_epi32(_mm256_and_si256(_mm256_srli_epi32(v, From), _mm256_set1_epi32(Mask)), To); }
    static Floats loadFloat8(const void* p) {
        return _mm256_cvtph_ps(_mm_slli_epi16(_mm_cvtepu8_epi16(_mm_loadl_epi64(static_cast<const __m128i*>(p))), 7));
    }

    static Floats loadSignedFloat8(const void* p) {
        const __m128i wide = _mm_cvtepi8_epi16(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
        return _mm256_cvtph_ps(_mm_and_si128(_mm_slli_epi16(wide, 7), _mm_set1_epi16(static_cast<short>(0xBF80))));
    }
    static Floats pick(const float* book, Ints numbers) {
        const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(book), numbers), high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(book + 8), numbers);
        return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(numbers, 28)));
    }
    static Floats addWhere(Floats v, uint32_t bits, Floats add) {
        const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        const __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), bit), bit);
        return _mm256_add_ps(v, _mm256_and_ps(_mm256_castsi256_ps(set), add));
    }

    static Codes loadCodes(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
    static Codes lowNibbles(Codes v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
    static Codes highNibbles(Codes v) { return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15)); }
    template <int From, int Mask, int To>
    static Codes moveBits(Codes v) {
        Codes moved = v;
        if constexpr (From > To) moved = _mm256_srli_epi16(v, From - To);
        if constexpr (From < To) moved = _mm256_slli_epi16(v, To - From);
        return _mm256_and_si256(moved, _mm256_set1_epi8(static_cast<char>(Mask << To)));
    }
    template <int From, int Mask, int To>
    static Codes insertBits(Codes base, Codes bits) {
        return _mm256_or_si256(base, moveBits<From, Mask, To>(bits));
    }
    static Codes lookUp(Codes numbers, const int8_t* book) {
        return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(book))), numbers);
    }
    static Codes gather(const uint32_t* words, Ints index) {
        return _mm256_i32gather_epi32(reinterpret_cast<const int*>(words), index, 4);
    }
    // Every byte gets the byte that holds its bit, then the bit alone.
    static Codes negate(Codes v, const uint8_t* signs) {
        int32_t bits;
        std::memcpy(&bits, signs, 4);
        const __m256i spread = _mm256_shuffle_epi8(
            _mm256_set1_epi32(bits), _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3));
        const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ull));
        const __m256i negative = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
        return _mm256_sub_epi8(_mm256_xor_si256(v, negative), negative);
    }
    static __m256i broadcast(const int8_t* four) {
        int32_t word;
        std::memcpy(&word, four, 4);
        return _mm256_set1_epi32(word);
    }
#if defined(STEELYARD_AVX_VNNI)
    static constexpr uint32_t kRowTile = 4;
    static constexpr bool kRowsSideBySide = true;
    static constexpr int32_t kEightOffset = 128;
    static Codes prepareEight(Codes v) { return _mm256_xor_si256(v, _mm256_set1_epi8(static_cast<char>(0x80))); }
    static Ints dot(Ints sum, Codes codes, const int8_t* four) { return _mm256_dpbusd_avx_epi32(sum, codes, broadcast(four)); }
    static Ints dotEight(Ints sum, Codes codes, const int8_t* four) { return dot(sum, codes, four); }
#else
    static constexpr uint32_t kRowTile = 3;
    static constexpr bool kRowsSideBySide = false;
    static constexpr int32_t kEightOffset = 0;
    static Codes prepareEight(Codes v) { return v; }
    // Pairs of products are summed in 16 bits: codes of at most 6 bits cannot overflow them.
    static Ints dot(Ints sum, Codes codes, const int8_t* four) {
        const __m256i pairs = _mm256_maddubs_epi16(codes, broadcast(four));
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
    // Signed codes of 8 bits: the sign moves to the other factor, which is never -128.
    static Ints dotEight(Ints sum, Codes codes, const int8_t* four) {
        const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(broadcast(four), codes));
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
#endif
};

} // namespace
