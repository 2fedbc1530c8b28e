// The numbers of the grids (kernels/quant/grid.h) as shaders read them: all grids one after the other, 16 bits an entry.
//
// They lie in device memory, because arrays of constants cost software devices minutes to compile. Where each grid begins
// is said again in its format's shader (GRID_START). Knows nothing of Vulkan's API.
#pragma once

#include <cstdint>
#include <span>

namespace steelyard {

std::span<const uint8_t> vulkanGrids();

} // namespace steelyard
