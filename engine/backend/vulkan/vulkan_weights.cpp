#include "engine/backend/vulkan/vulkan_weights.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>

namespace steelyard {

namespace {

constexpr uint64_t kTileRows = 32;

// A block as layout 1 takes it apart: pairs of words, and for some formats a single word and a half beside them. Twins
// of the same names in shaders/quant. Float rows are cut into blocks of 32 values and filled up with zeros.
struct BlockShape {
    TensorType type;
    uint32_t values, bytes, pairs, pairsOffset;
    std::optional<uint32_t> singleOffset, halfOffset;

    uint64_t packedBytes() const { return pairs * 8 + (singleOffset ? 4 : 0) + (halfOffset ? 2 : 0); }
};

constexpr BlockShape kShapes[] = {
    {TensorType::F32, 32, 128, 16, 0, std::nullopt, std::nullopt},
    {TensorType::F16, 32, 64, 8, 0, std::nullopt, std::nullopt},
    {TensorType::BF16, 32, 64, 8, 0, std::nullopt, std::nullopt},
    {TensorType::Q4_0, 32, 18, 2, 2, std::nullopt, 0},
    {TensorType::Q4_1, 32, 20, 2, 4, 0, std::nullopt},
    {TensorType::Q5_0, 32, 22, 2, 6, 2, 0},
    {TensorType::Q5_1, 32, 24, 3, 0, std::nullopt, std::nullopt},
    {TensorType::Q8_0, 32, 34, 4, 2, std::nullopt, 0},
    {TensorType::Q4_K, 256, 144, 18, 0, std::nullopt, std::nullopt},
    {TensorType::Q6_K, 256, 210, 26, 0, std::nullopt, 208},
    {TensorType::Q2_K, 256, 84, 10, 0, 80, std::nullopt},
    {TensorType::Q3_K, 256, 110, 13, 0, 104, 108},
    {TensorType::Q5_K, 256, 176, 22, 0, std::nullopt, std::nullopt},
    {TensorType::IQ1_S, 256, 50, 6, 2, std::nullopt, 0},
    {TensorType::IQ1_M, 256, 56, 7, 0, std::nullopt, std::nullopt},
    {TensorType::IQ2_XXS, 256, 66, 8, 2, std::nullopt, 0},
    {TensorType::IQ2_XS, 256, 74, 9, 2, std::nullopt, 0},
    {TensorType::IQ2_S, 256, 82, 10, 2, std::nullopt, 0},
    {TensorType::IQ3_XXS, 256, 98, 12, 2, std::nullopt, 0},
    {TensorType::IQ3_S, 256, 110, 13, 2, 106, 0},
    {TensorType::IQ4_NL, 32, 18, 2, 2, std::nullopt, 0},
    {TensorType::IQ4_XS, 256, 136, 17, 0, std::nullopt, std::nullopt},
    {TensorType::TQ1_0, 256, 54, 6, 0, 48, 52},
    {TensorType::TQ2_0, 256, 66, 8, 0, std::nullopt, 64},
    {TensorType::MXFP4, 32, 17, 2, 1, std::nullopt, 0}, // the half's second byte is the first pair's as well
    {TensorType::NVFP4, 64, 36, 4, 4, 0, std::nullopt},
    {TensorType::Q1_0, 128, 18, 2, 2, std::nullopt, 0},
    {TensorType::Q2_0, 64, 18, 2, 2, std::nullopt, 0},
};

const BlockShape* shapeOf(TensorType type) {
    const auto found =
        std::find_if(std::begin(kShapes), std::end(kShapes), [&](const auto& s) { return s.type == type; });
    return found == std::end(kShapes) ? nullptr : found;
}

uint64_t fileRowBytes(TensorType type, uint64_t columns) {
    return columns / info(type).blockValues * info(type).blockBytes;
}

} // namespace

bool hasTileLayout(TensorType type) {
    return shapeOf(type) != nullptr;
}

uint64_t vulkanWeightBytes(TensorType type, uint32_t layout, uint64_t rows, uint64_t columns) {
    const BlockShape* shape = shapeOf(type);
    if (layout == 0 || !shape) return rows * fileRowBytes(type, columns);
    const uint64_t tiles = (rows + kTileRows - 1) / kTileRows, blocks = (columns + shape->values - 1) / shape->values;
    return tiles * blocks * kTileRows * shape->packedBytes();
}

void packTiles(TensorType type, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
               std::span<uint8_t> destination) {
    const BlockShape* shape = shapeOf(type);
    assert(shape && destination.size() == vulkanWeightBytes(type, 1, rows, columns));
    const uint64_t rowBytes = fileRowBytes(type, columns);
    const uint64_t tiles = (rows + kTileRows - 1) / kTileRows, blocks = (columns + shape->values - 1) / shape->values;
    assert(source.size() >= rows * rowBytes);
    const uint64_t all = tiles * blocks * kTileRows;
    uint8_t* const singles = destination.data() + all * shape->pairs * 8;
    uint8_t* const halves = singles + all * (shape->singleOffset ? 4 : 0);
    for (uint64_t row = 0; row < tiles * kTileRows; ++row) {
        const uint64_t lane = row % kTileRows;
        for (uint64_t block = 0; block < blocks; ++block) {
            const uint64_t place = row / kTileRows * blocks + block;
            uint8_t* pairs = destination.data() + place * kTileRows * shape->pairs * 8 + lane * 8;
            uint8_t filled[256] =
                {}; // a block at the end of a float row, and those of rows that do not exist, are zeros
            const uint8_t* bytes = filled;
            if (row < rows) {
                const uint64_t start = block * shape->bytes;
                bytes = source.data() + row * rowBytes + start;
                if (start + shape->bytes > rowBytes) {
                    std::memcpy(filled, bytes, rowBytes - start);
                    bytes = filled;
                }
            }
            for (uint32_t p = 0; p < shape->pairs; ++p)
                std::memcpy(pairs + uint64_t(p) * kTileRows * 8, bytes + shape->pairsOffset + p * 8, 8);
            if (shape->singleOffset)
                std::memcpy(singles + (place * kTileRows + lane) * 4, bytes + *shape->singleOffset, 4);
            if (shape->halfOffset) std::memcpy(halves + (place * kTileRows + lane) * 2, bytes + *shape->halfOffset, 2);
        }
    }
}

} // namespace steelyard
