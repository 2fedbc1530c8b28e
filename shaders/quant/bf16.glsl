// BF16: the upper 16 bits of an IEEE single per value. A block here is 32 values.
#define FLOAT_FORMAT
#define VALUES 32
#define BLOCK_BYTES 64
#define PAIRS 8
#define PAIRS_OFFSET 0
#define VALUE_BYTES 2
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        const uvec4 w = words4(b, 2u * i), low = w << 16, high = w & 0xFFFF0000u;
        v[2u * i] = uintBitsToFloat(uvec4(low.x, high.x, low.y, high.y));
        v[2u * i + 1u] = uintBitsToFloat(uvec4(low.z, high.z, low.w, high.w));
    }
}

float loadValue(uint64_t row, uint index) { return uintBitsToFloat(uint(ReadHalves(row).v[index]) << 16); }
