// NVFP4: 64 values in 36 bytes. value = scale[g] / 2 * book[code]; layout in kernels/quant/nvfp4.cuh.
// The single word is the four scales; a part has two pairs, one for each group of 16.
#define FLOAT4_BOOK
#define VALUES 64
#define BLOCK_BYTES 36
#define PAIRS 4
#define PAIRS_OFFSET 4
#define SINGLE_OFFSET 0
#include "include/weights.glsl"
#include "include/codebook.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

// Half of an eight-bit number. Moved up, its bits are a half's with the bias 15 instead of 7.
float scaleOf(uint bits) { return bits == 0x7Fu ? 0.0 : halfToFloat((bits & 0x7Fu) << 7) * 128.0; }

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    const uint both = blockWord(b) >> (part * 16u);
    const vec2 scale = vec2(scaleOf(both & 255u), scaleOf((both >> 8) & 255u));
    const uvec4 w = words4(b, part * 2u);
    [[unroll]] for (uint i = 0u; i < 8u; ++i)
        v[i] = scale[i / 4u] * bookValues(w[(i / 4u) * 2u + (i & 1u)], (i & 2u) * 2u);
}
