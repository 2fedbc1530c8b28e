// Integer products of several rows on the matrix unit (AMX): 16 rows, 8 or 4, times one panel of 16 outputs at a time.
//
// A panel's unpacked lines are already what the unit wants as its second operand: [4-depth chunk][16 outputs][4 codes].
// Tiles: 0..3 sums, 4 and 5 rows of activations, 6 and 7 codes. Per group of 32 values the exact integer sums go through
// memory to vectors, which scale and add them exactly as product_kernel.h does, so a row has the same bits on all ways.
// Of 16 rows each plane is an operand; of 4 or 8 rows both planes are one, [row][plane] as they lie in memory, so that
// a tile of sums serves one group or half; while one pass is multiplied, the sums of the one before are added up. Fewer than 4
// rows take the vector code. Included after simd_avx512.h and kernel_list.h.
#pragma once

#include <atomic>
#include <utility>

namespace {

template <class Format>
struct TileProduct {
    using Vector = IntegerProduct<Format>;
    static constexpr PanelShape kShape = Vector::kShape;
    static constexpr bool kHalves = Vector::kHalves;
    static constexpr uint32_t kRows = 16;
    static constexpr uint32_t kDepth = kHalves ? 16 : 32;         // values that share an integer sum
    static constexpr uint32_t kGroupsPerPass = kHalves ? 1 : 2;   // four tiles of sums: planes x groups or halves
    static constexpr uint32_t kFewRows = 8, kFewestRows = 4;
    static constexpr uint32_t kPartsPerGroup = kHalves ? 2 : 1;   // tiles of sums of a group with few rows
    static constexpr uint32_t kFewGroupsPerPass = 4 / kPartsPerGroup;

    struct alignas(64) Memory {
        int8_t codes[kFewGroupsPerPass][512];
        int32_t sums[4][kRows * kPanelOutputs];
        int32_t nextSums[4][kRows * kPanelOutputs];
    };

    struct alignas(64) Configuration {
        uint8_t palette = 1, startRow = 0, reserved[14] = {};
        uint16_t rowBytes[16] = {};
        uint8_t rows[16] = {};
    };

    static constexpr Configuration configurationOf(uint32_t tileRows) {
        Configuration c;
        for (int tile = 0; tile < 8; ++tile) {
            const bool isRows = tile == 4 || tile == 5, isCodes = tile >= 6;
            c.rowBytes[tile] = isRows ? kDepth : 64;
            c.rows[tile] = static_cast<uint8_t>(isCodes ? kDepth / 4 : tileRows);
        }
        return c;
    }

    // `TileRows`: rows of sums and of activations. From constant memory: compilers do not see that the whole of it is read.
    template <uint32_t TileRows>
    static void configure() {
        static constexpr Configuration kConfiguration = configurationOf(TileRows);
        _tile_loadconfig(&kConfiguration);
    }

    // Stores and loads of memory stay on their side of tile instructions, which the compiler does not see through.
    static void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

    // The group's codes with their sign: where they lie, or unpacked into `memory`.
    static const int8_t* signedCodes(const uint8_t* lines, int8_t* memory) {
        if constexpr (kShape.codeBits == 8) return reinterpret_cast<const int8_t*>(lines);
        typename Vector::Codes codes;
        Vector::unpack(lines, 0, codes);
        const __m512i offset = _mm512_set1_epi8(static_cast<char>(kShape.offset));
        unrolled<8>([&](auto c) { _mm512_store_si512(memory + c * 64, _mm512_sub_epi8(codes.chunk[c], offset)); });
        return memory;
    }

    // Both planes of the two groups at `x` (or of the two halves of one group).
    static void multiplyPair(const int8_t* x, uint64_t stride, uint64_t plane, const int8_t* first, const int8_t* second, Memory& m) {
        fence();
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        _tile_loadd(6, first, 64);
        _tile_loadd(4, x, stride);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(5, x + plane, stride);
        _tile_dpbssd(1, 5, 6);
        _tile_loadd(7, second, 64);
        _tile_loadd(4, x + kDepth, stride);
        _tile_dpbssd(2, 4, 7);
        _tile_loadd(5, x + plane + kDepth, stride);
        _tile_dpbssd(3, 5, 7);
        _tile_stored(0, m.sums[0], 64);
        _tile_stored(1, m.sums[1], 64);
        _tile_stored(2, m.sums[2], 64);
        _tile_stored(3, m.sums[3], 64);
        fence();
    }

