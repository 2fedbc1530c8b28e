// Q8_0: 32 values in 34 bytes. value = scale * code; layout in kernels/quant/q8_0.cuh.
#define VALUES 32
#define BLOCK_BYTES 34
#define PAIRS 4
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const float scale = blockHalf(b);
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        const uvec4 w = words4(b, 2u * i);
        [[unroll]] for (uint j = 0u; j < 4u; ++j) v[4u * i + j] = scale * vec4(signedBytesOf(w[j]));
    }
}
