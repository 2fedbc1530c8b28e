#include "engine/backend/cpu/panel_layout.h"

#include <array>
#include <cstring>

namespace steelyard::cpu {

namespace {

using kernels::Unpacked32;

// One output's codes of a group, as eight words of 4 codes as the panel keeps them.
struct Words {
    uint32_t chunk[8];
};

// Packing is the time of a load: a function of one format knows its shape while it is compiled.
template <class Format>
Words wordsOf(const Unpacked32& group) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    uint8_t bytes[32];
    for (int i = 0; i < 32; ++i) bytes[i] = static_cast<uint8_t>((group.codes[i] + shape.offset) >> (shape.codeBits == 1 ? 1 : 0));
    Words words;
    std::memcpy(words.chunk, bytes, 32);
    return words;
}

// Where a plane of so many bits has a chunk.
struct Place {
    uint32_t line, shift;
};
constexpr Place placeOf(uint32_t bits, uint32_t chunk) {
    if (bits == 4) return {chunk % 4, chunk / 4 * 4};
    if (bits == 2) return {chunk / 4, chunk % 4 * 2};
    return {0, chunk};
}
constexpr uint32_t maskOf(uint32_t bits) { return ((1u << bits) - 1u) * 0x01010101u; }

// Writes one output's codes of a group into the group's lines.
template <class Format>
void putCodes(uint8_t* lines, uint32_t output, const Words& words) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    uint32_t line[8] = {};
    for (uint32_t c = 0; c < 8; ++c) {
        const uint32_t codes = words.chunk[c], low = shape.lowBits(), upper = shape.upperBits();
        if (shape.codeBits == 8) {
            line[c] = codes;
            continue;
        }
        line[placeOf(low, c).line] |= (codes & maskOf(low)) << placeOf(low, c).shift;
        if (upper > 0) line[low + placeOf(upper, c).line] |= ((codes >> low) & maskOf(upper)) << placeOf(upper, c).shift;
    }
    for (uint32_t i = 0; i < shape.codeBits; ++i) std::memcpy(lines + i * 64 + output * 4, &line[i], 4);
}

// The other way round: one output's codes of a group, with their sign.
void takeCodes(const uint8_t* lines, const PanelShape& shape, uint32_t output, Unpacked32& group) {
    uint32_t line[8] = {}, words[8];
    for (uint32_t i = 0; i < shape.codeBits; ++i) std::memcpy(&line[i], lines + i * 64 + output * 4, 4);
    for (uint32_t c = 0; c < 8; ++c) {
        const uint32_t low = shape.lowBits(), upper = shape.upperBits();
        words[c] = shape.codeBits == 8 ? line[c] : (line[placeOf(low, c).line] >> placeOf(low, c).shift) & maskOf(low);
        if (shape.codeBits != 8 && upper > 0)
            words[c] |= ((line[low + placeOf(upper, c).line] >> placeOf(upper, c).shift) & maskOf(upper)) << low;
    }
    std::memcpy(group.codes, words, 32);
    for (auto& code : group.codes) code = static_cast<int8_t>(code * (shape.codeBits == 1 ? 2 : 1) - shape.offset);
}

// Numbers of a book in place of its values.
template <class Book>
void toNumbers(Unpacked32& group) {
    static constexpr auto kNumbers = [] {
        std::array<int8_t, 256> numbers{};
        for (int i = 15; i >= 0; --i) numbers[static_cast<uint8_t>(Book::values[i])] = static_cast<int8_t>(i);
        return numbers;
    }();
    for (auto& code : group.codes) code = kNumbers[static_cast<uint8_t>(code)];
}

template <class Format>
void putGrid(uint8_t* area, uint32_t output, const uint8_t* block, uint32_t part) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    uint32_t upper = 0;
    for (uint32_t i = 0; i < shape.gridEntries(); ++i) {
        const uint32_t entry = Format::gridEntry(block, part, i);
        area[i * kPanelOutputs + output] = static_cast<uint8_t>(entry);
        upper |= (entry >> 8) << i * (shape.gridBits - 8);
    }
    for (uint32_t i = 0; i < shape.gridUpperBytes(); ++i)
        area[shape.gridUpperStart() + i * kPanelOutputs + output] = static_cast<uint8_t>(upper >> i * 8);
    if (!shape.gridSigns) return;
    const uint32_t signs = Format::signs(block, part), shift = output % 2 * 4;
    for (uint32_t c = 0; c < 8; ++c) {
        uint8_t& byte = area[shape.gridSignStart() + c * 8 + output / 2];
        byte = static_cast<uint8_t>((byte & (0xF0u >> shift)) | ((signs >> c * 4 & 15u) << shift));
    }
}

