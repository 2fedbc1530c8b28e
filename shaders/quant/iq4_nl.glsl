// IQ4_NL: 32 values in 18 bytes. value = scale * book[code]; layout in kernels/quant/iq4_nl.cuh.
#define VALUES 32
#define BLOCK_BYTES 18
#define PAIRS 2
#define PAIRS_OFFSET 2
#define HALF_OFFSET 0
#include "include/weights.glsl"
#include "include/codebook.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec4 w = words4(b, 0u);
    const float scale = blockHalf(b);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = scale * bookValues(w[i], 0u);
        v[i + 4u] = scale * bookValues(w[i], 4u);
    }
}
