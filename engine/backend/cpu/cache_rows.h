// Rows of the paged cache of any type as vectors of floats.
//
// A row becomes whole vectors; what lies beyond its values is zero. Coded types are decoded as their formats say
// (kernels/quant), a group of 32 at a time. Included after a vector header, by the translation units of one instruction set each.
#pragma once

#include "engine/backend/cpu/vector_math.h"

namespace {

using namespace steelyard;

// The numbers that the sixteen codes of a type stand for.
struct CacheBook {
    float values[16];
};
template <class Format>
constexpr CacheBook bookOf() {
    CacheBook book{};
    for (int i = 0; i < 16; ++i) book.values[i] = Format::Book::values[i];
    return book;
}

struct CacheRows {
    using Floats = Simd::Floats;
    using Ints = Simd::Ints;
    static constexpr uint32_t kLanes = Simd::kLanes;
    static constexpr uint32_t kGroup = ops::kCacheGroup;

    static void read(ops::CacheType type, const ops::CacheRow& row, uint32_t count, float* out) {
        switch (type) {
        case ops::CacheType::F32: readValues<4>(row.codes, count, out, [](const uint8_t* p) { return loadFloats(p); }); break;
        case ops::CacheType::F16: readValues<2>(row.codes, count, out, [](const uint8_t* p) { return Simd::loadHalf(p); }); break;
        case ops::CacheType::BF16: readValues<2>(row.codes, count, out, [](const uint8_t* p) { return Simd::loadBfloat(p); }); break;
        case ops::CacheType::F8_E4M3: { // the loaded numbers are 2^-8 of the values
            const Floats factor = Simd::set1(256.0f);
            readValues<1>(row.codes, count, out, [=](const uint8_t* p) { return Simd::mul(Simd::loadSignedFloat8(p), factor); });
            break;
        }
        case ops::CacheType::Q8_0: readEights(row, count, out); break;
        case ops::CacheType::Q5_1: readFifths(row, count, out); break;
        case ops::CacheType::IQ4_NL: readNibbles<2>(row, count, out, kNonlinear, [](const uint8_t* head) { return Simd::setHalf(head); }); break;
        case ops::CacheType::Q4_0: readNibbles<2>(row, count, out, kEven, [](const uint8_t* head) { return Simd::setHalf(head); }); break;
        case ops::CacheType::MXFP4: readNibbles<1>(row, count, out, kFloat4, [](const uint8_t* head) { return powerOf(*head); }); break;
        }
    }

private:
    static constexpr CacheBook kEven{{-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7}};
    static constexpr CacheBook kNonlinear = bookOf<kernels::IQ4_NL>(), kFloat4 = bookOf<kernels::MXFP4>();

    static Floats loadFloats(const uint8_t* p) {
        float values[kLanes];
        std::memcpy(values, p, sizeof values);
        return Simd::load(values);
    }
    static Floats powerOf(uint32_t exponent) {
        const uint32_t bits = exponent < 2 ? 0x00200000u << exponent : (exponent - 1u) << 23;
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return Simd::set1(value);
    }

    template <uint32_t kBytes, class Load>
    static void readValues(const uint8_t* source, uint32_t count, float* out, Load&& load) {
        uint32_t i = 0;
        for (; i + kLanes <= count; i += kLanes) Simd::store(out + i, load(source + i * kBytes));
        if (i == count) return;
        uint8_t last[kLanes * kBytes] = {};
        std::memcpy(last, source + i * kBytes, (count - i) * kBytes);
        Simd::store(out + i, load(last));
    }

    static void readEights(const ops::CacheRow& row, uint32_t count, float* out) {
        for (uint32_t group = 0; group < count / kGroup; ++group) {
            const Floats factor = Simd::setHalf(row.heads + group * 2);
            for (uint32_t i = group * kGroup; i < (group + 1) * kGroup; i += kLanes)
                Simd::store(out + i, Simd::mul(factor, Simd::toFloat(Simd::loadSigned(row.codes + i))));
        }
    }

    template <uint32_t kHead, class Scale>
    static void readNibbles(const ops::CacheRow& row, uint32_t count, float* out, const CacheBook& book, Scale&& scaleOf) {
        for (uint32_t group = 0; group < count / kGroup; ++group) {
            const Floats factor = scaleOf(row.heads + group * kHead);
            const uint8_t* codes = row.codes + group * kGroup / 2;
            float* values = out + group * kGroup;
            for (uint32_t i = 0; i < kGroup / 2; i += kLanes) {
                const Ints both = Simd::loadUnsigned(codes + i);
                Simd::store(values + i, Simd::mul(factor, Simd::pick(book.values, Simd::moveInts<0, 15, 0>(both))));
                Simd::store(values + kGroup / 2 + i, Simd::mul(factor, Simd::pick(book.values, Simd::moveInts<4, 15, 0>(both))));
            }
        }
    }

    static void readFifths(const ops::CacheRow& row, uint32_t count, float* out) {
        const Floats sixteen = Simd::set1(16.0f);
        for (uint32_t group = 0; group < count / kGroup; ++group) {
            const uint8_t *head = row.heads + group * 8, *codes = row.codes + group * kGroup / 2;
            const Floats factor = Simd::setHalf(head), minimum = Simd::setHalf(head + 2);
            uint32_t fifth;
            std::memcpy(&fifth, head + 4, sizeof fifth);
            float* values = out + group * kGroup;
            for (uint32_t i = 0; i < kGroup / 2; i += kLanes) {
                const Ints both = Simd::loadUnsigned(codes + i);
                const Floats low = Simd::addWhere(Simd::toFloat(Simd::moveInts<0, 15, 0>(both)), fifth >> i, sixteen);
                const Floats high = Simd::addWhere(Simd::toFloat(Simd::moveInts<4, 15, 0>(both)), fifth >> (i + kGroup / 2), sixteen);
                Simd::store(values + i, Simd::fma(low, factor, minimum));
                Simd::store(values + kGroup / 2 + i, Simd::fma(high, factor, minimum));
            }
        }
    }
};

} // namespace
