// Q2_K: 256 values in 84 bytes. value = scale * s[g] * code - minimum * m[g]; layout in kernels/quant/q2_k.cuh.
// Pairs 0 and 1 are s and m of 16 values each; four neighbouring parts share the four pairs of a half.
#define VALUES 256
#define BLOCK_BYTES 84
#define PAIRS 10
#define PAIRS_OFFSET 0
#define SINGLE_OFFSET 80
#include "include/weights.glsl"

struct Cache {
    uvec4 factors;
    uvec4 run[2];
    vec2 scale;
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) {
        c.factors = words4(b, 0u);
        c.scale = unpackHalf2x16(blockWord(b));
    }
    if (fresh || (part & 3u) == 0u) {
        c.run[0] = words4(b, 2u + (part / 4u) * 4u);
        c.run[1] = words4(b, 4u + (part / 4u) * 4u);
    }
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint both = c.factors[part / 2u] >> ((part & 1u) * 16u), shift = (part & 3u) * 2u;
    const vec2 scale = c.scale.x * vec2(both & 15u, (both >> 8) & 15u);
    const vec2 minimum = -c.scale.y * vec2((both >> 4) & 15u, (both >> 12) & 15u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        v[i] = fma(vec4(scale[i / 4u]), vec4(twosOf(c.run[i / 4u][i % 4u], shift)), vec4(minimum[i / 4u]));
}
