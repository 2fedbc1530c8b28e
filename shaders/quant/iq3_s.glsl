// IQ3_S: 256 values in 110 bytes. value = scale * (2 * s[g] + 1) * code; layout in kernels/quant/iq3_s.cuh.
// A part has a pair of entries, a byte of pair 8 (ninth bits), a word of pairs 9..12 (signs) and a nibble of the single word.
#define VALUES 256
#define BLOCK_BYTES 110
#define PAIRS 13
#define PAIRS_OFFSET 2
#define SINGLE_OFFSET 106
#define HALF_OFFSET 0
#include "include/weights.glsl"
#define GRID_START 2048u
#include "include/grid.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 w = words2(b, part);
    const uint ninth = wordAt(b, 8u, part / 4u) >> ((part & 3u) * 8u), signs = wordAt(b, 9u, part);
    const float scale = blockHalf(b) * float(((blockWord(b) >> (part * 4u)) & 15u) * 2u + 1u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint entry = gridEntry(((w[i / 4u] >> ((i & 3u) * 8u)) & 255u) | (((ninth >> i) & 1u) << 8));
        const vec4 magnitudes = vec4(((uvec4(entry) >> uvec4(0u, 4u, 8u, 12u)) & 7u) * 2u + 1u);
        v[i] = scale * withSigns(magnitudes, signs >> (i * 4u));
    }
}
