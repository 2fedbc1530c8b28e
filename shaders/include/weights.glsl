// Where the words of a weight's block lie, for both layouts, so that a format is written once.
//
// A format (shaders/quant/<name>.glsl) says of its block: VALUES (32 or 256), BLOCK_BYTES, WORDS aligned 32-bit words from
// byte WORDS_OFFSET on, and with HALF_OFFSET one half beside them. It reads them by words4() and blockHalf() and supplies
//     struct Cache                                               words that several parts of a block share
//     void loadPart(inout Cache, Block, uint part, bool fresh)   reads them; `fresh`: nothing was read before
//     void unpack32(Cache, Block, uint part, out vec4 v[8])      the 32 values of a part
// Layout 0 is the file: blocks side by side, at any even address. Layout 1 interleaves 32 rows (a tile), so that
// neighbouring threads read neighbouring words: word w of all 32 rows is one run, [tile][block][word][row], and all
// halves follow all words, [tile][block][row]. Rows are filled up to whole tiles, float rows to whole blocks.
#ifndef STEELYARD_WEIGHTS
#define STEELYARD_WEIGHTS

#ifdef HALF_OFFSET
#define HALF_BYTES 2
#define HALF_PLACE HALF_OFFSET
#else
#define HALF_BYTES 0
#define HALF_PLACE 0
#endif
// Whether a word of the file may lie across two aligned words.
#if defined(FLOAT_FORMAT) || (BLOCK_BYTES % 4) != 0 || (WORDS_OFFSET % 4) != 0
#define MAY_STRADDLE
#endif

struct Block {
    uint64_t words; // of word 0, aligned down to 4 bytes
    uint64_t scale; // of the half
    uint stride;    // words from one word to the next
    uint shift;     // bits by which word 0 lies behind the aligned address
};

Block fileBlock(uint64_t row, uint index) {
    const uint64_t start = row + uint64_t(index) * BLOCK_BYTES;
    const uint64_t first = start + WORDS_OFFSET;
    return Block(first & ~uint64_t(3), start + HALF_PLACE, 1u, (uint(first) & 2u) * 8u);
}

Block tileBlock(uint64_t weight, uint tiles, uint blocks, uint row, uint index) {
    const uint64_t place = uint64_t(row / 32u) * blocks + index;
    const uint lane = row % 32u;
    const uint64_t halves = weight + uint64_t(tiles) * blocks * (WORDS * 128u);
    return Block(weight + place * (WORDS * 128u) + lane * 4u, halves + place * 64u + lane * 2u, 32u, 0u);
}

uint word(Block b, uint index) {
    ReadWords words = ReadWords(b.words);
    const uint low = words.v[index * b.stride];
#ifdef MAY_STRADDLE
    if (b.shift != 0u) return (low >> 16) | (words.v[index + 1u] << 16);
#endif
    return low;
}

// Four words from `first` on.
uvec4 words4(Block b, uint first) {
    ReadWords words = ReadWords(b.words);
    const uint s = b.stride;
    uvec4 w = uvec4(words.v[first * s], words.v[(first + 1u) * s], words.v[(first + 2u) * s], words.v[(first + 3u) * s]);
#ifdef MAY_STRADDLE
    if (b.shift != 0u) w = (w >> 16) | (uvec4(w.yzw, words.v[first + 4u]) << 16);
#endif
    return w;
}

float blockHalf(Block b) { return halfToFloat(uint(ReadHalves(b.scale).v[0])); }

uvec4 bytesOf(uint w) { return (uvec4(w) >> uvec4(0u, 8u, 16u, 24u)) & 0xFFu; }
ivec4 signedBytesOf(uint w) { return ivec4(uvec4(w) << uvec4(24u, 16u, 8u, 0u)) >> 24; }
// The low (shift 0) or high (shift 4) nibbles of four bytes.
uvec4 nibblesOf(uint w, uint shift) { return (uvec4(w >> shift) >> uvec4(0u, 8u, 16u, 24u)) & 15u; }

#endif
