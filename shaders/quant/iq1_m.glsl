// IQ1_M: 256 values in 56 bytes. value = scale * (2 * s[g] + 1) / 8 * code; layout in kernels/quant/iq1_m.cuh.
// A part has a word of pairs 0..3 (entries) and half a word of pairs 4 and 5 (upper bits, direction); pair 6 is the scales.
#define VALUES 256
#define BLOCK_BYTES 56
#define PAIRS 7
#define PAIRS_OFFSET 0
#include "include/weights.glsl"
#include "include/grid_iq1.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint low = wordAt(b, 0u, part), rest = wordAt(b, 4u, part / 2u) >> ((part & 1u) * 16u);
    const uvec2 s = words2(b, 6u);
    const uint whole = ((s.x >> 12) & 15u) | ((s.x >> 24) & 0xF0u) | ((s.y >> 4) & 0xF00u) | ((s.y >> 16) & 0xF000u);
    const uint six = s[part / 4u] >> (((part / 2u) & 1u) * 16u + (part & 1u) * 6u);
    const vec2 scale = halfToFloat(whole) * 0.125 * vec2((six & 7u) * 2u + 1u, ((six >> 3) & 7u) * 2u + 1u);
    [[unroll]] for (uint run = 0u; run < 4u; ++run) {
        const uint upper = rest >> (run * 4u);
        const uint entry = gridEntry(((low >> (run * 8u)) & 255u) | ((upper & 7u) << 8));
        v[2u * run] = scale[run / 2u] * eighths(entry, (upper & 8u) != 0u);
        v[2u * run + 1u] = scale[run / 2u] * eighths(entry >> 8, (upper & 8u) != 0u);
    }
}
