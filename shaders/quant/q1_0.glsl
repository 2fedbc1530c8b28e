// Q1_0: 128 values in 18 bytes. value = scale where the bit is set, else -scale; layout in kernels/quant/q1_0.cuh.
#define VALUES 128
#define BLOCK_BYTES 18
#define PAIRS 2
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint bits = wordAt(b, 0u, part);
    const float scale = blockHalf(b);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        v[i] = scale * (vec4((uvec4(bits) >> (uvec4(0u, 1u, 2u, 3u) + 4u * i)) & 1u) * 2.0 - 1.0);
}
