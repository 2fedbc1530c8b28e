// How the processor keeps a weight: weight layout 1, panels of 16 outputs.
//
// Vector code wants the same depth of many outputs side by side: then a product needs no sums across lanes, and one row
// or sixteen read the same bytes in the same order. Outputs are grouped in panels of 16 (the last one padded with zeros);
// a panel is contiguous, and a thread that owns a run of panels streams memory from one end to the other.
//
// Float formats: [depth][16 outputs] values of the file's type.
// Integer formats: a code area, then a scale area, each in groups of 32 values of the depth. A chunk is four depths:
// [16 outputs][4 codes], 64 bytes of a line.
//   Plain codes of so many bits, unsigned (code + offset), in planes:
//            8 bits: chunk c is line c, signed
//            a plane of 4 bits: chunk c in the low nibbles of line c, chunk c + 4 in the high nibbles (4 lines)
//            a plane of 2 bits: chunk c in bits 2 * (c mod 4) and up of line c / 4 (2 lines)
//            a plane of 1 bit: chunk c in bit c of one line
//            3 bits are planes of 2 and 1, 5 of 4 and 1, 6 of 4 and 2; codes of 1 bit are 0 and 2
//   Book     numbers of a book of 16 values, as 4 bits
//   Grid     numbers of entries: [entry of the group][16 outputs] low bytes; their upper bits, of all entries of the group
//            together, as [byte][16 outputs]; then, where there are signs, for each chunk [16 outputs][4 signs], 8 bytes
//   scales   per block of the file a header: 16 halves (or bfloats), or 16 halves and 16 half minima, or nothing; then per
//            group the factors, 16 or 32 bytes (PanelFactors)
// The codes are a permutation of the file's, so the size is the file's but for padding; a few formats take up to a quarter
// of a bit more for each weight (README.md). Portable; knows no instruction set.
#pragma once

#include "kernels/quant/formats.h"

#include <cstdint>
#include <span>

namespace steelyard::cpu {

constexpr uint32_t kPanelOutputs = 16;
constexpr uint32_t kPanelLayout = 1; // the layout's number in Device::WeightLayout

enum class PanelCodes : uint32_t { Plain, Book, Grid };
enum class PanelHeader : uint32_t { None, Half, Halves, Bfloat };
enum class PanelFactors : uint32_t {
    None,
    Byte,             // 16 signed factors
    ByteMinimum,      // 16 factors, 16 factors of the minimum, which is subtracted
    Bytes16,          // signed factors, 16 for the first half of the group, 16 for the second
    Nibbles16,        // 16 bytes, low nibble for the first half, high nibble for the second; the factor is 2n + 1
    NibblesMinimum16, // as Bytes16, but a byte is the factor in the low nibble and the minimum's, subtracted, in the high one
    Float8,           // as Bytes16, but a factor is a number as in kernels/quant/nvfp4.cuh
};

struct PanelShape {
    PanelCodes codes = PanelCodes::Plain;
    uint32_t codeBits = 0; // plain codes and numbers of a book; 0 for float formats and grids
    int32_t offset = 0;    // what was added to plain codes to make them unsigned
    PanelHeader header = PanelHeader::None;
    PanelFactors factors = PanelFactors::None;
    uint32_t headerGroups = 1;         // groups that share a header
    uint32_t gridRun = 0, gridBits = 0; // codes of an entry, bits of an entry's number
    bool gridSigns = false;
    uint32_t valueBytes = 0; // float formats

    constexpr uint32_t lowBits() const { return codeBits >= 4 ? 4 : codeBits >= 2 ? 2 : 1; } // of the first plane
    constexpr uint32_t upperBits() const { return codeBits - lowBits(); }
    constexpr bool isSigned() const { return codes != PanelCodes::Plain || codeBits == 8; }

    constexpr uint32_t gridEntries() const { return 32 / gridRun; }                                   // per group
    constexpr uint32_t gridUpperBytes() const { return (gridEntries() * (gridBits - 8) + 7) / 8; }    // per group and output
    constexpr uint32_t gridUpperStart() const { return gridEntries() * kPanelOutputs; }
    constexpr uint32_t gridSignStart() const { return gridUpperStart() + gridUpperBytes() * kPanelOutputs; }

