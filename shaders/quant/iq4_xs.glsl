// IQ4_XS: 256 values in 136 bytes. value = scale * (s[g] - 32) * book[code]; layout in kernels/quant/iq4_xs.cuh.
// Pair 0 is the head, then two pairs for each part.
#define VALUES 256
#define BLOCK_BYTES 136
#define PAIRS 17
#define PAIRS_OFFSET 0
#include "include/weights.glsl"
#include "include/codebook.glsl"

struct Cache { uvec2 head; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) c.head = words2(b, 0u);
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint s = ((c.head.y >> (part * 4u)) & 15u) | (((c.head.x >> (16u + part * 2u)) & 3u) << 4);
    const float scale = halfToFloat(c.head.x) * float(int(s) - 32);
    const uvec4 w = words4(b, 1u + part * 2u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = scale * bookValues(w[i], 0u);
        v[i + 4u] = scale * bookValues(w[i], 4u);
    }
}
