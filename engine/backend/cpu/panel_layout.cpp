#include "engine/backend/cpu/panel_layout.h"

#include <cstring>

namespace steelyard::cpu {

namespace {

using kernels::Unpacked32;

// One output's codes of a group, as eight words of 4 unsigned (or, at 8 bits, signed) codes.
struct Words {
    uint32_t chunk[8];
};

Words wordsOf(const Unpacked32& group, int32_t offset) {
    uint8_t bytes[32];
    for (int i = 0; i < 32; ++i) bytes[i] = static_cast<uint8_t>(group.codes[i] + offset);
    Words words;
    std::memcpy(words.chunk, bytes, 32);
    return words;
}

void put(uint8_t* line, uint32_t output, uint32_t word) { std::memcpy(line + output * 4, &word, 4); }

// Writes one output's codes of a group into the group's lines.
void putCodes(uint8_t* lines, uint32_t codeBits, uint32_t output, const Words& words) {
    if (codeBits == 8) {
        for (uint32_t c = 0; c < 8; ++c) put(lines + c * 64, output, words.chunk[c]);
        return;
    }
    for (uint32_t c = 0; c < 4; ++c)
        put(lines + c * 64, output, (words.chunk[c] & 0x0F0F0F0Fu) | ((words.chunk[c + 4] & 0x0F0F0F0Fu) << 4));
    if (codeBits == 5) {
        uint32_t fifth = 0;
        for (uint32_t c = 0; c < 8; ++c) fifth |= ((words.chunk[c] >> 4) & 0x01010101u) << c;
        put(lines + 256, output, fifth);
    }
    if (codeBits == 6) {
        for (uint32_t line = 0; line < 2; ++line) {
            uint32_t upper = 0;
            for (uint32_t c = 0; c < 4; ++c) upper |= ((words.chunk[line * 4 + c] >> 4) & 0x03030303u) << (2 * c);
            put(lines + 256 + line * 64, output, upper);
        }
    }
}

template <class Format>
void putScales(uint8_t* area, const PanelShape& shape, uint32_t output, uint32_t group, const uint8_t* block) {
    const uint32_t part = group % (Format::blockValues / 32);
    uint8_t* header = area + (group / shape.headerGroups()) * (shape.headerBytes() + shape.headerGroups() * shape.groupScaleBytes());
    uint8_t* factors = header + shape.headerBytes() + (group % shape.headerGroups()) * shape.groupScaleBytes();
    switch (shape.scales) {
    case PanelScales::Half: std::memcpy(factors + output * 2, block, 2); return;
    case PanelScales::HalfMinimum:
        std::memcpy(factors + output * 2, block, 2);
        std::memcpy(factors + 32 + output * 2, block + 2, 2);
        return;
    case PanelScales::Bytes: {
        std::memcpy(header + output * 2, block, 2);
        std::memcpy(header + 32 + output * 2, block + 2, 2);
        const uint8_t* packed = block + 4;
        const uint32_t j = part & 3u;
        factors[output] = static_cast<uint8_t>(part < 4 ? packed[j] & 63u : (packed[j + 8] & 15u) | ((packed[j] >> 6) << 4));
        factors[16 + output] =
            static_cast<uint8_t>(part < 4 ? packed[j + 4] & 63u : (packed[j + 8] >> 4) | ((packed[j + 4] >> 6) << 4));
        return;
    }
    case PanelScales::BytesPer16:
        std::memcpy(header + output * 2, block + 208, 2);
        factors[output] = block[192 + part * 2];
        factors[16 + output] = block[192 + part * 2 + 1];
        return;
    }
}

// The other way round: one output's codes of a group, with their sign.
kernels::Unpacked32 takeCodes(const uint8_t* lines, const PanelShape& shape, uint32_t output) {
    const auto word = [&](uint32_t line) {
        uint32_t value;
        std::memcpy(&value, lines + line * 64 + output * 4, 4);
        return value;
    };
    Words words;
    for (uint32_t c = 0; c < 8; ++c) {
        if (shape.codeBits == 8) words.chunk[c] = word(c);
        else words.chunk[c] = (word(c % 4) >> (c < 4 ? 0 : 4)) & 0x0F0F0F0Fu;
        if (shape.codeBits == 5) words.chunk[c] |= ((word(4) >> c) & 0x01010101u) << 4;
        if (shape.codeBits == 6) words.chunk[c] |= ((word(4 + c / 4) >> (2 * (c % 4))) & 0x03030303u) << 4;
    }
    kernels::Unpacked32 group;
    std::memcpy(group.codes, words.chunk, 32);
    for (auto& code : group.codes) code = static_cast<int8_t>(code - shape.offset);
    return group;
}

void takeScales(const uint8_t* area, const PanelShape& shape, uint32_t output, uint32_t group, kernels::Unpacked32& out) {
    const uint8_t* header = area + (group / shape.headerGroups()) * (shape.headerBytes() + shape.headerGroups() * shape.groupScaleBytes());
    const uint8_t* factors = header + shape.headerBytes() + (group % shape.headerGroups()) * shape.groupScaleBytes();
    const auto half = [output](const uint8_t* halves) { return kernels::halfToFloat(kernels::readU16(halves + output * 2)); };
    switch (shape.scales) {
    case PanelScales::Half: return out.setScale(half(factors));
    case PanelScales::HalfMinimum: return out.setScale(half(factors), half(factors + 32));
    case PanelScales::Bytes:
        return out.setScale(half(header) * static_cast<float>(factors[output]), -half(header + 32) * static_cast<float>(factors[16 + output]));
    case PanelScales::BytesPer16:
        for (uint32_t h = 0; h < 2; ++h) {
            out.scale[h] = half(header) * static_cast<float>(static_cast<int8_t>(factors[16 * h + output]));
            out.minimum[h] = 0.0f;
        }
        return;
    }
}

template <class Format>
void decodeInteger(const uint8_t* panel, uint32_t output, uint32_t depth, float* out) {
    constexpr PanelShape shape = panelShapeOf<Format>();
    const uint8_t* area = panel + uint64_t(depth / 32) * shape.codeBytes();
    for (uint32_t g = 0; g < depth / 32; ++g) {
        auto group = takeCodes(panel + uint64_t(g) * shape.codeBytes(), shape, output);
        takeScales(area, shape, output, g, group);
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
        Unpacked32 group;
        for (uint32_t g = 0; g < groups; ++g) {
            const uint8_t* block = row + uint64_t(g / parts) * Format::blockBytes;
            Format::unpack32(block, g % parts, group);
            putCodes(panel + uint64_t(g) * shape.codeBytes(), shape.codeBits, output, wordsOf(group, shape.offset));
            putScales<Format>(scales, shape, output, g, block);
        }
    }
}

template <class Format>
void packFloat(const uint8_t* source, uint32_t outputs, uint32_t depth, uint8_t* panel) {
    constexpr uint32_t bytes = Format::blockBytes;
    for (uint32_t output = 0; output < outputs; ++output)
        for (uint64_t k = 0; k < depth; ++k)
            std::memcpy(panel + (k * kPanelOutputs + output) * bytes, source + (uint64_t(output) * depth + k) * bytes, bytes);
}

} // namespace

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
