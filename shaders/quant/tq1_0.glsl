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

// The digits of a number of four bytes.
vec4 digits(uint w, uint number) {
    const int power = number == 0u ? 1 : number == 1u ? 3 : number == 2u ? 9 : number == 3u ? 27 : 81;
    return vec4(((((bytesOf(w) * power) & 255) * 3) >> 8) - 1);
}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        if (part < 5u) v[i] = c.scale * digits(c.run[i / 4u][i % 4u], part);
        else if (part < 7u || i < 4u) v[i] = c.scale * digits(c.run[2][i % 4u], (part - 5u) * 2u + i / 4u);
        else v[i] = c.scale * digits(c.last, i - 4u);
    }
}
