// Eight floats at a time in plain C++, for processors without a header of their own: the compiler makes of it what the
// processor's base instructions allow. The interface is described in simd_avx512.h.
#pragma once

#include "kernels/device/half.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

struct Simd {
    static constexpr uint32_t kLanes = 8;
    static constexpr uint32_t kRowTile = 2;
    static constexpr bool kRowsSideBySide = false;
    static constexpr uint32_t kTileRows = 2, kTileVectors = 2;
    static constexpr int32_t kEightOffset = 0;
    struct Floats {
        float v[kLanes];
    };
    struct Ints {
        int32_t v[kLanes];
    };
    struct Codes {
        uint8_t v[kLanes * 4];
    };

    template <class Each>
    static Floats floats(Each&& each) {
        Floats r;
        for (uint32_t i = 0; i < kLanes; ++i) r.v[i] = each(i);
        return r;
    }
    template <class Each>
    static Ints ints(Each&& each) {
        Ints r;
        for (uint32_t i = 0; i < kLanes; ++i) r.v[i] = each(i);
        return r;
    }
    template <class Each>
    static Codes codes(Each&& each) {
        Codes r;
        for (uint32_t i = 0; i < kLanes * 4; ++i) r.v[i] = static_cast<uint8_t>(each(i));
        return r;
    }
    static uint16_t word(const void* p, uint32_t i) {
        uint16_t value;
        std::memcpy(&value, static_cast<const uint8_t*>(p) + i * 2, 2);
        return value;
    }