    // Up to four parts of kDepth values of few rows: part i at x + i * kDepth and codes[i].
    static void multiplyParts(const int8_t* x, uint64_t stride, const int8_t* const* codes, uint32_t parts, int32_t (*sums)[kRows * kPanelOutputs]) {
        fence();
        _tile_zero(0);
        _tile_loadd(6, codes[0], 64);
        _tile_loadd(4, x, stride);
        _tile_dpbssd(0, 4, 6);
        if (parts > 1) {
            _tile_zero(1);
            _tile_loadd(7, codes[1], 64);
            _tile_loadd(5, x + kDepth, stride);
            _tile_dpbssd(1, 5, 7);
            _tile_stored(1, sums[1], 64);
        }
        if (parts > 2) {
            _tile_zero(2);
            _tile_loadd(6, codes[2], 64);
            _tile_loadd(4, x + 2 * kDepth, stride);
            _tile_dpbssd(2, 4, 6);
            _tile_stored(2, sums[2], 64);
        }
        if (parts > 3) {
            _tile_zero(3);
            _tile_loadd(7, codes[3], 64);
            _tile_loadd(5, x + 3 * kDepth, stride);
            _tile_dpbssd(3, 5, 7);
            _tile_stored(3, sums[3], 64);
        }
        _tile_stored(0, sums[0], 64);
        fence();
    }

    // The last group of an odd number.
    static void multiplySingle(const int8_t* x, uint64_t stride, uint64_t plane, const int8_t* codes, Memory& m) {
        fence();
        _tile_zero(0);
        _tile_zero(1);
        _tile_loadd(6, codes, 64);
        _tile_loadd(4, x, stride);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(5, x + plane, stride);
        _tile_dpbssd(1, 5, 6);
        _tile_stored(0, m.sums[0], 64);
        _tile_stored(1, m.sums[1], 64);
        fence();
    }

    static typename Vector::Sums groupSums(const Memory& m, uint32_t plane, uint32_t inPass, uint32_t row) {
        const auto load = [&](uint32_t tile) { return _mm512_load_si512(m.sums[tile] + row * kPanelOutputs); };
        if constexpr (kHalves) return {load(plane), load(plane + 2)};
        else return {load(plane + 2 * inPass), _mm512_setzero_si512()};
    }

    // The minima of `Rows` rows from `row` on, into the memory of the first sums.
    template <uint32_t Rows>
    static void minima(const ops::MatMul& op, const uint8_t* area, const int32_t* starts, uint64_t row, Memory& m) {
        const uint32_t groups = op.depth / 32;
        float* out = reinterpret_cast<float*>(m.sums[0]);
        if constexpr (Vector::kMinimum32) {
            const auto minimum = [&](uint32_t, uint32_t g) { return Vector::factors(area, g, 0).minimum; };
            const auto done = [&](uint32_t r, uint32_t, Simd::Floats sum) { _mm512_store_ps(out + r * kPanelOutputs, sum); };
            FloatTile::allRows<1>(RowKernels::at<const float>(op.xSums) + row * groups, groups, Rows, groups, minimum, done);
        } else {
            const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
            const int32_t* start = starts + row * 4 * groups; // two planes of two sums
            Simd::Floats sums[Rows];
            unrolled<Rows>([&](auto r) { sums[r] = Simd::zero(); });
            for (uint32_t g = 0; g < groups; ++g) {
                const auto f = Vector::factors(area, g, 0);
                unrolled<Rows>([&](auto r) {
                    const int32_t* own = start + r * 4 * groups + g * 2;
                    sums[r] = Vector::addMinimum(sums[r], own, own + 2 * groups, f, scales[r * groups + g]);
                });
            }
            unrolled<Rows>([&](auto r) { _mm512_store_ps(out + r * kPanelOutputs, sums[r]); });
        }
    }

    // 16 rows from `row` on times one panel.
    static void block(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint64_t row, Memory& m) {
        const uint32_t groups = op.depth / 32;
        const uint8_t* area = panel + uint64_t(groups) * kShape.codeBytes();
        const uint64_t stride = uint64_t(op.depth) * 2;
        const int8_t* x = RowKernels::at<const int8_t>(op.x) + row * stride;
        const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
        Simd::Floats sums[kRows];
        unrolled<kRows>([&](auto r) { sums[r] = Simd::zero(); });
        for (uint32_t g = 0; g < groups; g += kGroupsPerPass) {
            const uint8_t* lines = panel + uint64_t(g) * kShape.codeBytes();
            const uint32_t count = g + kGroupsPerPass <= groups ? kGroupsPerPass : 1;
            const int8_t* codes = signedCodes(lines, m.codes[0]);
            if constexpr (kHalves) multiplyPair(x + g * 32, stride, op.depth, codes, codes + 256, m);
            else if (count == 2) multiplyPair(x + g * 32, stride, op.depth, codes, signedCodes(lines + kShape.codeBytes(), m.codes[1]), m);
            else multiplySingle(x + g * 32, stride, op.depth, codes, m);
            for (uint32_t i = 0; i < count; ++i) {
                const auto f = Vector::factors(area, g + i, 0);
                unrolled<kRows>([&](auto r) {
                    sums[r] = Vector::addGroup(sums[r], groupSums(m, 0, i, r), groupSums(m, 1, i, r), f, scales[r * groups + g + i]);
                });
            }
        }
        if constexpr (Vector::kHasMinimum) minima<kRows>(op, area, starts, row, m);
        unrolled<kRows>([&](auto r) {
            const Simd::Floats minimum = Vector::kHasMinimum ? _mm512_load_ps(m.sums[0] + r * kPanelOutputs) : Simd::zero();
            ProductEnd::store(op, row + r, output, Simd::add(sums[r], minimum));
        });
    }

