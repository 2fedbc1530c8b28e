// Integer products of many rows on the matrix unit (AMX): 16 rows, or up to 8, times one panel of 16 outputs at a time.
//
// A panel's unpacked lines are already what the unit wants as its second operand: [4-depth chunk][16 outputs][4 codes].
// Tiles: 0..3 sums, 4 and 5 rows of activations, 6 and 7 codes. Per group of 32 values the exact integer sums go through
// memory to vectors, which scale and add them exactly as product_kernel.h does, so a row has the same bits on all ways.
// Of 16 rows each plane is an operand; of up to 8 rows both planes are one, [row][plane] as they lie in memory, so that a
// tile of sums serves one group or half. What goes through memory between vectors and tiles takes long to arrive: while a
// pass is multiplied, the codes of the next are unpacked and the sums of the one before are added up. Fewer than 7 rows are
// faster by the vector code. Included after simd_avx512.h and kernel_list.h.
#pragma once

#include <atomic>

namespace {

template <class Format>
struct TileProduct {
    using Vector = IntegerProduct<Format>;
    static constexpr PanelShape kShape = Vector::kShape;
    static constexpr bool kHalves = Vector::kHalves;
    static constexpr uint32_t kRows = 16, kFewRows = 8, kFewestRows = 7;
    static constexpr uint32_t kDepth = kHalves ? 16 : 32; // values that share an integer sum
    static constexpr uint32_t kPartsPerGroup = 32 / kDepth;
    static constexpr uint32_t kTileSums = kRows * kPanelOutputs;
    static constexpr uint32_t kPartCodes = kDepth * kPanelOutputs, kGroupCodes = 32 * kPanelOutputs; // bytes

    // How `Rows` rows share four tiles of sums.
    template <uint32_t Rows>
    struct Pass {
        static constexpr uint32_t kPlanesPerTile = Rows == kRows ? 1 : 2;
        static constexpr uint32_t kTilesPerPart = 2 / kPlanesPerTile;
        static constexpr uint32_t kTilesPerGroup = kPartsPerGroup * kTilesPerPart;
        static constexpr uint32_t kGroups = 4 / kTilesPerGroup;
    };

    struct alignas(64) Memory {
        int8_t codes[2][4][kGroupCodes];
        int32_t sums[2][4][kTileSums];
    };

    struct alignas(64) Configuration {
        uint8_t palette = 1, startRow = 0, reserved[14] = {};
        uint16_t rowBytes[16] = {};
        uint8_t rows[16] = {};
    };

    // `tileRows`: rows of sums and of activations.
    static void configure(uint32_t tileRows) {
        Configuration c;
        for (int tile = 0; tile < 8; ++tile) {
            const bool isRows = tile == 4 || tile == 5, isCodes = tile >= 6;
            c.rowBytes[tile] = isRows ? kDepth : 64;
            c.rows[tile] = static_cast<uint8_t>(isCodes ? kDepth / 4 : tileRows);
        }
        fence(); // compilers do not see that the whole of it is read
        _tile_loadconfig(&c);
    }

    // Stores and loads of memory stay on their side of tile instructions, which the compiler does not see through.
    static void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

    // The codes of `count` groups with their sign, in `memory`, unless they lie like that in the panel.
    static void unpack(const uint8_t* lines, uint32_t count, int8_t (*memory)[kGroupCodes]) {
        if constexpr (kShape.codeBits == 8) return;
        const __m512i offset = _mm512_set1_epi8(static_cast<char>(kShape.offset));
        for (uint32_t i = 0; i < count; ++i) {
            typename Vector::Codes codes;
            Vector::unpack(lines + uint64_t(i) * kShape.codeBytes(), 0, codes);
            unrolled<8>([&](auto c) { _mm512_store_si512(memory[i] + c * 64, _mm512_sub_epi8(codes.chunk[c], offset)); });
        }
    }

    // One tile of sums, with the codes in tile 6 or 7.
    template <uint32_t Tile, uint32_t Codes>
    static void multiplyTile(const int8_t* x, uint64_t stride) {
        if constexpr (Tile == 0) {
            _tile_zero(0);
            _tile_loadd(4, x, stride);
            _tile_dpbssd(0, 4, 6);
        } else if constexpr (Tile == 1) {
            _tile_zero(1);
            _tile_loadd(5, x, stride);
            if constexpr (Codes == 6) _tile_dpbssd(1, 5, 6);
            else _tile_dpbssd(1, 5, 7);
        } else if constexpr (Tile == 2) {
            _tile_zero(2);
            _tile_loadd(4, x, stride);
            if constexpr (Codes == 6) _tile_dpbssd(2, 4, 6);
            else _tile_dpbssd(2, 4, 7);
        } else {
            _tile_zero(3);
            _tile_loadd(5, x, stride);
            _tile_dpbssd(3, 5, 7);
        }
    }

