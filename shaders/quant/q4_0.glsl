// Q4_0: 32 values in 18 bytes. value = scale * (code - 8); layout in kernels/quant/q4_0.cuh.
#define VALUES 32
#define BLOCK_BYTES 18
#define PAIRS 2
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec4 w = words4(b, 0u);
    const float scale = blockHalf(b), minimum = -8.0 * scale;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = fma(vec4(scale), vec4(nibblesOf(w[i], 0u)), vec4(minimum));
        v[i + 4u] = fma(vec4(scale), vec4(nibblesOf(w[i], 4u)), vec4(minimum));
    }
}
