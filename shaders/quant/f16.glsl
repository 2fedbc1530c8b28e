// F16: one IEEE half per value. A block here is 32 values.
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
        const uvec4 w = words4(b, 2u * i);
        v[2u * i] = vec4(unpackHalf2x16(w.x), unpackHalf2x16(w.y));
        v[2u * i + 1u] = vec4(unpackHalf2x16(w.z), unpackHalf2x16(w.w));
    }
}

float loadValue(uint64_t row, uint index) { return halfToFloat(uint(ReadHalves(row).v[index])); }
