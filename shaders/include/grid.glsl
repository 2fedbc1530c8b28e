// Codes that are entries of a grid, and their signs; twin of kernels/quant/grid.h. The numbers of all grids lie in device
// memory, sixteen bits an entry; the host gives their address to every pipeline. A format defines where its own begin:
// GRID_START, in entries.
#ifndef STEELYARD_GRID
#define STEELYARD_GRID

layout(constant_id = 30) const uint GRIDS_LOW = 0;
layout(constant_id = 31) const uint GRIDS_HIGH = 0;

// The sixteen bits of an entry.
uint gridEntry(uint entry) { return uint(ReadHalves(packUint2x32(uvec2(GRIDS_LOW, GRIDS_HIGH))).v[GRID_START + entry]); }

// Four magnitudes 8, 25, 43 from two bits each.
vec4 wideThrees(uint digits) {
    const uvec4 d = (uvec4(digits) >> uvec4(0u, 2u, 4u, 6u)) & 3u;
    return vec4((uvec4(0x002B1908u) >> (d * 8u)) & 255u);
}

// Signs of eight codes in seven bits: the eighth makes the number of negative ones even.
uint evenSigns(uint seven) { return seven | ((uint(bitCount(seven)) & 1u) << 7); }

// Four codes, negative where their bit is set.
vec4 withSigns(vec4 codes, uint bits) { return mix(codes, -codes, notEqual(uvec4(bits) & uvec4(1u, 2u, 4u, 8u), uvec4(0u))); }

#endif
