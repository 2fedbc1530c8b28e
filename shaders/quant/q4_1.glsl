// Q4_1: 32 values in 20 bytes. value = scale * code + minimum; layout in kernels/quant/q4_1.cuh.
#define VALUES 32
#define BLOCK_BYTES 20
#define PAIRS 2
#define PAIRS_OFFSET 4
#define SINGLE_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const vec2 scale = unpackHalf2x16(blockWord(b));
    const uvec4 w = words4(b, 0u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = fma(scale.xxxx, vec4(nibblesOf(w[i], 0u)), scale.yyyy);
        v[i + 4u] = fma(scale.xxxx, vec4(nibblesOf(w[i], 4u)), scale.yyyy);
    }
}
