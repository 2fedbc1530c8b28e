// Q3_K: 256 values in 110 bytes. value = scale * (s[g] - 32) * (code - 4); layout in kernels/quant/q3_k.cuh.
// Pairs 0..3 are the third bits, 4..11 the low bits, pair 12 and the single word the packed s.
#define VALUES 256
#define BLOCK_BYTES 110
#define PAIRS 13
#define PAIRS_OFFSET 0
#define SINGLE_OFFSET 104
#define HALF_OFFSET 108
#include "include/weights.glsl"

struct Cache {
    uvec4 third[2], run[2];
    uvec3 factors;
    float scale;
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) {
        c.third[0] = words4(b, 0u);
        c.third[1] = words4(b, 2u);
        c.factors = uvec3(words2(b, 12u), blockWord(b));
        c.scale = blockHalf(b);
    }
    if (fresh || (part & 3u) == 0u) {
        c.run[0] = words4(b, 4u + (part / 4u) * 4u);
        c.run[1] = words4(b, 6u + (part / 4u) * 4u);
    }
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    // The factors 2 * part and the next: low bits in neighbouring bytes, and so are the upper ones.
    const uint pair = part & 3u, bytes = (pair & 1u) * 16u;
    const uint low = (pair < 2u ? c.factors.x : c.factors.y) >> (bytes + (part < 4u ? 0u : 4u));
    const uint high = c.factors.z >> (bytes + (part / 2u) * 2u);
    const uvec2 s = uvec2((low & 15u) | ((high & 3u) << 4), ((low >> 8) & 15u) | (((high >> 8) & 3u) << 4));
    const vec2 scale = c.scale * vec2(ivec2(s) - 32);
    const uint shift = pair * 2u;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint codes = ((c.run[i / 4u][i % 4u] >> shift) & 0x03030303u) | (((c.third[i / 4u][i % 4u] >> part) & 0x01010101u) << 2);
        v[i] = scale[i / 4u] * vec4(bytesOf(codes) - 4);
    }
}
