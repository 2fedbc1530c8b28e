// Where the words of a weight's block lie, for both layouts, so that a format is written once.
//
// A format (shaders/quant/<name>.glsl) says of its block: VALUES (a multiple of 32), BLOCK_BYTES, PAIRS pairs of 32-bit words from
// byte PAIRS_OFFSET on, and where it has them a single word at SINGLE_OFFSET and a half at HALF_OFFSET. It reads them by
// words2(), words4(), blockWord() and blockHalf() and supplies
//     struct Cache                                               words that several parts of a block share
//     void loadPart(inout Cache, Block, uint part, bool fresh)   reads them; `fresh`: nothing was read before
//     void unpack32(Cache, Block, uint part, out vec4 v[8])      the 32 values of a part
// Layout 0 is the file: blocks side by side, at any address (even, where a block has an even number of bytes). Layout 1 interleaves 32 rows (a tile), so that
// neighbouring threads read neighbouring 8 bytes: [tile][block][pair][row]; then all single words, [tile][block][row],
// then all halves. Rows are filled up to whole tiles, float rows to whole blocks.
#ifndef STEELYARD_WEIGHTS
#define STEELYARD_WEIGHTS

#ifdef SINGLE_OFFSET
#define SINGLE_BYTES 4
#define SINGLE_PLACE SINGLE_OFFSET
#else
#define SINGLE_BYTES 0
#define SINGLE_PLACE 0
#endif
#ifdef HALF_OFFSET
#define HALF_PLACE HALF_OFFSET
#else
#define HALF_PLACE 0
#endif
// Whether a word of the file may lie across two aligned words.
#if defined(FLOAT_FORMAT) || (BLOCK_BYTES % 4) != 0 || (PAIRS_OFFSET % 4) != 0
#define MAY_STRADDLE
#endif

struct Block {
    uint64_t pairs;  // address of the first pair
    uint64_t single; // of the single word
    uint64_t scale;  // of the half
};

// Whether blocks are read as layout 1; a constant of the shader that includes this.
#ifndef TILED
#define TILED false
#endif

Block fileBlock(uint64_t row, uint index) {
    const uint64_t start = row + uint64_t(index) * BLOCK_BYTES;
    return Block(start + PAIRS_OFFSET, start + SINGLE_PLACE, start + HALF_PLACE);
}

Block tileBlock(uint64_t weight, uint tiles, uint blocks, uint row, uint index) {
    const uint64_t all = uint64_t(tiles) * blocks * 32, place = (uint64_t(row / 32u) * blocks + index) * 32;
    const uint lane = row % 32u;
    const uint64_t singles = weight + all * (PAIRS * 8), halves = singles + all * SINGLE_BYTES;
    return Block(weight + place * (PAIRS * 8) + lane * 8u, singles + (place + lane) * 4, halves + (place + lane) * 2);
}

// Steps to the next block of the row.
void advance(inout Block b) {
    b.pairs += TILED ? PAIRS * 256 : BLOCK_BYTES;
    b.single += TILED ? 128 : BLOCK_BYTES;
    b.scale += TILED ? 64 : BLOCK_BYTES;
}

// Bits by which a word of the file lies behind the aligned address below it.
#ifdef MAY_STRADDLE
#if (BLOCK_BYTES % 2) != 0
uint straddle(uint64_t address) { return (uint(address) & 3u) * 8u; }
#else
uint straddle(uint64_t address) { return (uint(address) & 2u) * 8u; }
#endif
ReadWords alignedWords(uint64_t address) { return ReadWords(address & ~uint64_t(3)); }
#else
uint straddle(uint64_t address) { return 0u; }
ReadWords alignedWords(uint64_t address) { return ReadWords(address); }
#endif

// The pair of a number.
uvec2 words2(Block b, uint index) {
    if (TILED) return unpackUint2x32(ReadLongs(b.pairs).v[index * 32u]);
    ReadWords words = alignedWords(b.pairs);
    const uint i = index * 2u;
    const uvec2 w = uvec2(words.v[i], words.v[i + 1u]);
    const uint bits = straddle(b.pairs);
    if (bits == 0u) return w;
    return (w >> bits) | (uvec2(w.y, words.v[i + 2u]) << (32u - bits));
}

// The two pairs from number `first` on.
uvec4 words4(Block b, uint first) {
    if (TILED) {
        ReadLongs pairs = ReadLongs(b.pairs);
        return uvec4(unpackUint2x32(pairs.v[first * 32u]), unpackUint2x32(pairs.v[first * 32u + 32u]));
    }
    ReadWords words = alignedWords(b.pairs);
    const uint i = first * 2u;
    const uvec4 w = uvec4(words.v[i], words.v[i + 1u], words.v[i + 2u], words.v[i + 3u]);
    const uint bits = straddle(b.pairs);
    if (bits == 0u) return w;
    return (w >> bits) | (uvec4(w.yzw, words.v[i + 4u]) << (32u - bits));
}

// Word `index` of those that begin with pair `first`.
uint wordAt(Block b, uint first, uint index) {
    const uvec2 both = words2(b, first + index / 2u);
    return (index & 1u) == 0u ? both.x : both.y;
}

uint blockWord(Block b) {
    if (TILED) return ReadWords(b.single).v[0];
    ReadWords words = alignedWords(b.single);
    if (straddle(b.single) == 0u) return words.v[0];
    return (words.v[0] >> 16) | (words.v[1] << 16);
}

uint blockByte(Block b) {
    if (TILED) return uint(ReadHalves(b.scale).v[0]) & 255u;
    return (ReadWords(b.scale & ~uint64_t(3)).v[0] >> ((uint(b.scale) & 3u) * 8u)) & 255u;
}
float blockHalf(Block b) { return halfToFloat(uint(ReadHalves(b.scale).v[0])); }

ivec4 bytesOf(uint w) { return ivec4(w, w >> 8, w >> 16, w >> 24) & 255; }
ivec4 signedBytesOf(uint w) { return ivec4(uvec4(w) << uvec4(24u, 16u, 8u, 0u)) >> 24; }
// The low (shift 0) or high (shift 4) nibbles of four bytes.
ivec4 nibblesOf(uint w, uint shift) { return ivec4(w >> shift, w >> (shift + 8u), w >> (shift + 16u), w >> (shift + 24u)) & 15; }
// Two bits of each of four bytes.
ivec4 twosOf(uint w, uint shift) { return ivec4(w >> shift, w >> (shift + 8u), w >> (shift + 16u), w >> (shift + 24u)) & 3; }

// Scale and minimum of group `part` of Q4_K and Q5_K, from the first 16 bytes of the block.
vec2 packedScales(uvec4 head, uint part) {
    const uint bits = (part & 3u) * 8u;
    const uint low = head.y >> bits, middle = head.z >> bits, high = head.w >> bits;
    const uint s = part < 4u ? low & 63u : (high & 15u) | ((low >> 2) & 48u);
    const uint m = part < 4u ? middle & 63u : ((high >> 4) & 15u) | ((middle >> 2) & 48u);
    const vec2 halves = unpackHalf2x16(head.x);
    return vec2(halves.x * float(s), -halves.y * float(m));
}

#endif
