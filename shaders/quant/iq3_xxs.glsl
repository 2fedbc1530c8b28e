// IQ3_XXS: 256 values in 98 bytes. value = scale * (2 * s[g] + 1) / 4 * code; layout in kernels/quant/iq3_xxs.cuh.
// A part has a pair of entries, and a word of pairs 8..11: signs and s.
#define VALUES 256
#define BLOCK_BYTES 98
#define PAIRS 12
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#define GRID_START 1792u
#include "include/grid.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

// Four magnitudes: 4, 12, 20 and so on; the eighth is 62.
vec4 magnitudes(uint digits) {
    const uvec4 d = (uvec4(digits) >> uvec4(0u, 4u, 8u, 12u)) & 7u;
    return vec4(d * 8u + 4u + 2u * uvec4(equal(d, uvec4(7u))));
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 w = words2(b, part);
    const uint rest = wordAt(b, 8u, part);
    const float scale = blockHalf(b) * 0.25 * float((rest >> 28) * 2u + 1u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint entry = gridEntry((w[i / 4u] >> ((i & 3u) * 8u)) & 255u);
        v[i] = scale * withSigns(magnitudes(entry), evenSigns((rest >> (i / 2u * 7u)) & 127u) >> ((i & 1u) * 4u));
    }
}