template <class Grid>
void takeGrid(const uint8_t* area, const PanelShape& shape, uint32_t output, Unpacked32& group) {
    uint32_t upper = 0;
    for (uint32_t i = 0; i < shape.gridUpperBytes(); ++i) upper |= uint32_t(area[shape.gridUpperStart() + i * kPanelOutputs + output]) << i * 8;
    for (uint32_t c = 0; c < 8; ++c) {
        const uint32_t i = c * 4 / shape.gridRun, bits = shape.gridBits - 8;
        const uint32_t entry = area[i * kPanelOutputs + output] | (upper >> i * bits & ((1u << bits) - 1u)) << 8;
        const uint32_t signs = shape.gridSigns ? area[shape.gridSignStart() + c * 8 + output / 2] >> output % 2 * 4 : 0u;
        const uint32_t word = kernels::negateFour(Grid::four(entry, shape.gridRun == 8 ? c & 1u : 0u), signs);
        std::memcpy(group.codes + c * 4, &word, 4);
    }
}

template <class Format>
void putScales(uint8_t* area, uint32_t output, uint32_t group, const kernels::GroupScales& scales) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    uint8_t *header = area + shape.headerStart(group), *factors = area + shape.factorStart(group);
    if (shape.header != PanelHeader::None) std::memcpy(header + output * 2, &scales.scale, 2);
    if (shape.header == PanelHeader::Halves) std::memcpy(header + 32 + output * 2, &scales.minimum, 2);
    const auto put = [&](uint32_t half, int32_t value) { factors[16 * half + output] = static_cast<uint8_t>(value); };
    const auto nibbles = [](int32_t low, int32_t high) { return low | high << 4; };
    switch (shape.factors) {
    case PanelFactors::None: return;
    case PanelFactors::Byte: return put(0, scales.factor[0]);
    case PanelFactors::ByteMinimum:
        put(0, scales.factor[0]);
        return put(1, -scales.minimumFactor[0]);
    case PanelFactors::Nibbles16: return put(0, nibbles(scales.factor[0] / 2, scales.factor[1] / 2));
    case PanelFactors::NibblesMinimum16:
        for (uint32_t h = 0; h < 2; ++h) put(h, nibbles(scales.factor[h], -scales.minimumFactor[h]));
        return;
    case PanelFactors::Bytes16:
    case PanelFactors::Float8:
        put(0, scales.factor[0]);
        return put(1, scales.factor[1]);
    }
}

kernels::GroupScales takeScales(const uint8_t* area, const PanelShape& shape, uint32_t output, uint32_t group) {
    const uint8_t *header = area + shape.headerStart(group), *factors = area + shape.factorStart(group);
    kernels::GroupScales scales;
    if (shape.header != PanelHeader::None) scales.scale = kernels::readU16(header + output * 2);
    if (shape.header == PanelHeader::Halves) scales.minimum = kernels::readU16(header + 32 + output * 2);
    const auto take = [&](uint32_t half) { return static_cast<int32_t>(static_cast<int8_t>(factors[16 * half + output])); };
    switch (shape.factors) {
    case PanelFactors::None: return scales;
    case PanelFactors::Byte: scales.factor[0] = scales.factor[1] = take(0); return scales;
    case PanelFactors::ByteMinimum:
        scales.factor[0] = scales.factor[1] = take(0);
        scales.minimumFactor[0] = scales.minimumFactor[1] = -take(1);
        return scales;
    case PanelFactors::Nibbles16:
        scales.factor[0] = (take(0) & 15) * 2 + 1;
        scales.factor[1] = (take(0) >> 4 & 15) * 2 + 1;
        return scales;
    case PanelFactors::NibblesMinimum16:
        for (uint32_t h = 0; h < 2; ++h) {
            scales.factor[h] = take(h) & 15;
            scales.minimumFactor[h] = -(take(h) >> 4 & 15);
        }
        return scales;
    case PanelFactors::Bytes16:
    case PanelFactors::Float8:
        for (uint32_t h = 0; h < 2; ++h) scales.factor[h] = take(h);
        return scales;
    }
    return scales;
}

template <class Format>
void decodeInteger(const uint8_t* panel, uint32_t output, uint32_t depth, float* out) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    const uint8_t* area = panel + uint64_t(depth / 32) * shape.codeBytes();
    for (uint32_t g = 0; g < depth / 32; ++g) {
        const uint8_t* codes = panel + uint64_t(g) * shape.codeBytes();
        Unpacked32 group;
        if constexpr (shape.codes == PanelCodes::Grid) takeGrid<typename Format::Grid>(codes, shape, output, group);
        else takeCodes(codes, shape, output, group);
        if constexpr (shape.codes == PanelCodes::Book)
            for (auto& code : group.codes) code = Format::Book::values[code];
        const auto scales = takeScales(area, shape, output, g);
        if constexpr (shape.header == PanelHeader::Bfloat) {
            group.setScale(kernels::bfloat16ToFloat(scales.scale));
        } else if constexpr (shape.factors == PanelFactors::Float8) {
            for (uint32_t h = 0; h < 2; ++h) {
                group.scale[h] = Format::scaleOf(scales.factor[h]);
                group.minimum[h] = 0.0f;
            }
        } else {
            group.setScales(scales, panelStep<Format>());
        }
        for (uint32_t i = 0; i < 32; ++i) out[g * 32 + i] = group.scale[i / 16] * group.codes[i] + group.minimum[i / 16];
    }
}

