// Q6_K: 256 values in 210 bytes. value = scale * s[g] * (code - 32); layout in kernels/quant/q6_k.cuh.
// Pairs 0..15 are the low bits, 16..23 the upper bits, 24 and 25 the scales of 16 values. The four parts of a half share
// eight words of upper bits, and two parts each eight words of low bits.
#define VALUES 256
#define BLOCK_BYTES 210
#define PAIRS 26
#define PAIRS_OFFSET 0
#define HALF_OFFSET 208
#include "include/weights.glsl"

struct Cache {
    uvec4 low[4];
    uvec4 high[2];
    uvec4 scales;
    float scale;
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (fresh || part == 0u) {
        c.scales = words4(b, 24u);
        c.scale = blockHalf(b);
    }
    if (fresh || (part & 3u) == 0u) {
        const uint half16 = part / 4u;
        [[unroll]] for (uint i = 0u; i < 4u; ++i) c.low[i] = words4(b, half16 * 8u + 2u * i);
        [[unroll]] for (uint i = 0u; i < 2u; ++i) c.high[i] = words4(b, 16u + half16 * 4u + 2u * i);
    }
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint quarter = part & 3u, lowShift = (quarter / 2u) * 4u, highShift = quarter * 2u;
    const uint pair = part / 2u;
    const uint four = pair == 0u ? c.scales.x : pair == 1u ? c.scales.y : pair == 2u ? c.scales.z : c.scales.w;
    const ivec4 scales = signedBytesOf(four);
    const vec2 scale = c.scale * vec2((part & 1u) == 0u ? scales.xy : scales.zw);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        const uint even = c.low[i / 4u][i % 4u], odd = c.low[2u + i / 4u][i % 4u];
        const uint low = (quarter & 1u) == 0u ? even : odd;
        const uint high = (c.high[i / 4u][i % 4u] >> highShift) & 0x03030303u;
        const uint codes = ((low >> lowShift) & 0x0F0F0F0Fu) | (high << 4);
        v[i] = (i < 4u ? scale.x : scale.y) * vec4(bytesOf(codes) - 32);
    }
}
