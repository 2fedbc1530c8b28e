// How weights are kept on a Vulkan device: layout 0 is the file's bytes, layout 1 interleaves 32 rows so that
// neighbouring threads read neighbouring words. The shaders' side of it is shaders/include/weights.glsl. Knows nothing
// of Vulkan's API.
#pragma once

#include "engine/core/tensor_type.h"

#include <cstdint>
#include <span>

namespace steelyard {

// Whether a type can be kept in layout 1.
bool hasTileLayout(TensorType type);

// Bytes of a weight in a layout; sizes are checked by the caller to fit 64 bits.
uint64_t vulkanWeightBytes(TensorType type, uint32_t layout, uint64_t rows, uint64_t columns);

// Rearranges whole rows from the file's layout to layout 1; `destination` has vulkanWeightBytes(type, 1, ...) bytes.
void packTiles(TensorType type, std::span<const uint8_t> source, uint64_t rows, uint64_t columns,
               std::span<uint8_t> destination);

} // namespace steelyard