template <class Format>
void packInteger(const uint8_t* source, uint32_t outputs, uint32_t depth, uint8_t* panel) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    constexpr uint32_t parts = Format::blockValues / 32;
    const uint32_t groups = depth / 32;
    uint8_t* scales = panel + uint64_t(groups) * shape.codeBytes();
    const uint64_t rowBytes = uint64_t(depth / Format::blockValues) * Format::blockBytes;
    for (uint32_t output = 0; output < outputs; ++output) {
        const uint8_t* row = source + output * rowBytes;
        for (uint32_t g = 0; g < groups; ++g) {
            const uint8_t* block = row + uint64_t(g / parts) * Format::blockBytes;
            uint8_t* codes = panel + uint64_t(g) * shape.codeBytes();
            if constexpr (shape.codes == PanelCodes::Grid) {
                putGrid<Format>(codes, output, block, g % parts);
            } else {
                Unpacked32 group;
                Format::unpack32(block, g % parts, group);
                if constexpr (shape.codes == PanelCodes::Book) toNumbers<typename Format::Book>(group);
                putCodes<Format>(codes, output, wordsOf<Format>(group));
            }
            putScales<Format>(scales, output, g, Format::groupScales(block, g % parts));
        }
    }
}

template <class Grid>
const uint32_t* wordsOfGrid() {
    static const auto kWords = [] {
        std::array<uint32_t, Grid::entries * Grid::run / 4> words;
        for (uint32_t i = 0; i < words.size(); ++i) words[i] = Grid::run == 8 ? Grid::four(i / 2, i % 2) : Grid::four(i, 0);
        return words;
    }();
    return kWords.data();
}

template <class Format>
void packFloat(const uint8_t* source, uint32_t outputs, uint32_t depth, uint8_t* panel) {
    constexpr uint32_t bytes = Format::blockBytes;
    for (uint32_t output = 0; output < outputs; ++output)
        for (uint64_t k = 0; k < depth; ++k)
            std::memcpy(panel + (k * kPanelOutputs + output) * bytes, source + (uint64_t(output) * depth + k) * bytes, bytes);
}

} // namespace

const uint32_t* gridWords(uint32_t typeId) {
    const uint32_t* words = nullptr;
    kernels::AllFormats::visit(typeId, [&]<class Format>() {
        if constexpr (requires { typename Format::Grid; }) words = wordsOfGrid<typename Format::Grid>();
    });
    return words;
}

uint64_t panelledBytes(uint32_t typeId, uint64_t outputs, uint32_t depth) {
    uint64_t bytes = 0;
    kernels::AllFormats::visit(typeId, [&]<class Format>() { bytes = panelShapeOf<Format>().panelBytes(depth); });
    return bytes * panelCount(outputs);
}

void packPanels(uint32_t typeId, std::span<const uint8_t> source, uint64_t outputs, uint32_t depth, std::span<uint8_t> destination) {
    kernels::AllFormats::visit(typeId, [&]<class Format>() {
        const uint64_t bytes = panelShapeOf<Format>().panelBytes(depth);
        const uint64_t rowBytes = uint64_t(depth / Format::blockValues) * Format::blockBytes;
        for (uint32_t index = 0; index < panelCount(outputs); ++index) {
            uint8_t* panel = destination.data() + index * bytes;
            const uint64_t first = uint64_t(index) * kPanelOutputs;
            const uint32_t count = static_cast<uint32_t>(outputs - first < kPanelOutputs ? outputs - first : kPanelOutputs);
            const uint8_t* rows = source.data() + first * rowBytes;
            if (count < kPanelOutputs) std::memset(panel, 0, bytes);
            if constexpr (Format::productClass == kernels::ProductClass::Float) packFloat<Format>(rows, count, depth, panel);
            else packInteger<Format>(rows, count, depth, panel);
        }
    });
}

void decodePanelRow(uint32_t typeId, const uint8_t* panels, uint64_t output, uint32_t depth, float* out) {
    const uint32_t inPanel = static_cast<uint32_t>(output % kPanelOutputs);
    kernels::AllFormats::visit(typeId, [&]<class Format>() {
        const uint8_t* panel = panels + output / kPanelOutputs * panelShapeOf<Format>().panelBytes(depth);
        if constexpr (Format::productClass == kernels::ProductClass::Float)
            for (uint32_t k = 0; k < depth; ++k) out[k] = Format::load(panel, k * kPanelOutputs + inPanel);
        else decodeInteger<Format>(panel, inPanel, depth, out);
    });
}

} // namespace steelyard::cpu
