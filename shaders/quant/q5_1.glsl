// Q5_1: 32 values in 24 bytes. value = scale * code + minimum; layout in kernels/quant/q5_1.cuh.
#define VALUES 32
#define BLOCK_BYTES 24
#define PAIRS 3
#define PAIRS_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec2 head = words2(b, 0u);
    const vec2 scale = unpackHalf2x16(head.x);
    const uint fifth = head.y;
    const uvec4 w = words4(b, 1u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        const ivec4 low = ivec4(((uvec4(fifth) >> (uvec4(0u, 1u, 2u, 3u) + 4u * i)) & 1u) << 4);
        const ivec4 high = ivec4(((uvec4(fifth) >> (uvec4(16u, 17u, 18u, 19u) + 4u * i)) & 1u) << 4);
        v[i] = fma(scale.xxxx, vec4(nibblesOf(w[i], 0u) | low), scale.yyyy);
        v[i + 4u] = fma(scale.xxxx, vec4(nibblesOf(w[i], 4u) | high), scale.yyyy);
    }
}
