// The list of all tensor formats that kernels compute with. A new format is one include and one row here.
//
// Also the scalar definitions over a whole row, chosen by GGUF's type number: what decoding and dot products mean.
#pragma once

#include "kernels/quant/bf16.cuh"
#include "kernels/quant/f16.cuh"
#include "kernels/quant/f32.cuh"
#include "kernels/quant/iq1_m.cuh"
#include "kernels/quant/iq1_s.cuh"
#include "kernels/quant/iq2_s.cuh"
#include "kernels/quant/iq2_xs.cuh"
#include "kernels/quant/iq2_xxs.cuh"
#include "kernels/quant/iq3_s.cuh"
#include "kernels/quant/iq3_xxs.cuh"
#include "kernels/quant/iq4_nl.cuh"
#include "kernels/quant/iq4_xs.cuh"
#include "kernels/quant/mxfp4.cuh"
#include "kernels/quant/nvfp4.cuh"
#include "kernels/quant/q1_0.cuh"
#include "kernels/quant/q2_0.cuh"
#include "kernels/quant/q2_k.cuh"
#include "kernels/quant/q3_k.cuh"
#include "kernels/quant/q4_0.cuh"
#include "kernels/quant/q4_1.cuh"
#include "kernels/quant/q4_k.cuh"
#include "kernels/quant/q5_0.cuh"
#include "kernels/quant/q5_1.cuh"
#include "kernels/quant/q5_k.cuh"
#include "kernels/quant/q6_k.cuh"
#include "kernels/quant/q8_0.cuh"
#include "kernels/quant/tq1_0.cuh"
#include "kernels/quant/tq2_0.cuh"

#include <cassert>

namespace steelyard::kernels {

template <class... Formats>
struct FormatList {
    // Calls visitor.template operator()<Format>() for the format with a type number; false when there is none.
    template <class Visitor>
    static bool visit(uint32_t typeId, Visitor&& visitor) {
        return ((Formats::typeId == typeId ? (visitor.template operator()<Formats>(), true) : false) || ...);
    }
    template <class Visitor>
    static void forEach(Visitor&& visitor) {
        (visitor.template operator()<Formats>(), ...);
    }
};

using AllFormats = FormatList<F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS,
                              IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS, TQ1_0, TQ2_0, MXFP4, NVFP4, Q1_0, Q2_0>;

inline bool isSupportedType(uint32_t typeId) {
    return AllFormats::visit(typeId, [&]<class Format>() {});
}

// Bytes of a row of `columns` values (a whole number of blocks).
inline uint64_t rowBytes(uint32_t typeId, uint32_t columns) {
    uint64_t bytes = 0;
    AllFormats::visit(typeId, [&]<class Format>() {
        bytes = uint64_t(columns / Format::blockValues) * Format::blockBytes;
    });
    return bytes;
}

// Calls each(first value index, Unpacked32) for the groups of 32 of a row of an integer format.
template <class Format, class Each>
void forEachGroup(const uint8_t* row, uint32_t columns, Each&& each) {
    constexpr uint32_t parts = Format::blockValues / 32;
    Unpacked32 group;
    for (uint32_t index = 0; index < columns / 32; ++index) {
        Format::unpack32(row + uint64_t(index / parts) * Format::blockBytes, index % parts, group);
        each(index * 32, group);
    }
}

// Expands a row to float32.
inline void decodeRow(uint32_t typeId, const uint8_t* row, uint32_t columns, float* out) {
    AllFormats::visit(typeId, [&]<class Format>() {
        if constexpr (Format::productClass == ProductClass::Float) {
            for (uint32_t i = 0; i < columns; ++i) out[i] = Format::load(row, i);
        } else {
            forEachGroup<Format>(row, columns, [&](uint32_t first, const Unpacked32& group) {
                for (uint32_t i = 0; i < 32; ++i)
                    out[first + i] = group.scale[i / 16] * group.codes[i] + group.minimum[i / 16];
            });
        }
    });
}

// Dot product of a row with float activations.
inline float dotFloat(uint32_t typeId, const uint8_t* row, const float* x, uint32_t columns) {
    double sum = 0.0;
    AllFormats::visit(typeId, [&]<class Format>() {
        if constexpr (Format::productClass == ProductClass::Float) {
            for (uint32_t i = 0; i < columns; ++i) sum += double(Format::load(row, i)) * x[i];
        } else {
            forEachGroup<Format>(row, columns, [&](uint32_t first, const Unpacked32& group) {
                for (uint32_t i = 0; i < 32; ++i)
                    sum += double(group.scale[i / 16] * group.codes[i] + group.minimum[i / 16]) * x[first + i];
            });
        }
    });
    return static_cast<float>(sum);
}

// Dot product of a row with activations in 8-bit blocks of 32 (kernels/ops/quantize_rows.h). A minimum that differs
// between the two halves of a group multiplies the half's own sum of codes. `rests` is the second plane, or null.
inline float dotInt8(uint32_t typeId, const uint8_t* row, const int8_t* codes, const float* scales, const float* sums,
                     uint32_t columns, const int8_t* rests = nullptr) {
    double sum = 0.0;
    const auto code = [=](uint32_t i) { return codes[i] + (rests ? double(rests[i]) / kPlaneSteps : 0.0); };
    AllFormats::visit(typeId, [&]<class Format>() {
        if constexpr (Format::productClass == ProductClass::Float) {
            for (uint32_t i = 0; i < columns; ++i) sum += double(Format::load(row, i)) * code(i) * scales[i / 32];
        } else {
            forEachGroup<Format>(row, columns, [&](uint32_t first, const Unpacked32& group) {
                double product[2] = {0, 0}, total[2] = {0, 0};
                for (uint32_t i = 0; i < 32; ++i) {
                    product[i / 16] += group.codes[i] * code(first + i);
                    total[i / 16] += code(first + i);
                }
                const float scale = scales[first / 32];
                if (group.minimum[0] == group.minimum[1]) {
                    sum += double(group.minimum[0]) * sums[first / 32];
                } else {
                    for (int h = 0; h < 2; ++h) sum += double(group.minimum[h]) * scale * total[h];
                }
                for (int h = 0; h < 2; ++h) sum += double(group.scale[h]) * scale * product[h];
            });
        }
    });
    return static_cast<float>(sum);
}

} // namespace steelyard::kernels