    constexpr uint32_t codeBytes() const { // per group
        return codes == PanelCodes::Grid ? gridSignStart() + (gridSigns ? 64 : 0) : codeBits * 64;
    }
    constexpr uint32_t headerBytes() const { return header == PanelHeader::None ? 0 : header == PanelHeader::Halves ? 64 : 32; }
    constexpr uint32_t factorBytes() const { // per group
        if (factors == PanelFactors::None) return 0;
        return factors == PanelFactors::Byte || factors == PanelFactors::Nibbles16 ? 16 : 32;
    }
    // Where the header of a group lies in the scale area, and its factors.
    constexpr uint64_t headerStart(uint32_t group) const {
        return group / headerGroups * uint64_t(headerBytes() + headerGroups * factorBytes());
    }
    constexpr uint64_t factorStart(uint32_t group) const {
        return headerStart(group) + headerBytes() + (group % headerGroups) * factorBytes();
    }
    // Bytes of one panel.
    constexpr uint64_t panelBytes(uint32_t depth) const {
        if (valueBytes > 0) return uint64_t(depth) * valueBytes * kPanelOutputs;
        return alignedTo64(uint64_t(depth / 32) * codeBytes() + headerStart(depth / 32));
    }
    static constexpr uint64_t alignedTo64(uint64_t bytes) { return (bytes + 63) & ~uint64_t(63); }
};

// How the panels keep a format; one row each. What a grid or a book needs besides follows from the format.
struct PanelRow {
    uint32_t type, codeBits;
    int32_t offset;
    PanelHeader header;
    PanelFactors factors;
};
constexpr PanelRow kPanelRows[] = {
    {kernels::Q4_0::typeId, 4, 8, PanelHeader::Half, PanelFactors::None},
    {kernels::Q4_1::typeId, 4, 0, PanelHeader::Halves, PanelFactors::None},
    {kernels::Q5_0::typeId, 5, 16, PanelHeader::Half, PanelFactors::None},
    {kernels::Q5_1::typeId, 5, 0, PanelHeader::Halves, PanelFactors::None},
    {kernels::Q8_0::typeId, 8, 0, PanelHeader::Half, PanelFactors::None},
    {kernels::Q2_K::typeId, 2, 0, PanelHeader::Halves, PanelFactors::NibblesMinimum16},
    {kernels::Q3_K::typeId, 3, 4, PanelHeader::Half, PanelFactors::Bytes16},
    {kernels::Q4_K::typeId, 4, 0, PanelHeader::Halves, PanelFactors::ByteMinimum},
    {kernels::Q5_K::typeId, 5, 0, PanelHeader::Halves, PanelFactors::ByteMinimum},
    {kernels::Q6_K::typeId, 6, 32, PanelHeader::Half, PanelFactors::Bytes16},
    {kernels::IQ1_S::typeId, 0, 0, PanelHeader::Half, PanelFactors::Byte},
    {kernels::IQ1_M::typeId, 0, 0, PanelHeader::Half, PanelFactors::Nibbles16},
    {kernels::IQ2_XXS::typeId, 0, 0, PanelHeader::Half, PanelFactors::Byte},
    {kernels::IQ2_XS::typeId, 0, 0, PanelHeader::Half, PanelFactors::Nibbles16},
    {kernels::IQ2_S::typeId, 0, 0, PanelHeader::Half, PanelFactors::Nibbles16},
    {kernels::IQ3_XXS::typeId, 0, 0, PanelHeader::Half, PanelFactors::Byte},
    {kernels::IQ3_S::typeId, 0, 0, PanelHeader::Half, PanelFactors::Byte},
    {kernels::IQ4_NL::typeId, 4, 0, PanelHeader::Half, PanelFactors::None},
    {kernels::IQ4_XS::typeId, 4, 0, PanelHeader::Half, PanelFactors::Byte},
    {kernels::TQ1_0::typeId, 2, 1, PanelHeader::Half, PanelFactors::None},
    {kernels::TQ2_0::typeId, 2, 1, PanelHeader::Half, PanelFactors::None},
    {kernels::MXFP4::typeId, 4, 0, PanelHeader::Bfloat, PanelFactors::None},
    {kernels::NVFP4::typeId, 4, 0, PanelHeader::None, PanelFactors::Float8},
    {kernels::Q1_0::typeId, 1, 1, PanelHeader::Half, PanelFactors::None},
    {kernels::Q2_0::typeId, 2, 1, PanelHeader::Half, PanelFactors::None},
};

constexpr const PanelRow* panelRow(uint32_t type) {
    for (const auto& row : kPanelRows)
        if (row.type == type) return &row;
    return nullptr;
}

constexpr uint32_t bitsFor(uint32_t count) { return count <= 1 ? 0 : 1 + bitsFor((count + 1) / 2); }

template <class Format>
constexpr PanelShape panelShapeOf() {
    PanelShape shape;
    if constexpr (Format::productClass == kernels::ProductClass::Float) {
        shape.valueBytes = Format::blockBytes;
    } else {
        constexpr const PanelRow* row = panelRow(Format::typeId);
        static_assert(row != nullptr, "a new integer format needs a row in kPanelRows");
        shape.codeBits = row->codeBits;
        shape.offset = row->offset;
        shape.header = row->header;
        shape.factors = row->factors;
        shape.headerGroups = shape.header == PanelHeader::None ? 1 : Format::blockValues / 32;
        if constexpr (requires { typename Format::Book; }) shape.codes = PanelCodes::Book;
        if constexpr (requires { typename Format::Grid; }) {
            shape.codes = PanelCodes::Grid;
            shape.gridRun = Format::Grid::run;
            shape.gridBits = bitsFor(Format::Grid::entries);
            shape.gridSigns = Format::hasSigns;
        }
    }
    return shape;
}

// What a format multiplies its header's scale with: a power of two.
template <class Format>
constexpr float panelStep() {
    if constexpr (requires { Format::step; }) return Format::step;
    else return 1.0f;
}

// The entries of a format's grid, four codes in a word.
const uint32_t* gridWords(uint32_t typeId);

inline uint32_t panelCount(uint64_t outputs) { return static_cast<uint32_t>((outputs + kPanelOutputs - 1) / kPanelOutputs); }

// Bytes of a weight in panels.
uint64_t panelledBytes(uint32_t typeId, uint64_t outputs, uint32_t depth);

// Rearranges a weight in the file's layout.
void packPanels(uint32_t typeId, std::span<const uint8_t> source, uint64_t outputs, uint32_t depth, std::span<uint8_t> destination);

// Expands one output's row to float32, equal to decoding the file's.
void decodePanelRow(uint32_t typeId, const uint8_t* panels, uint64_t output, uint32_t depth, float* out);

} // namespace steelyard::cpu