    template <uint32_t Tile>
    static void storeTile(int32_t* sums) {
        if constexpr (Tile == 0) _tile_stored(0, sums, 64);
        else if constexpr (Tile == 1) _tile_stored(1, sums, 64);
        else if constexpr (Tile == 2) _tile_stored(2, sums, 64);
        else _tile_stored(3, sums, 64);
    }

    // The sums of the first `tiles` tiles of a pass; its rows' codes at `x`, planes `depth` apart.
    template <uint32_t Rows>
    static void multiply(const int8_t* x, uint64_t depth, const int8_t* codes, uint32_t tiles, int32_t (*sums)[kTileSums]) {
        using P = Pass<Rows>;
        fence();
        unrolled<4>([&](auto t) {
            constexpr uint32_t kTile = decltype(t)::value, kPart = kTile / P::kTilesPerPart, kPlane = kTile % P::kTilesPerPart;
            if (kTile >= tiles) return;
            if constexpr (kPlane == 0 && kPart % 2 == 0) _tile_loadd(6, codes + kPart * kPartCodes, 64);
            if constexpr (kPlane == 0 && kPart % 2 == 1) _tile_loadd(7, codes + kPart * kPartCodes, 64);
            multiplyTile<kTile, 6 + kPart % 2>(x + kPart * kDepth + kPlane * depth, depth * P::kTilesPerPart);
        });
        unrolled<4>([&](auto t) {
            if (t < tiles) storeTile<decltype(t)::value>(sums[t]);
        });
        fence();
    }

    // The sums of one plane of a row in group `i` of a pass.
    template <uint32_t Rows>
    static typename Vector::Sums groupSums(const int32_t (*sums)[kTileSums], uint32_t i, uint32_t row, uint32_t plane) {
        using P = Pass<Rows>;
        const auto load = [&](uint32_t part) {
            const uint32_t tile = (i * kPartsPerGroup + part) * P::kTilesPerPart + (P::kPlanesPerTile == 1 ? plane : 0);
            const uint32_t line = P::kPlanesPerTile == 1 ? row : 2 * row + plane;
            return _mm512_load_si512(sums[tile] + line * kPanelOutputs);
        };
        if constexpr (kHalves) return {load(0), load(1)};
        else return {load(0), _mm512_setzero_si512()};
    }

    // The minima of `count` rows from `row` on, into `out`.
    template <uint32_t Rows>
    static void minima(const ops::MatMul& op, const uint8_t* area, const int32_t* starts, uint64_t row, uint32_t count, float* out) {
        const uint32_t groups = op.depth / 32;
        if constexpr (Vector::kMinimum32) {
            const auto minimum = [&](uint32_t, uint32_t g) { return Vector::factors(area, g, 0).minimum; };
            const auto done = [&](uint32_t r, uint32_t, Simd::Floats sum) { _mm512_store_ps(out + r * kPanelOutputs, sum); };
            FloatTile::allRows<1>(RowKernels::at<const float>(op.xSums) + row * groups, groups, count, groups, minimum, done);
        } else {
            const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
            const int32_t* start = starts + row * 4 * groups; // two planes of two sums
            Simd::Floats sums[Rows];
            unrolled<Rows>([&](auto r) { sums[r] = Simd::zero(); });
            for (uint32_t g = 0; g < groups; ++g) {
                const auto f = Vector::factors(area, g, 0);
                unrolled<Rows>([&](auto r) {
                    if (r >= count) return;
                    const int32_t* own = start + r * 4 * groups + g * 2;
                    sums[r] = Vector::addMinimum(sums[r], own, own + 2 * groups, f, scales[r * groups + g]);
                });
            }
            unrolled<Rows>([&](auto r) { _mm512_store_ps(out + r * kPanelOutputs, sums[r]); });
        }
    }

