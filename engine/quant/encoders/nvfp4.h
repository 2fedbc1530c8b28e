// NVFP4 (layout: kernels/quant/nvfp4.cuh): of the eight-bit scales around the one that holds a group's largest magnitude, the
// one that loses least.
#pragma once

#include "engine/quant/encoders/float4_search.h"

#include "kernels/quant/nvfp4.cuh"

namespace {

struct EightBitScales {
    using Format = steelyard::kernels::NVFP4;
    using Search = Float4Search<16, 4>;
    using Batch = Search::Batch;
    struct Codes {
        uint8_t scales[kGroups];
        uint8_t codes[Batch::kValues];
    };
    Search search;
    Batch& batch = search.batch;

    void run(Codes& out) {
        int32_t middles[kGroups];
        for (uint32_t group = 0; group < kGroups; ++group) middles[group] = scaleFor(group);
        search.reset();
        for (int step = -3; step <= 3; ++step) {
            float scales[kGroups];
            uint8_t bits[kGroups];
            for (uint32_t group = 0; group < kGroups; ++group) {
                bits[group] = static_cast<uint8_t>(std::clamp(middles[group] + step, 0, kLargest));
                scales[group] = Format::scaleOf(bits[group]) / batch.unit[group / 4];
            }
            search.take(scales, bits);
        }
        std::memcpy(out.scales, search.numbers, sizeof out.scales);
        search.writeCodes(out.codes);
    }

private:
    static constexpr int32_t kLargest = 0x7E; // the one above is no number

    // The scale by which the group's largest magnitude is the largest number.
    int32_t scaleFor(uint32_t group) const {
        Floats most = Simd::zero();
        for (uint32_t i = group * 16; i < (group + 1) * 16; i += Simd::kLanes) most = Simd::max(most, Simd::abs(Simd::load(batch.rows + i)));
        const float scale = Simd::largest(most) * batch.unit[group / 4] / 12.0f;
        return (steelyard::kernels::floatToHalf(scale / 128.0f) + 64) >> 7; // as in scaleOf, the other way
    }
};

void encodeNVFP4(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    encodeBatches<EightBitScales, EightBitScales::Format>(values, importance, count, bytes, [](const EightBitScales::Codes& codes, uint32_t block, uint8_t* out) {
        std::memcpy(out, codes.scales + block * 4, 4);
        for (uint32_t group = 0; group < 4; ++group) {
            const uint8_t* first = codes.codes + (block * 4 + group) * 16;
            for (uint32_t i = 0; i < 8; ++i) out[4 + group * 8 + i] = static_cast<uint8_t>(first[i] | first[i + 8] << 4);
        }
    });
}

} // namespace
