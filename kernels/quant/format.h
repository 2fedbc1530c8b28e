// What a tensor format must supply so that every matrix kernel can use it.
//
// A format is one file, kernels/quant/<name>.cuh (and its twin shaders/quant/<name>.glsl), whose head documents the byte
// layout of a block. It is a struct with
//     static constexpr uint32_t typeId, blockValues, blockBytes;  // GGUF's number; sizes as in the file
//     static constexpr ProductClass productClass;
//     static void unpack32(const uint8_t* block, uint32_t part, Unpacked32& out);          // integer classes
//     static GroupScales groupScales(const uint8_t* block, uint32_t part);                 // integer classes
//     static float load(const uint8_t* row, uint32_t index);                               // class Float only
// Formats whose codes are entries of a grid (grid.h) supply the entries' numbers and signs, and their unpack32 follows.
// Formats that keys and values are cached in (kernels/ops/cache_layout.h) have blocks of 32 whose first bytes are scales, the
// head, and the rest codes; there both lie apart, and values are made on the device:
//     static constexpr uint32_t headBytes;
//     static void unpackApart(const uint8_t* head, const uint8_t* codes, Unpacked32& out);
//     static float value(const uint8_t* head, const uint8_t* codes, uint32_t index);       // one of the 32
//     static void pack32(const float* values, uint8_t* head, uint8_t* codes);              // pack.h says what is common
// and those of class Float a store(row, index, value).
// `part` counts groups of 32 values inside the block. Matrix-vector, tile and processor kernels are written once per
// product class. The list of all formats is kernels/quant/formats.h: a new format is one row there.
#pragma once

#include "kernels/device/half.h"
#include "kernels/device/keywords.h"

#include <cstdint>

namespace steelyard::kernels {

// How a value follows from its code: value = scale * code + minimum.
enum class ProductClass : uint32_t {
    Float,      // values are stored as floating point
    Scale32,    // one scale for 32 values, no minimum
    ScaleMin32, // one scale and one minimum for 32 values
    Scale16,    // a scale for each 16 values, no minimum
    ScaleMin16, // a scale and a minimum for each 16 values
};

// The numbers as they are stored from which the scales of a group follow, for code that keeps weights in an order of its
// own: scale[h] = scale * factor[h], minimum[h] = minimum * minimumFactor[h]. What `scale` and `minimum` are says the format:
// bits of a half unless its head says otherwise. Factors fit a byte.
struct GroupScales {
    uint16_t scale = 0, minimum = 0;
    int32_t factor[2] = {1, 1}, minimumFactor[2] = {1, 1};
};

// 32 consecutive values of a row: value i = scale[i / 16] * codes[i] + minimum[i / 16]. Classes with one scale per 32
// fill both entries alike. Codes fit a signed byte.
struct Unpacked32 {
    int8_t codes[32];
    float scale[2];
    float minimum[2];

    // One scale and one minimum for all 32.
    __host__ __device__ void setScale(float value, float valueMinimum = 0.0f) {
        scale[0] = scale[1] = value;
        minimum[0] = minimum[1] = valueMinimum;
    }
    // Halves times factors; `step` is a power of two that the format has beside them.
    __host__ __device__ void setScales(const GroupScales& group, float step = 1.0f) {
        const float unit = halfToFloat(group.scale) * step, unitMinimum = halfToFloat(group.minimum);
        for (int h = 0; h < 2; ++h) {
            scale[h] = unit * static_cast<float>(group.factor[h]);
            minimum[h] = unitMinimum * static_cast<float>(group.minimumFactor[h]);
        }
    }
};

// Steps of a code that the second plane of an 8-bit activation counts (kernels/ops/quantize_rows.h).
constexpr float kPlaneSteps = 254.0f;

// Little-endian numbers at any alignment.
__host__ __device__ inline uint16_t readU16(const uint8_t* bytes) {
    return static_cast<uint16_t>(bytes[0] | (bytes[1] << 8));
}
__host__ __device__ inline void writeU16(uint8_t* bytes, uint16_t value) {
    bytes[0] = static_cast<uint8_t>(value & 255u);
    bytes[1] = static_cast<uint8_t>(value >> 8);
}
__host__ __device__ inline uint32_t readU32(const uint8_t* bytes) {
    return bytes[0] | (uint32_t(bytes[1]) << 8) | (uint32_t(bytes[2]) << 16) | (uint32_t(bytes[3]) << 24);
}

// A scale for 32 values, or one and a minimum.
__host__ __device__ inline GroupScales oneScale(uint16_t scale, int32_t factor = 1) { return {scale, 0, {factor, factor}, {1, 1}}; }
__host__ __device__ inline GroupScales scaleAndMinimum(uint16_t scale, uint16_t minimum, int32_t factor = 1, int32_t minimumFactor = 1) {
    return {scale, minimum, {factor, factor}, {minimumFactor, minimumFactor}};
}

} // namespace steelyard::kernels
