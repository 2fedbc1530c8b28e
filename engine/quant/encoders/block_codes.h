// Blocks of 32 codes with a half as scale and, in some formats, another as minimum.
//
// Without importance the field's plain rule holds, so that these files are the same bytes whoever made them: the largest
// magnitude (or the range) fills the codes, and codes are of the exact scale, not of the half that is stored. With importance
// the scale is searched for, a block's lane beside fifteen others.
#pragma once

#include "engine/quant/encoders/bit_packing.h"
#include "engine/quant/encoders/minimum_search.h"
#include "engine/quant/encoders/scale_search.h"

namespace {

constexpr uint32_t kBlockCodes = 32;

// value = scale * (code - kHalf)
template <int kHalf>
void plainScaleCodes(const float* values, uint16_t& scale, uint8_t* codes) {
    float most = values[0], least = values[0];
    for (uint32_t i = 1; i < kBlockCodes; ++i) {
        most = std::max(most, values[i]);
        least = std::min(least, values[i]);
    }
    float extreme = most > -least ? most : least;
    if (most == -least) // the first of the two
        extreme = *std::find_if(values, values + kBlockCodes, [&](float value) { return value == most || value == least; });
    const float step = extreme / -kHalf;
    float inverse = step != 0.0f ? 1.0f / step : 0.0f;
    if (!std::isfinite(inverse)) inverse = 0.0f; // of a scale that is nothing as a half
    scale = steelyard::kernels::floatToHalf(step);
    for (uint32_t i = 0; i < kBlockCodes; ++i)
        codes[i] = static_cast<uint8_t>(std::min(2 * kHalf - 1, static_cast<int>(values[i] * inverse + (kHalf + 0.5f))));
}

// value = scale * code + minimum
template <int kTop>
void plainMinimumCodes(const float* values, uint16_t& scale, uint16_t& minimum, uint8_t* codes) {
    float most = values[0], least = values[0];
    for (uint32_t i = 1; i < kBlockCodes; ++i) {
        most = std::max(most, values[i]);
        least = std::min(least, values[i]);
    }
    const float step = (most - least) / kTop;
    float inverse = step != 0.0f ? 1.0f / step : 0.0f;
    if (!std::isfinite(inverse)) inverse = 0.0f;
    scale = steelyard::kernels::floatToHalf(step);
    minimum = steelyard::kernels::floatToHalf(least);
    for (uint32_t i = 0; i < kBlockCodes; ++i)
        codes[i] = static_cast<uint8_t>(std::min(kTop, static_cast<int>((values[i] - least) * inverse + 0.5f)));
}

// Sixteen blocks of which each has its own scale.
template <class Numbers>
struct OwnScale {
    using Batch = GroupBatch<kBlockCodes, 1>;
    struct Codes {
        uint16_t scale[kGroups];
        uint8_t codes[Batch::kValues];
    };
    Batch batch;

    void run(Codes& out) const {
        using Search = ScaleSearch<kBlockCodes, Numbers>;
        float scales[kGroups];
        forLanes([&](uint32_t lane) { Simd::store(scales + lane, Search{batch.values + lane, batch.weights + lane}.best()); });
        for (uint32_t block = 0; block < kGroups; ++block) {
            out.scale[block] = batch.stored(block, scales[block]);
            const Floats inverse = inverseOrZero(Simd::set1(batch.readBack(block, out.scale[block])));
            for (uint32_t i = block * kBlockCodes; i < (block + 1) * kBlockCodes; i += Simd::kLanes)
                putCodes(Numbers::codeOf(Simd::mul(Simd::load(batch.rows + i), inverse)), out.codes + i);
        }
    }
};

// Sixteen blocks of which each has its own scale and minimum.
template <int kTop>
struct OwnMinimum {
    using Batch = GroupBatch<kBlockCodes, 1>;
    struct Codes {
        uint16_t scale[kGroups], minimum[kGroups];
        uint8_t codes[Batch::kValues];
    };
    Batch batch;

    void run(Codes& out) const {
        using Search = MinimumSearch<kBlockCodes, kTop>;
        float scales[kGroups], bases[kGroups];
        forLanes([&](uint32_t lane) {
            const LineFit fit = Search(batch.values + lane, batch.weights + lane).template best<false>();
            Simd::store(scales + lane, fit.scale);
            Simd::store(bases + lane, fit.base);
        });
        for (uint32_t block = 0; block < kGroups; ++block) {
            out.scale[block] = batch.stored(block, scales[block]);
            out.minimum[block] = batch.stored(block, bases[block]);
            const Floats base = Simd::set1(batch.readBack(block, out.minimum[block]));
            const Floats inverse = inverseOrZero(Simd::set1(batch.readBack(block, out.scale[block])));
            for (uint32_t i = block * kBlockCodes; i < (block + 1) * kBlockCodes; i += Simd::kLanes)
                putCodes(Search::codeOf(Simd::load(batch.rows + i), base, inverse), out.codes + i);
        }
    }
};

// The low four bits of 32 codes: code i and code i + 16 in byte i.
inline void packBlockNibbles(const uint8_t* codes, uint8_t* out) {
    for (uint32_t i = 0; i < 16; ++i) out[i] = static_cast<uint8_t>((codes[i] & 15u) | (codes[i + 16] & 15u) << 4);
}

// The fifth bits of 32 codes, that of code i as bit i.
inline void packFifthBits(const uint8_t* codes, uint8_t* out) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < kBlockCodes; ++i) bits |= (codes[i] >> 4 & 1u) << i;
    std::memcpy(out, &bits, sizeof bits);
}

// Formats with a scale: pack(scale, codes, bytes) writes a block.
template <class Format, int kHalf, class Pack>
void encodeScaleBlocks(const float* values, const float* importance, uint64_t count, uint8_t* bytes, Pack&& pack) {
    if (importance) {
        using Encoder = OwnScale<WholeNumbers<kHalf>>;
        encodeBatches<Encoder, Format>(values, importance, count, bytes, [&](const typename Encoder::Codes& codes, uint32_t block, uint8_t* out) {
            pack(codes.scale[block], codes.codes + block * kBlockCodes, out);
        });
        return;
    }
    uint16_t scale;
    uint8_t codes[kBlockCodes];
    for (uint64_t first = 0; first < count; first += kBlockCodes, bytes += Format::blockBytes) {
        plainScaleCodes<kHalf>(values + first, scale, codes);
        pack(scale, codes, bytes);
    }
}

// Formats with a scale and a minimum: pack(scale, minimum, codes, bytes) writes a block.
template <class Format, int kTop, class Pack>
void encodeMinimumBlocks(const float* values, const float* importance, uint64_t count, uint8_t* bytes, Pack&& pack) {
    if (importance) {
        using Encoder = OwnMinimum<kTop>;
        encodeBatches<Encoder, Format>(values, importance, count, bytes, [&](const typename Encoder::Codes& codes, uint32_t block, uint8_t* out) {
            pack(codes.scale[block], codes.minimum[block], codes.codes + block * kBlockCodes, out);
        });
        return;
    }
    uint16_t scale, minimum;
    uint8_t codes[kBlockCodes];
    for (uint64_t first = 0; first < count; first += kBlockCodes, bytes += Format::blockBytes) {
        plainMinimumCodes<kTop>(values + first, scale, minimum, codes);
        pack(scale, minimum, codes, bytes);
    }
}

} // namespace
