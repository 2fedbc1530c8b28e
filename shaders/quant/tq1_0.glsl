// TQ1_0: 256 values in 54 bytes. value = scale * (digit - 1); layout in kernels/quant/tq1_0.cuh.
// Pairs 0..3 hold five digits of 32 values each, pairs 4 and 5 five of 16, the single word four of 4.
#define VALUES 256
#define BLOCK_BYTES 54
#define PAIRS 6
#define PAIRS_OFFSET 0
#define SINGLE_OFFSET 48
#define HALF_OFFSET 52
#include "include/weights.glsl"

struct Cache {
    uvec4 run[3];
    uint last;
    float scale;
};

void loadPart(inout Cache c, Block b, uint part, bool fresh) {
    if (!fresh && part != 0u) return;
    [[unroll]] for (uint i = 0u; i < 3u; ++i) c.run[i] = words4(b, 2u * i);
    c.last = blockWord(b);
    c.scale = blockHalf(b);
}

uint power(uint number) { return number == 0u ? 1u : number == 1u ? 3u : number == 2u ? 9u : number == 3u ? 27u : 81u; }

// A digit of each of four bytes.
vec4 digits(uint w, uint moved) { return vec4(((((bytesOf(w) * int(moved)) & 255) * 3) >> 8) - 1); }

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    [[unroll]] for (uint h = 0u; h < 2u; ++h) { // 16 values of one digit, but for the last 16
        const bool wide = part < 5u, last = part == 7u && h == 1u;
        const uvec4 w = wide ? c.run[h] : last ? uvec4(c.last) : c.run[2];
        const uint first = power(wide ? part : last ? 0u : (part - 5u) * 2u + h);
        [[unroll]] for (uint i = 0u; i < 4u; ++i) v[h * 4u + i] = c.scale * digits(w[i], first * (last ? power(i) : 1u));
    }
}
