#include "engine/backend/vulkan/vulkan_grids.h"

namespace steelyard {

namespace {

// Entries: 256, 512, 1024, 256, 512, 2048; a word holds two, the even one low.
constexpr uint32_t kGrids[] = {
#include "kernels/quant/grids/iq2_xxs.inc"
    ,
#include "kernels/quant/grids/iq2_xs.inc"
    ,
#include "kernels/quant/grids/iq2_s.inc"
    ,
#include "kernels/quant/grids/iq3_xxs.inc"
    ,
#include "kernels/quant/grids/iq3_s.inc"
    ,
#include "kernels/quant/grids/iq1.inc"
};
static_assert(sizeof kGrids == 4608 * 2);

} // namespace

std::span<const uint8_t> vulkanGrids() {
    return {reinterpret_cast<const uint8_t*>(kGrids), sizeof kGrids};
}

} // namespace steelyard
