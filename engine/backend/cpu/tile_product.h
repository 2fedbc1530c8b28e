// Integer products of many rows on the matrix unit (AMX): 16 rows times one panel of 16 outputs at a time.
//
// A panel's unpacked lines are already what the unit wants as its second operand: [4-depth chunk][16 outputs][4 codes].
// Tiles: 0..3 sums, 4 and 5 rows of activations, 6 and 7 codes. Per group of 32 values the exact integer sums go through
// memory to vectors, which scale and add them exactly as product_kernel.h does, so a row has the same bits on both ways.
// Rows beyond a multiple of 16 take the vector code. Included after simd_avx512.h and kernel_list.h.
#pragma once

#include <atomic>

namespace {

template <class Format>
struct TileProduct {
    using Vector = IntegerProduct<Format>;
    static constexpr PanelShape kShape = Vector::kShape;
    static constexpr bool kHalves = Vector::kHalves;
    static constexpr uint32_t kRows = 16;
    static constexpr uint32_t kDepth = kHalves ? 16 : 32;         // values that share an integer sum
    static constexpr uint32_t kGroupsPerPass = kHalves ? 1 : 2;   // four tiles of sums: planes x groups or halves

    struct alignas(64) Memory {
        int8_t codes[kGroupsPerPass][512];
        int32_t sums[4][kRows * kPanelOutputs];
    };

    struct alignas(64) Configuration {
        uint8_t palette = 1, startRow = 0, reserved[14] = {};
        uint16_t rowBytes[16] = {};
        uint8_t rows[16] = {};
    };

    static void configure() {
        Configuration c;
        for (int tile = 0; tile < 8; ++tile) {
            const bool isRows = tile == 4 || tile == 5, isCodes = tile >= 6;
            c.rowBytes[tile] = isRows ? kDepth : 64;
            c.rows[tile] = isCodes ? kDepth / 4 : kRows;
        }
        _tile_loadconfig(&c);
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

    // The minima of 16 rows from `row` on, into the memory of the first sums.
    static void minima(const ops::MatMul& op, const uint8_t* area, const int32_t* starts, uint64_t row, Memory& m) {
        const uint32_t groups = op.depth / 32;
        float* out = reinterpret_cast<float*>(m.sums[0]);
        if constexpr (Vector::kMinimum32) {
            const auto minimum = [&](uint32_t, uint32_t g) { return Vector::factors(area, g, 0).minimum; };
            const auto done = [&](uint32_t r, uint32_t, Simd::Floats sum) { _mm512_store_ps(out + r * kPanelOutputs, sum); };
            FloatTile::allRows<1>(RowKernels::at<const float>(op.xSums) + row * groups, groups, kRows, groups, minimum, done);
        } else {
            const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
            const int32_t* start = starts + row * 4 * groups; // two planes of two sums
            Simd::Floats sums[kRows];
            unrolled<kRows>([&](auto r) { sums[r] = Simd::zero(); });
            for (uint32_t g = 0; g < groups; ++g) {
                const auto f = Vector::factors(area, g, 0);
                unrolled<kRows>([&](auto r) {
                    const int32_t* own = start + r * 4 * groups + g * 2;
                    sums[r] = Vector::addMinimum(sums[r], own, own + 2 * groups, f, scales[r * groups + g]);
                });
            }
            unrolled<kRows>([&](auto r) { _mm512_store_ps(out + r * kPanelOutputs, sums[r]); });
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
        if constexpr (Vector::kHasMinimum) minima(op, area, starts, row, m);
        unrolled<kRows>([&](auto r) {
            const Simd::Floats minimum = Vector::kHasMinimum ? _mm512_load_ps(m.sums[0] + r * kPanelOutputs) : Simd::zero();
            ProductEnd::store(op, row + r, output, Simd::add(sums[r], minimum));
        });
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        if (op.rows < kRows) return Vector::run(op, weight, starts, first, last);
        const uint64_t bytes = kShape.panelBytes(op.depth);
        Memory memory;
        configure();
        for (uint32_t panel = first; panel < last; ++panel) {
            const uint8_t* own = weight + (panel - first) * bytes;
            uint64_t row = 0;
            for (; row + kRows <= op.rows; row += kRows) block(op, own, starts, panel * kPanelOutputs, row, memory);
            Vector::template rows<Simd::kRowTile>(op, own, starts, panel * kPanelOutputs, row);
        }
        _tile_release();
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
