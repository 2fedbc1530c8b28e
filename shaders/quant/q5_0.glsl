// Q5_0: 32 values in 22 bytes. value = scale * (code - 16); layout in kernels/quant/q5_0.cuh.
#define VALUES 32
#define BLOCK_BYTES 22
#define PAIRS 2
#define PAIRS_OFFSET 6
#define SINGLE_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint fifth = blockWord(b);
    const uvec4 w = words4(b, 0u);
    const float scale = blockHalf(b), minimum = -16.0 * scale;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        const ivec4 low = ivec4(((uvec4(fifth) >> (uvec4(0u, 1u, 2u, 3u) + 4u * i)) & 1u) << 4);
        const ivec4 high = ivec4(((uvec4(fifth) >> (uvec4(16u, 17u, 18u, 19u) + 4u * i)) & 1u) << 4);
        v[i] = fma(vec4(scale), vec4(nibblesOf(w[i], 0u) | low), vec4(minimum));
        v[i + 4u] = fma(vec4(scale), vec4(nibblesOf(w[i], 4u) | high), vec4(minimum));
    }
}
