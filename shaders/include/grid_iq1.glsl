// What IQ1_S and IQ1_M share: the place of their grid, and the values of its entries.
#ifndef STEELYARD_GRID_IQ1
#define STEELYARD_GRID_IQ1

#define GRID_START 2560u
#include "include/grid.glsl"

// Four codes in eighths: -8, 0 or 8, moved by one up or down.
vec4 eighths(uint digits, bool down) { return vec4(ivec4((uvec4(digits) >> uvec4(0u, 2u, 4u, 6u)) & 3u) * 8 - (down ? 9 : 7)); }

#endif
