// F32: one IEEE single per value. A block here is 32 values.
#define FLOAT_FORMAT
#define VALUES 32
#define BLOCK_BYTES 128
#define PAIRS 16
#define PAIRS_OFFSET 0
#define VALUE_BYTES 4
#include "include/weights.glsl"

struct Cache { uint unused; };

void loadPart(inout Cache c, Block b, uint part, bool fresh) {}

void unpack32(Cache c, Block b, uint part, out vec4 v[8]) {
    [[unroll]] for (uint i = 0u; i < 8u; ++i) v[i] = uintBitsToFloat(words4(b, 2u * i));
}

float loadValue(uint64_t row, uint index) { return ReadFloats(row).v[index]; }
