// IQ2_XS: 256 values in 74 bytes. value = scale * (2 * s[g] + 1) / 8 * code; layout in kernels/quant/iq2_xs.cuh.
// A part has one pair, and a byte of the last one.
#define VALUES 256
#define BLOCK_BYTES 74
#define PAIRS 9
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#define GRID_START 256u
#include "include/grid.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 w = words2(b, part);
    const uint both = wordAt(b, 8u, part / 4u) >> ((part & 3u) * 8u);
    const vec2 scale = blockHalf(b) * 0.125 * vec2((both & 15u) * 2u + 1u, ((both >> 4) & 15u) * 2u + 1u);
    [[unroll]] for (uint run = 0u; run < 4u; ++run) {
        const uint bits = w[run / 2u] >> ((run & 1u) * 16u);
        const uint entry = gridEntry(bits & 511u), signs = evenSigns((bits >> 9) & 127u);
        v[2u * run] = scale[run / 2u] * withSigns(wideThrees(entry), signs);
        v[2u * run + 1u] = scale[run / 2u] * withSigns(wideThrees(entry >> 8), signs >> 4);
    }
}
