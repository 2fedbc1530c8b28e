// Q2_0: 64 values in 18 bytes. value = scale * (code - 1); layout in kernels/quant/q2_0.cuh. A part has one pair.
#define VALUES 64
#define BLOCK_BYTES 18
#define PAIRS 2
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 w = words2(b, part);
    const float scale = blockHalf(b);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        v[i] = scale * vec4(ivec4((uvec4(w[i / 4u]) >> (uvec4(0u, 2u, 4u, 6u) + 8u * (i & 3u))) & 3u) - 1);
}