    static void prefetch(const void*) {}
    static Floats load(const float* p) { return floats([&](uint32_t i) { return p[i]; }); }
    static Floats loadPartial(const float* p, uint32_t count) {
        return floats([&](uint32_t i) { return i < count ? p[i] : 0.0f; });
    }
    static void store(float* p, const Floats& a) { std::memcpy(p, a.v, sizeof a.v); }
    static void storePartial(float* p, const Floats& a, uint32_t count) { std::memcpy(p, a.v, count * sizeof(float)); }
    static Floats loadHalf(const void* p) {
        return floats([&](uint32_t i) { return steelyard::kernels::halfToFloat(word(p, i)); });
    }
    static void storeHalf(void* p, const Floats& a) {
        for (uint32_t i = 0; i < kLanes; ++i) {
            const uint16_t value = steelyard::kernels::floatToHalf(a.v[i]);
            std::memcpy(static_cast<uint8_t*>(p) + i * 2, &value, 2);
        }
    }
    static Floats setHalf(const void* p) { return set1(steelyard::kernels::halfToFloat(word(p, 0))); }
    static Floats loadBfloat(const void* p) {
        return floats([&](uint32_t i) { return steelyard::kernels::bfloat16ToFloat(word(p, i)); });
    }
    static Floats set1(float value) { return floats([&](uint32_t) { return value; }); }
    static Floats zero() { return set1(0.0f); }
    static Floats add(const Floats& a, const Floats& b) { return floats([&](uint32_t i) { return a.v[i] + b.v[i]; }); }
    static Floats sub(const Floats& a, const Floats& b) { return floats([&](uint32_t i) { return a.v[i] - b.v[i]; }); }
    static Floats mul(const Floats& a, const Floats& b) { return floats([&](uint32_t i) { return a.v[i] * b.v[i]; }); }
    static Floats div(const Floats& a, const Floats& b) { return floats([&](uint32_t i) { return a.v[i] / b.v[i]; }); }
    static Floats fma(const Floats& a, const Floats& b, const Floats& c) {
        return floats([&](uint32_t i) { return a.v[i] * b.v[i] + c.v[i]; });
    }
    static Floats max(const Floats& a, const Floats& b) {
        return floats([&](uint32_t i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
    }
    static Floats min(const Floats& a, const Floats& b) {
        return floats([&](uint32_t i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
    }
    static Floats abs(const Floats& a) { return floats([&](uint32_t i) { return std::fabs(a.v[i]); }); }
    static float sum(const Floats& a) {
        float total = 0.0f;
        for (float value : a.v) total += value;
        return total;
    }
    static float largest(const Floats& a) {
        float most = a.v[0];
        for (float value : a.v) most = value > most ? value : most;
        return most;
    }
    static Floats round(const Floats& a) { return floats([&](uint32_t i) { return std::nearbyint(a.v[i]); }); }
    static Floats powerOf2(const Floats& a) {
        return floats([&](uint32_t i) {
            return steelyard::kernels::bitsToFloat(static_cast<uint32_t>(static_cast<int32_t>(a.v[i]) + 127) << 23);
        });
    }
    static Floats selectLess(const Floats& a, const Floats& b, const Floats& x, const Floats& y) {
        return floats([&](uint32_t i) { return a.v[i] < b.v[i] ? x.v[i] : y.v[i]; });
    }

    static void transpose(const float* in, size_t inStride, float* out, size_t outStride) {
        for (size_t i = 0; i < kLanes; ++i)
            for (size_t j = 0; j < kLanes; ++j) out[j * outStride + i] = in[i * inStride + j];
    }

    static Ints setInt(int32_t value) { return ints([&](uint32_t) { return value; }); }
    static Ints addInt(const Ints& a, const Ints& b) { return ints([&](uint32_t i) { return a.v[i] + b.v[i]; }); }
    static Ints mulInt(const Ints& a, const Ints& b) { return ints([&](uint32_t i) { return a.v[i] * b.v[i]; }); }
    static Floats toFloat(const Ints& a) { return floats([&](uint32_t i) { return static_cast<float>(a.v[i]); }); }
    static Ints toInt(const Floats& a) { return ints([&](uint32_t i) { return static_cast<int32_t>(std::nearbyint(a.v[i])); }); }
    static void storeCodes(int8_t* p, const Ints& a) {
        for (uint32_t i = 0; i < kLanes; ++i) p[i] = static_cast<int8_t>(a.v[i]);
    }
    static Ints loadSigned(const void* p) { return ints([&](uint32_t i) { return static_cast<const int8_t*>(p)[i]; }); }
    static Ints loadUnsigned(const void* p) { return ints([&](uint32_t i) { return static_cast<const uint8_t*>(p)[i]; }); }
    template <int From, int Mask, int To>
    static Ints moveInts(const Ints& a) { return ints([&](uint32_t i) { return ((a.v[i] >> From) & Mask) << To; }); }
    static Floats loadFloat8(const void* p) {
        return floats([&](uint32_t i) {
            return steelyard::kernels::halfToFloat(static_cast<uint16_t>(static_cast<const uint8_t*>(p)[i] << 7));
        });
    }

    static Floats loadSignedFloat8(const void* p) {
        return floats([&](uint32_t i) {
            const uint32_t code = static_cast<const uint8_t*>(p)[i];
            return steelyard::kernels::halfToFloat(static_cast<uint16_t>((code & 128u) << 8 | (code & 127u) << 7));
        });
    }
    static Floats pick(const float* book, const Ints& numbers) { return floats([&](uint32_t i) { return book[numbers.v[i]]; }); }
    static Floats addWhere(const Floats& v, uint32_t bits, const Floats& add) {
        return floats([&](uint32_t i) { return v.v[i] + (bits >> i & 1u ? add.v[i] : 0.0f); });
    }

    static Codes loadCodes(const void* p) {
        Codes r;
        std::memcpy(r.v, p, sizeof r.v);
        return r;
    }
    static Codes lowNibbles(const Codes& a) { return codes([&](uint32_t i) { return a.v[i] & 15; }); }
    static Codes highNibbles(const Codes& a) { return codes([&](uint32_t i) { return a.v[i] >> 4; }); }
    template <int From, int Mask, int To>
    static Codes moveBits(const Codes& a) {
        return codes([&](uint32_t i) { return ((a.v[i] >> From) & Mask) << To; });
    }
    template <int From, int Mask, int To>
    static Codes insertBits(const Codes& base, const Codes& bits) {
        return codes([&](uint32_t i) { return base.v[i] | (((bits.v[i] >> From) & Mask) << To); });
    }
    static Codes lookUp(const Codes& numbers, const int8_t* book) {
        return codes([&](uint32_t i) { return book[numbers.v[i]]; });
    }
    static Codes gather(const uint32_t* words, const Ints& index) {
        Codes r;
        for (uint32_t i = 0; i < kLanes; ++i) std::memcpy(r.v + i * 4, words + index.v[i], 4);
        return r;
    }
    static Codes negate(const Codes& a, const uint8_t* signs) {
        return codes([&](uint32_t i) { return (signs[i / 8] >> (i % 8) & 1) ? -a.v[i] : a.v[i]; });
    }
    static Codes prepareEight(const Codes& a) { return a; }
    static Ints dot(const Ints& sum, const Codes& a, const int8_t* four) {
        return ints([&](uint32_t i) {
            return sum.v[i] + a.v[4 * i] * four[0] + a.v[4 * i + 1] * four[1] + a.v[4 * i + 2] * four[2] + a.v[4 * i + 3] * four[3];
        });
    }
    static Ints dotEight(const Ints& sum, const Codes& a, const int8_t* four) {
        return ints([&](uint32_t i) {
            int32_t total = sum.v[i];
            for (uint32_t j = 0; j < 4; ++j) total += static_cast<int8_t>(a.v[4 * i + j]) * four[j];
            return total;
        });
    }
};

} // namespace
