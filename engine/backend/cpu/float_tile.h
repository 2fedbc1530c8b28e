// The inner loop of every float product: a few rows times a few vectors of columns, summed over the depth in order.
//
//   out[r][v] = sum_k a[r * aStride + k] * b(v, k)
// Each sum is one chain over k in a register, whatever the number of rows and vectors, so a row's result does not depend
// on its neighbours. Included after a vector header, by the translation units of one instruction set each.
#pragma once

#include "engine/backend/cpu/vector_math.h"

namespace {

struct FloatTile {
    using Floats = Simd::Floats;

    // `b(v, k)` gives the vector v of depth k; `done(row, v, sum)` takes the result.
    template <int Rows, int Vectors, class B, class Done>
    static void multiply(const float* a, size_t aStride, uint32_t depth, B&& b, Done&& done) {
        Floats sums[Rows][Vectors];
        unrolled<Rows>([&](auto r) { unrolled<Vectors>([&](auto v) { sums[r][v] = Simd::zero(); }); });
        for (uint32_t k = 0; k < depth; ++k) {
            Floats column[Vectors];
            unrolled<Vectors>([&](auto v) { column[v] = b(static_cast<uint32_t>(v), k); });
            unrolled<Rows>([&](auto r) {
                const Floats x = Simd::set1(a[r * aStride + k]);
                unrolled<Vectors>([&](auto v) { sums[r][v] = Simd::fma(x, column[v], sums[r][v]); });
            });
        }
        unrolled<Rows>([&](auto r) {
            unrolled<Vectors>([&](auto v) { done(static_cast<uint32_t>(r), static_cast<uint32_t>(v), sums[r][v]); });
        });
    }

    // All rows, in tiles of at most kTileRows; `done` gets the row's number.
    template <int Vectors, class B, class Done>
    static void allRows(const float* a, size_t aStride, uint32_t rows, uint32_t depth, B&& b, Done&& done) {
        uint32_t first = 0;
        const auto from = [&](uint32_t r, uint32_t v, Floats sum) { done(first + r, v, sum); };
        for (; first + Simd::kTileRows <= rows; first += Simd::kTileRows)
            multiply<Simd::kTileRows, Vectors>(a + first * aStride, aStride, depth, b, from);
        rest<Simd::kTileRows - 1, Vectors>(a + first * aStride, aStride, rows - first, depth, b, from);
    }

    // A matrix in memory: b[k * bStride + column], out[row * outStride + column]; columns a multiple of the lanes.
    static void matrix(const float* a, size_t aStride, uint32_t rows, uint32_t depth, const float* b, size_t bStride,
                       uint32_t columns, float* out, size_t outStride) {
        constexpr uint32_t kLanes = Simd::kLanes, kWide = Simd::kTileVectors * kLanes;
        uint32_t column = 0;
        const auto load = [&](uint32_t v, uint32_t k) { return Simd::load(b + k * bStride + column + v * kLanes); };
        const auto store = [&](uint32_t r, uint32_t v, Floats sum) { Simd::store(out + r * outStride + column + v * kLanes, sum); };
        for (; column + kWide <= columns; column += kWide)
            allRows<Simd::kTileVectors>(a, aStride, rows, depth, load, store);
        for (; column < columns; column += kLanes) allRows<1>(a, aStride, rows, depth, load, store);
    }

private:
    template <int Rows, int Vectors, class B, class Done>
    static void rest(const float* a, size_t aStride, uint32_t rows, uint32_t depth, B&& b, Done&& done) {
        if constexpr (Rows > 0) {
            if (rows == Rows) multiply<Rows, Vectors>(a, aStride, depth, b, done);
            else rest<Rows - 1, Vectors>(a, aStride, rows, depth, b, done);
        }
    }
};

} // namespace
