// How the processor keeps a weight: weight layout 1, panels of 16 outputs.
//
// Vector code wants the same depth of many outputs side by side: then a product needs no sums across lanes, and one row
// or sixteen read the same bytes in the same order. Outputs are grouped in panels of 16 (the last one padded with zeros);
// a panel is contiguous, and a thread that owns a run of panels streams memory from one end to the other.
//
// Float formats: [depth][16 outputs] values of the file's type.
// Integer formats: a code area, then a scale area, each in groups of 32 values of the depth:
//   codes    eight chunks of 4 depths; a chunk is [16 outputs][4 codes], 64 bytes, unsigned (code + offset)
//            4 bits: 4 x 64 bytes, chunk c in the low nibbles of line c, chunk c + 4 in the high nibbles
//            5 bits: the same, then 64 bytes whose bit c is the fifth bit of chunk c
//            6 bits: the same, then 2 x 64 bytes: bits 2 * (c mod 4) and up of line c / 4 are the upper two bits of chunk c
//            8 bits: 8 x 64 bytes, signed
//   scales   Half: 16 half scales; HalfMinimum: 16 half scales, 16 half minima;
//            Bytes (Q4_K): for 8 groups 16 half scales, 16 half minima, then per group 16 + 16 factors (u8);
//            BytesPer16 (Q6_K): for 8 groups 16 half scales, then per group 16 + 16 factors (i8), one per 16 values
// The codes are a permutation of the file's, so the size is the file's but for padding. Portable; knows no instruction set.
#pragma once

#include "kernels/quant/formats.h"

#include <cstdint>
#include <span>

namespace steelyard::cpu {

constexpr uint32_t kPanelOutputs = 16;
constexpr uint32_t kPanelLayout = 1; // the layout's number in Device::WeightLayout

enum class PanelScales : uint32_t { Half, HalfMinimum, Bytes, BytesPer16 };

struct PanelShape {
    uint32_t codeBits;      // 4, 5, 6, 8; 0 for float formats
    int32_t offset;         // what was added to the codes to make them unsigned
    PanelScales scales;
    uint32_t valueBytes;    // float formats

    constexpr uint32_t codeBytes() const { return codeBits * 64; }                          // per group
    constexpr uint32_t groupScaleBytes() const { return scales == PanelScales::Half ? 32 : scales == PanelScales::HalfMinimum ? 64 : 32; }
    constexpr uint32_t headerBytes() const { return scales == PanelScales::Bytes ? 64 : scales == PanelScales::BytesPer16 ? 32 : 0; }
    constexpr uint32_t headerGroups() const { return headerBytes() ? 8 : 1; } // groups that share a header
    constexpr uint64_t scaleArea(uint32_t groups) const {
        return uint64_t(groups) * groupScaleBytes() + uint64_t(groups / headerGroups()) * headerBytes();
    }
    // Bytes of one panel.
    constexpr uint64_t panelBytes(uint32_t depth) const {
        if (codeBits == 0) return uint64_t(depth) * valueBytes * kPanelOutputs;
        return alignedTo64(uint64_t(depth / 32) * codeBytes() + scaleArea(depth / 32));
    }
    static constexpr uint64_t alignedTo64(uint64_t bytes) { return (bytes + 63) & ~uint64_t(63); }
};

template <class Format>
constexpr PanelShape panelShapeOf() {
    constexpr uint32_t type = Format::typeId;
    if (Format::productClass == kernels::ProductClass::Float) return {0, 0, PanelScales::Half, Format::blockBytes};
    if (type == kernels::Q4_0::typeId) return {4, 8, PanelScales::Half, 0};
    if (type == kernels::Q4_1::typeId) return {4, 0, PanelScales::HalfMinimum, 0};
    if (type == kernels::Q5_0::typeId) return {5, 16, PanelScales::Half, 0};
    if (type == kernels::Q5_1::typeId) return {5, 0, PanelScales::HalfMinimum, 0};
    if (type == kernels::Q4_K::typeId) return {4, 0, PanelScales::Bytes, 0};
    if (type == kernels::Q6_K::typeId) return {6, 32, PanelScales::BytesPer16, 0};
    return {8, 0, PanelScales::Half, 0}; // Q8_0 keeps its sign
}

inline uint32_t panelCount(uint64_t outputs) { return static_cast<uint32_t>((outputs + kPanelOutputs - 1) / kPanelOutputs); }

// Bytes of a weight in panels.
uint64_t panelledBytes(uint32_t typeId, uint64_t outputs, uint32_t depth);

// Rearranges a weight in the file's layout.
void packPanels(uint32_t typeId, std::span<const uint8_t> source, uint64_t outputs, uint32_t depth, std::span<uint8_t> destination);

// Expands one output's row to float32, equal to decoding the file's.
void decodePanelRow(uint32_t typeId, const uint8_t* panels, uint64_t output, uint32_t depth, float* out);

} // namespace steelyard::cpu
