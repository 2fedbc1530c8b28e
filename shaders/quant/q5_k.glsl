// Q5_K: 256 values in 176 bytes. value = scale * s[g] * code - minimum * m[g]; layout in kernels/quant/q5_k.cuh.
// Pairs 0 and 1 are the two halves and the packed s and m, 2..5 the fifth bits; two neighbouring parts share the four pairs
// of a run.
#define VALUES 256
#define BLOCK_BYTES 176
#define PAIRS 22
#define PAIRS_OFFSET 0
#include "include/weights.glsl"

struct Cache {
    uvec4 head;
    uvec4 fifth[2], run[2];
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) {
        c.head = words4(b, 0u);
        c.fifth[0] = words4(b, 2u);
        c.fifth[1] = words4(b, 4u);
    }
    if (fresh || (part & 1u) == 0u) {
        c.run[0] = words4(b, 6u + (part / 2u) * 4u);
        c.run[1] = words4(b, 8u + (part / 2u) * 4u);
    }
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const vec2 scale = packedScales(c.head, part);
    const uint shift = (part & 1u) * 4u;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint codes = ((c.run[i / 4u][i % 4u] >> shift) & 0x0F0F0F0Fu) | (((c.fifth[i / 4u][i % 4u] >> part) & 0x01010101u) << 4);
        v[i] = fma(vec4(scale.x), vec4(bytesOf(codes)), vec4(scale.y));
    }
}
