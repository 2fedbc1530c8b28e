// IQ1_S: 256 values in 50 bytes. value = scale * (2 * s[g] + 1) / 8 * code; layout in kernels/quant/iq1_s.cuh.
// A part has a word of pairs 0..3 (entries) and half a word of pairs 4 and 5 (upper bits, s, direction).
#define VALUES 256
#define BLOCK_BYTES 50
#define PAIRS 6
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#include "include/grid_iq1.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint low = wordAt(b, 0u, part), rest = wordAt(b, 4u, part / 2u) >> ((part & 1u) * 16u);
    const float scale = blockHalf(b) * 0.125 * float(((rest >> 12) & 7u) * 2u + 1u);
    const bool down = (rest & 0x8000u) != 0u;
    [[unroll]] for (uint run = 0u; run < 4u; ++run) {
        const uint entry = gridEntry(((low >> (run * 8u)) & 255u) | (((rest >> (run * 3u)) & 7u) << 8));
        v[2u * run] = scale * eighths(entry, down);
        v[2u * run + 1u] = scale * eighths(entry >> 8, down);
    }
}