    // `count` rows, at most `Rows`, from `row` on times one panel; the first `done` of them were stored before.
    template <uint32_t Rows>
    static void block(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint64_t row, uint32_t count, uint32_t done, Memory& m) {
        using P = Pass<Rows>;
        const uint32_t groups = op.depth / 32, passes = (groups + P::kGroups - 1) / P::kGroups;
        const uint8_t* area = panel + uint64_t(groups) * kShape.codeBytes();
        const int8_t* x = RowKernels::at<const int8_t>(op.x) + row * op.depth * 2;
        const float* scales[Rows]; // of rows that are not there those of the last
        unrolled<Rows>([&](auto r) { scales[r] = RowKernels::at<const float>(op.xScales) + (row + (r < count ? uint32_t(r) : count - 1)) * groups; });
        const auto groupsOf = [&](uint32_t pass) { return groups - pass * P::kGroups < P::kGroups ? groups - pass * P::kGroups : P::kGroups; };
        const auto linesOf = [&](uint32_t pass) { return panel + uint64_t(pass) * P::kGroups * kShape.codeBytes(); };
        const auto unpackPass = [&](uint32_t pass) {
            if (pass >= passes) return;
            for (uint32_t i = 0; i < groupsOf(pass); ++i) Vector::prefetch(panel, pass * P::kGroups + i);
            unpack(linesOf(pass), groupsOf(pass), m.codes[pass % 2]);
        };
        const auto multiplyPass = [&](uint32_t pass) {
            if (pass >= passes) return;
            const int8_t* codes = kShape.codeBits == 8 ? reinterpret_cast<const int8_t*>(linesOf(pass)) : m.codes[pass % 2][0];
            multiply<Rows>(x + pass * P::kGroups * 32, op.depth, codes, groupsOf(pass) * P::kTilesPerGroup, m.sums[pass % 2]);
        };
        Simd::Floats total[Rows];
        unrolled<Rows>([&](auto r) { total[r] = Simd::zero(); });
        unpackPass(0);
        multiplyPass(0);
        unpackPass(1);
        for (uint32_t pass = 0; pass < passes; ++pass) {
            unpackPass(pass + 2);
            multiplyPass(pass + 1);
            const auto* sums = m.sums[pass % 2];
            for (uint32_t i = 0; i < groupsOf(pass); ++i) {
                const uint32_t g = pass * P::kGroups + i;
                const auto f = Vector::factors(area, g, 0);
                unrolled<Rows>([&](auto r) { total[r] = Vector::addGroup(total[r], groupSums<Rows>(sums, i, r, 0), groupSums<Rows>(sums, i, r, 1), f, scales[r][g]); });
            }
        }
        float* lows = reinterpret_cast<float*>(m.sums[0][0]);
        if constexpr (Vector::kHasMinimum) minima<Rows>(op, area, starts, row, count, lows);
        unrolled<Rows>([&](auto r) {
            if (r < done || r >= count) return;
            const Simd::Floats minimum = Vector::kHasMinimum ? _mm512_load_ps(lows + r * kPanelOutputs) : Simd::zero();
            ProductEnd::store(op, row + r, output, Simd::add(total[r], minimum));
        });
    }

    // Rows [from, to) in blocks of `Rows`; the last may begin in the one before.
    template <uint32_t Rows>
    static void blocks(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last, uint32_t from, uint32_t to, Memory& memory) {
        const uint32_t most = to < Rows ? to : Rows; // rows of a block
        configure(Rows == kRows ? kRows : 2 * most);
        for (uint32_t panel = first; panel < last; ++panel) {
            const uint8_t* own = weight + (panel - first) * kShape.panelBytes(op.depth);
            for (uint32_t stored = from; stored < to; stored += most) {
                const uint32_t begin = stored + most <= to ? stored : to - most;
                block<Rows>(op, own, starts, panel * kPanelOutputs, begin, most, stored - begin, memory);
            }
        }
        _tile_release();
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        const uint32_t left = op.rows % kRows;
        uint32_t done = op.rows - left;
        Memory memory;
        if (done > 0 && left > kFewRows) done = op.rows;
        if (done > 0) blocks<kRows>(op, weight, starts, first, last, 0, done, memory);
        if (op.rows - done >= kFewestRows) {
            const uint32_t few = op.rows - done < kFewRows || op.rows - done >= kFewRows + kFewestRows ? op.rows : done + kFewRows;
            blocks<kFewRows>(op, weight, starts, first, last, done, few, memory);
            done = few;
        }
        if (done < op.rows) Vector::run(op, weight, starts, first, last, done);
    }
};

struct TileProducts {
    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        kernels::AllFormats::visit(op.type, [&]<class Format>() {
            if constexpr (Format::productClass == kernels::ProductClass::Float) FloatProduct<Format>::run(op, weight, starts, first, last);
            else TileProduct<Format>::run(op, weight, starts, first, last);
        });
    }
};

} // namespace
