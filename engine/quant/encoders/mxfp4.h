// MXFP4 (layout: kernels/quant/mxfp4.cuh): of the two powers of two that hold a block's largest magnitude, or nearly, the one
// that loses less.
#pragma once

#include "engine/quant/encoders/block_codes.h"
#include "engine/quant/encoders/float4_search.h"

#include "kernels/quant/mxfp4.cuh"

namespace {

struct PowerScales {
    using Search = Float4Search<kBlockCodes, 1>;
    using Batch = Search::Batch;
    struct Codes {
        uint8_t exponents[kGroups];
        uint8_t codes[Batch::kValues];
    };
    Search search;
    Batch& batch = search.batch;

    void run(Codes& out) {
        search.reset();
        for (const int power : {-3, -2}) { // values are below 2, the largest number is 12
            float scales[kGroups];
            uint8_t exponents[kGroups];
            for (uint32_t block = 0; block < kGroups; ++block) {
                const auto unit = static_cast<int32_t>(steelyard::kernels::floatToBits(batch.unit[block]) >> 23); // 127 + its power
                exponents[block] = static_cast<uint8_t>(std::max(unit + 1 + power, 0));
                scales[block] = std::ldexp(1.0f, static_cast<int>(exponents[block]) - unit - 1);
            }
            search.take(scales, exponents);
        }
        std::memcpy(out.exponents, search.numbers, sizeof out.exponents);
        search.writeCodes(out.codes);
    }
};

void encodeMXFP4(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
    using Format = steelyard::kernels::MXFP4;
    encodeBatches<PowerScales, Format>(values, importance, count, bytes, [](const PowerScales::Codes& codes, uint32_t block, uint8_t* out) {
        out[0] = codes.exponents[block];
        packBlockNibbles(codes.codes + block * kBlockCodes, out + 1);
    });
}

} // namespace
