// Where the words of a weight's block lie, for both layouts, so that a format is written once.
//
// A format (shaders/quant/<name>.glsl) says of its block: VALUES (32 or 256), BLOCK_BYTES, PAIRS pairs of 32-bit words from
// byte PAIRS_OFFSET on, and where it has them a single word at SINGLE_OFFSET and a half at HALF_OFFSET. It reads them by
// words2(), words4(), blockWord() and blockHalf() and supplies
//     struct Cache                                               words that several parts of a block share
//     void loadPart(inout Cache, Block, uint part, bool fresh)   reads them; `fresh`: nothing was read before
//     void unpack32(Cache, Block, uint part, out vec4 v[8])      the 32 values of a part
// Layout 0 is the file: blocks side by side, at any even address. Layout 1 interleaves 32 rows (a tile), so that
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
    uint64_t pairs;  // of the first pair; in layout 0 aligned down to 4 bytes
    uint64_t single; // of the single word, likewise
    uint64_t scale;  // of the half
    uint shift;      // layout 0: bits by which words lie behind the aligned address
};

// Whether blocks are read as layout 1; a constant of the shader that includes this.
#ifndef TILED
#define TILED false
#endif

Block fileBlock(uint64_t row, uint index) {
    const uint64_t start = row + uint64_t(index) * BLOCK_BYTES;
    const uint64_t pairs = start + PAIRS_OFFSET, single = start + SINGLE_PLACE;
    return Block(pairs & ~uint64_t(3), single & ~uint64_t(3), start + HALF_PLACE, (uint(pairs) & 2u) * 8u);
}

Block tileBlock(uint64_t weight, uint tiles, uint blocks, uint row, uint index) {
    const uint64_t all = uint64_t(tiles) * blocks * 32, place = uint64_t(row / 32u) * blocks + index;
    const uint lane = row % 32u;
    const uint64_t singles = weight + all * (PAIRS * 8), halves = singles + all * SINGLE_BYTES;
    return Block(weight + place * (PAIRS * 256u) + lane * 8u, singles + (place * 32 + lane) * 4,
                 halves + (place * 32 + lane) * 2, 0u);
}

// The pair of a number.
uvec2 words2(Block b, uint index) {
    if (TILED) return unpackUint2x32(ReadLongs(b.pairs).v[index * 32u]);
    ReadWords words = ReadWords(b.pairs);
    const uint i = index * 2u;
    uvec2 w = uvec2(words.v[i], words.v[i + 1u]);
#ifdef MAY_STRADDLE
    if (b.shift != 0u) w = (w >> 16) | (uvec2(w.y, words.v[i + 2u]) << 16);
#endif
    return w;
}

// The two pairs from number `first` on.
uvec4 words4(Block b, uint first) {
    if (TILED) {
        ReadLongs pairs = ReadLongs(b.pairs);
        return uvec4(unpackUint2x32(pairs.v[first * 32u]), unpackUint2x32(pairs.v[first * 32u + 32u]));
    }
    ReadWords words = ReadWords(b.pairs);
    const uint i = first * 2u;
    uvec4 w = uvec4(words.v[i], words.v[i + 1u], words.v[i + 2u], words.v[i + 3u]);
#ifdef MAY_STRADDLE
    if (b.shift != 0u) w = (w >> 16) | (uvec4(w.yzw, words.v[i + 4u]) << 16);
#endif
    return w;
}

uint blockWord(Block b) {
    ReadWords words = ReadWords(b.single);
#ifdef MAY_STRADDLE
    if (!TILED && b.shift != 0u) return (words.v[0] >> 16) | (words.v[1] << 16);
#endif
    return words.v[0];
}

float blockHalf(Block b) { return halfToFloat(uint(ReadHalves(b.scale).v[0])); }

uvec4 bytesOf(uint w) { return (uvec4(w) >> uvec4(0u, 8u, 16u, 24u)) & 0xFFu; }
ivec4 signedBytesOf(uint w) { return ivec4(uvec4(w) << uvec4(24u, 16u, 8u, 0u)) >> 24; }
// The low (shift 0) or high (shift 4) nibbles of four bytes.
uvec4 nibblesOf(uint w, uint shift) { return (uvec4(w >> shift) >> uvec4(0u, 8u, 16u, 24u)) & 15u; }

#endif