    // `Rows` rows from `row` on times one panel; the first `done` of them were stored before.
    template <uint32_t Rows>
    static void fewBlock(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint64_t row, uint32_t done, Memory& m) {
        const uint32_t groups = op.depth / 32;
        const uint8_t* area = panel + uint64_t(groups) * kShape.codeBytes();
        const int8_t* x = RowKernels::at<const int8_t>(op.x) + row * op.depth * 2;
        const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
        auto *sums = m.sums, *nextSums = m.nextSums;
        const auto groupsFrom = [&](uint32_t g) { return groups - g < kFewGroupsPerPass ? groups - g : kFewGroupsPerPass; };
        const auto multiplyPass = [&](uint32_t g, auto* to) {
            const int8_t* codes[4] = {};
            for (uint32_t i = 0; i < groupsFrom(g); ++i) {
                const int8_t* own = signedCodes(panel + uint64_t(g + i) * kShape.codeBytes(), m.codes[i]);
                for (uint32_t half = 0; half < kPartsPerGroup; ++half) codes[i * kPartsPerGroup + half] = own + half * 256;
            }
            multiplyParts(x + g * 32, op.depth, codes, groupsFrom(g) * kPartsPerGroup, to);
        };
        Simd::Floats total[Rows];
        unrolled<Rows>([&](auto r) { total[r] = Simd::zero(); });
        multiplyPass(0, sums);
        for (uint32_t g = 0; g < groups; g += kFewGroupsPerPass) {
            if (g + kFewGroupsPerPass < groups) multiplyPass(g + kFewGroupsPerPass, nextSums);
            for (uint32_t i = 0; i < groupsFrom(g); ++i) {
                const auto f = Vector::factors(area, g + i, 0);
                const int32_t* own = sums[i * kPartsPerGroup];
                unrolled<Rows>([&](auto r) {
                    const auto plane = [&](uint32_t which) {
                        const int32_t* first = own + (2 * r + which) * kPanelOutputs;
                        if constexpr (kHalves) return typename Vector::Sums{_mm512_load_si512(first), _mm512_load_si512(first + kRows * kPanelOutputs)};
                        else return typename Vector::Sums{_mm512_load_si512(first), _mm512_setzero_si512()};
                    };
                    total[r] = Vector::addGroup(total[r], plane(0), plane(1), f, scales[r * groups + g + i]);
                });
            }
            std::swap(sums, nextSums);
        }
        if constexpr (Vector::kHasMinimum) minima<Rows>(op, area, starts, row, m);
        unrolled<Rows>([&](auto r) {
            if (r < done) return;
            const Simd::Floats minimum = Vector::kHasMinimum ? _mm512_load_ps(m.sums[0] + r * kPanelOutputs) : Simd::zero();
            ProductEnd::store(op, row + r, output, Simd::add(total[r], minimum));
        });
    }

    // Rows from `from` on in blocks of `Rows`, the last of which may begin in the one before.
    template <uint32_t Rows>
    static void fewRows(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last, uint32_t from, Memory& memory) {
        configure<2 * Rows>();
        for (uint32_t panel = first; panel < last; ++panel) {
            const uint8_t* own = weight + (panel - first) * kShape.panelBytes(op.depth);
            for (uint32_t stored = from; stored < op.rows;) {
                const uint32_t begin = stored + Rows <= op.rows ? stored : op.rows - Rows;
                fewBlock<Rows>(op, own, starts, panel * kPanelOutputs, begin, stored - begin, memory);
                stored = begin + Rows;
            }
        }
        _tile_release();
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        if (op.rows < kFewestRows) return Vector::run(op, weight, starts, first, last);
        const uint64_t bytes = kShape.panelBytes(op.depth);
        const uint32_t left = op.rows % kRows, tiled = op.rows - left;
        Memory memory;
        if (tiled > 0) {
            configure<kRows>();
            for (uint32_t panel = first; panel < last; ++panel) {
                const uint8_t* own = weight + (panel - first) * bytes;
                for (uint64_t row = 0; row < tiled; row += kRows) block(op, own, starts, panel * kPanelOutputs, row, memory);
                uint64_t rest = tiled;
                if (left < kFewestRows) Vector::template rows<kFewestRows - 1>(op, own, starts, panel * kPanelOutputs, rest);
            }
            _tile_release();
        }
        if (left >= kFewRows) fewRows<kFewRows>(op, weight, starts, first, last, tiled, memory);
        else if (left >= kFewestRows) fewRows<kFewestRows>(op, weight, starts, first, last, tiled, memory);
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
