// TQ2_0: 256 values in 66 bytes. value = scale * (code - 1); layout in kernels/quant/tq2_0.cuh.
// Four neighbouring parts share the four pairs of a half.
#define VALUES 256
#define BLOCK_BYTES 66
#define PAIRS 8
#define PAIRS_OFFSET 0
#define HALF_OFFSET 64
#include "include/weights.glsl"

struct Cache {
    uvec4 run[2];
    float scale;
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) c.scale = blockHalf(b);
    if (fresh || (part & 3u) == 0u) {
        c.run[0] = words4(b, (part / 4u) * 4u);
        c.run[1] = words4(b, (part / 4u) * 4u + 2u);
    }
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        v[i] = c.scale * vec4(twosOf(c.run[i / 4u][i % 4u], (part & 3u) * 2u) - 1);
}
