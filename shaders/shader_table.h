// The compiled shaders, embedded: what the Vulkan device knows of this folder. A shader's name is its op's stem, and
// for ops that read weights the stem, a point and the format ("mat_mul.q4_k"). Knows nothing of Vulkan's API.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace steelyard::shaders {

struct Shader {
    std::string_view name;
    std::span<const uint32_t> code; // SPIR-V
};

// All shaders, in no particular order.
std::span<const Shader> all();

} // namespace steelyard::shaders
