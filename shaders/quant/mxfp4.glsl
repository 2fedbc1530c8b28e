// MXFP4: 32 values in 17 bytes. value = 2^(exponent - 128) * book[code]; layout in kernels/quant/mxfp4.cuh.
// The exponent is the first byte of the half.
#define FLOAT4_BOOK
#define VALUES 32
#define BLOCK_BYTES 17
#define PAIRS 2
#define PAIRS_OFFSET 1
#define HALF_OFFSET 0
#include "include/weights.glsl"
#include "include/codebook.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uvec4 w = words4(b, 0u);
    const uint exponent = blockByte(b); // the two lowest powers are below the smallest normal number
    const float scale = uintBitsToFloat(exponent < 2u ? 0x00200000u << exponent : (exponent - 1u) << 23);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        v[i] = scale * bookValues(w[i], 0u);
        v[i + 4u] = scale * bookValues(w[i], 4u);
    }
}
