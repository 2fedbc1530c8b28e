// IQ2_XXS: 256 values in 66 bytes. value = scale * (2 * s[g] + 1) / 8 * code; layout in kernels/quant/iq2_xxs.cuh.
// A part has one pair.
#define VALUES 256
#define BLOCK_BYTES 66
#define PAIRS 8
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#define GRID_START 0u
#include "include/grid.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 w = words2(b, part);
    const float scale = blockHalf(b) * 0.125 * float((w.y >> 28) * 2u + 1u);
    [[unroll]] for (uint run = 0u; run < 4u; ++run) {
        const uint entry = gridEntry((w.x >> (run * 8u)) & 255u), signs = evenSigns((w.y >> (run * 7u)) & 127u);
        v[2u * run] = scale * withSigns(wideThrees(entry), signs);
        v[2u * run + 1u] = scale * withSigns(wideThrees(entry >> 8), signs >> 4);
    }
}
