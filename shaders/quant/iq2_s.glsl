// IQ2_S: 256 values in 82 bytes. value = scale * (2 * s[g] + 1) / 8 * code; layout in kernels/quant/iq2_s.cuh.
// A part has a word of pairs 0..3 (entries), one of pairs 4..7 (signs), and a byte each of pairs 8 and 9.
#define VALUES 256
#define BLOCK_BYTES 82
#define PAIRS 10
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#define GRID_START 768u
#include "include/grid.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint low = wordAt(b, 0u, part), signs = wordAt(b, 4u, part), shift = (part & 3u) * 8u;
    const uint high = wordAt(b, 8u, part / 4u) >> shift, both = wordAt(b, 9u, part / 4u) >> shift;
    const vec2 scale = blockHalf(b) * 0.125 * vec2((both & 15u) * 2u + 1u, ((both >> 4) & 15u) * 2u + 1u);
    [[unroll]] for (uint run = 0u; run < 4u; ++run) {
        const uint entry = gridEntry(((low >> (run * 8u)) & 255u) | (((high >> (run * 2u)) & 3u) << 8));
        v[2u * run] = scale[run / 2u] * withSigns(wideThrees(entry), signs >> (run * 8u));
        v[2u * run + 1u] = scale[run / 2u] * withSigns(wideThrees(entry >> 8), signs >> (run * 8u + 4u));
    }
}
