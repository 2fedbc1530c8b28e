// How encoders put codes together, and run over a row batch by batch.
#pragma once

#include "engine/quant/encoders/group_batch.h"

namespace {

inline void putHalf(uint16_t half, uint8_t* out) { std::memcpy(out, &half, sizeof half); }

// Codes of a vector, one a byte.
inline void putCodes(Floats codes, uint8_t* out) {
    int8_t stored[Simd::kLanes];
    Simd::storeCodes(stored, Simd::toInt(codes));
    std::memcpy(out, stored, sizeof stored);
}

// Runs of 32 bytes, each of 64 codes: the first 32 in the low nibbles, the others in the high ones.
inline void packNibbles(const uint8_t* codes, uint32_t count, uint8_t* out) {
    for (uint32_t run = 0; run < count / 64; ++run)
        for (uint32_t i = 0; i < 32; ++i)
            out[run * 32 + i] = static_cast<uint8_t>((codes[run * 64 + i] & 15u) | (codes[run * 64 + 32 + i] & 15u) << 4);
}

// `Width` bits of each code from bit `From` on: byte i of `bytes` gets those of code i of each run of so many codes, the
// first run lowest.
template <int Width, int From>
void packBits(const uint8_t* codes, uint32_t bytes, uint32_t runs, uint8_t* out) {
    for (uint32_t i = 0; i < bytes; ++i) {
        uint32_t byte = 0;
        for (uint32_t run = 0; run < runs; ++run)
            byte |= (uint32_t(codes[run * bytes + i]) >> From & ((1u << Width) - 1u)) << (run * Width);
        out[i] = static_cast<uint8_t>(byte);
    }
}

// The sixteen bytes with which blocks of Q4_K and Q5_K begin.
template <class Codes>
void packSixBitFactors(const Codes& codes, uint32_t block, uint8_t* out) {
    const uint8_t *s = codes.factors + block * 8, *m = codes.minimums + block * 8;
    putHalf(codes.scale[block], out);
    putHalf(codes.minimum[block], out + 2);
    for (uint32_t j = 0; j < 4; ++j) {
        out[4 + j] = static_cast<uint8_t>(s[j] | (s[j + 4] >> 4) << 6);
        out[8 + j] = static_cast<uint8_t>(m[j] | (m[j + 4] >> 4) << 6);
        out[12 + j] = static_cast<uint8_t>((s[j + 4] & 15) | (m[j + 4] & 15) << 4);
    }
}

// Runs an encoder over values of one row; pack(codes, block of the batch, bytes) writes one block.
template <class Encoder, class Format, class Pack>
void encodeBatches(const float* values, const float* importance, uint64_t count, uint8_t* bytes, Pack&& pack) {
    using Batch = typename Encoder::Batch;
    static_assert(Batch::kBlockValues == Format::blockValues);
    Encoder encoder;
    typename Encoder::Codes codes;
    for (uint64_t first = 0; first < count; first += Batch::kValues) {
        const uint64_t left = count - first;
        encoder.batch.load(values + first, importance ? importance + first : nullptr, left);
        encoder.run(codes);
        for (uint32_t block = 0; block < Batch::kBlocks && uint64_t(block) * Batch::kBlockValues < left; ++block, bytes += Format::blockBytes)
            pack(codes, block, bytes);
    }
}

} // namespace
