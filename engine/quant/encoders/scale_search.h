// The search for the scale of each group of a batch: value = scale * number, one of the numbers that the codes stand for.
//
// For given codes the best scale is that of weighted least squares, in closed form, and gains (sum w x q)^2 / (sum w q^2).
// Codes come from scales that bring the largest magnitude near the first or, with the other sign, the last number, and once
// more from the best scale. Sums are those of a group's lane (group_batch.h). What numbers there are says a struct with
//     static Floats nearest(Floats scaled)       the number nearest to a value over its scale
//     static Floats codeOf(Floats scaled)        the code of that number, as it is stored
//     static void tries(each)                    each(number): where the value of largest magnitude may lie
#pragma once

#include "engine/quant/encoders/bit_packing.h"

namespace {

// Whole numbers -kHalf .. kHalf - 1, stored with kHalf added.
template <int kHalf>
struct WholeNumbers {
    static Floats nearest(Floats scaled) { return clamped(Simd::round(scaled), -kHalf, kHalf - 1); }
    static Floats codeOf(Floats scaled) { return Simd::add(nearest(scaled), Simd::set1(kHalf)); }

    // Few levels gain from scales that cut off the largest value, many from fine steps.
    template <class Each>
    static void tries(Each&& each) {
        constexpr float kFirst = kHalf <= 4 ? -0.6f : -1.2f, kStep = kHalf <= 4 ? 0.2f : 0.24f;
        for (int step = 0; step < (kHalf <= 4 ? 8 : 11); ++step) {
            const float away = kFirst + kStep * static_cast<float>(step);
            each(-(kHalf + away));
            if (kHalf <= 8) each(kHalf - 1 + away);
        }
    }
};

template <uint32_t Group, class Numbers>
struct ScaleSearch {
    const float *x, *w; // of the first lane, [Group, kGroups]

    struct Sums {
        Floats qq, qx;
    };

    Sums sums(Floats inverse) const {
        Sums s{Simd::zero(), Simd::zero()};
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups), code = Numbers::nearest(Simd::mul(value, inverse));
            const Floats weighted = Simd::mul(Simd::load(w + i * kGroups), code);
            s.qq = Simd::add(s.qq, Simd::mul(weighted, code));
            s.qx = Simd::add(s.qx, Simd::mul(weighted, value));
        }
        return s;
    }

    Floats error(Floats scale) const {
        const Floats inverse = inverseOrZero(scale);
        Floats sum = Simd::zero();
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups);
            const Floats miss = Simd::sub(Simd::mul(scale, Numbers::nearest(Simd::mul(value, inverse))), value);
            sum = Simd::add(sum, Simd::mul(Simd::load(w + i * kGroups), Simd::mul(miss, miss)));
        }
        return sum;
    }

    Floats best() const {
        const Floats zero = Simd::zero();
        Floats extreme = zero; // the value of the largest magnitude
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups);
            extreme = Simd::selectLess(Simd::abs(extreme), Simd::abs(value), value, extreme);
        }
        const Floats inverse = inverseOrZero(extreme);
        Floats bestScale = zero, bestGain = zero;
        const auto take = [&](Floats tried) {
            const Sums s = sums(tried);
            const Floats scale = Simd::div(s.qx, Simd::max(s.qq, Simd::set1(kTiny))), gain = Simd::mul(scale, s.qx);
            bestScale = Simd::selectLess(bestGain, gain, scale, bestScale);
            bestGain = Simd::max(bestGain, gain);
        };
        Numbers::tries([&](float number) { take(Simd::mul(inverse, Simd::set1(number))); });
        for (int again = 0; again < kRefits; ++again) take(inverseOrZero(bestScale));
        return bestScale;
    }

    static constexpr int kRefits = 2;
};

template <uint32_t Group, uint32_t BlockGroups>
struct ScaleCodes {
    uint16_t scale[kGroups / BlockGroups]; // halves
    int8_t factors[kGroups];
    uint8_t codes[Group * kGroups]; // group by group
};

// Blocks whose groups share a scale, each times a signed factor of its own, -kFactorHalf .. kFactorHalf - 1.
template <uint32_t Group, uint32_t BlockGroups, class Numbers, int kFactorHalf>
struct ScaleEncoder {
    using Batch = GroupBatch<Group, BlockGroups>;
    using Search = ScaleSearch<Group, Numbers>;
    using Codes = ScaleCodes<Group, BlockGroups>;

    Batch batch;
    float scales[kGroups];                   // as a group alone would have them
    float shared[kGroups];                   // of each group's block, as a half
    float factors[kGroups], errors[kGroups];

    void run(Codes& out) {
        forLanes([&](uint32_t lane) { Simd::store(scales + lane, Search{batch.values + lane, batch.weights + lane}.best()); });
        for (uint32_t block = 0; block < Batch::kBlocks; ++block) {
            const float* first = scales + block * BlockGroups;
            const auto most = std::max_element(first, first + BlockGroups, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
            setShared(block, *most / -kFactorHalf);
        }
        float least[Batch::kBlocks];
        std::fill(least, least + Batch::kBlocks, 1e30f);
        for (int round = 0; round < kRounds; ++round) {
            if (round > 0) refitShared();
            chooseFactors();
            keep(out, least);
        }
        writeCodes(out);
    }

private:
    void setShared(uint32_t block, float scale) {
        m_scale[block] = batch.stored(block, scale);
        std::fill(shared + block * BlockGroups, shared + (block + 1) * BlockGroups, batch.readBack(block, m_scale[block]));
    }

    // For each group the factor with the least error among those near its own scale.
    void chooseFactors() {
        forLanes([&](uint32_t lane) {
            const Search search{batch.values + lane, batch.weights + lane};
            const Floats unit = Simd::load(shared + lane), factor = Simd::round(Simd::mul(Simd::load(scales + lane), inverseOrZero(unit)));
            Floats least = Simd::set1(1e30f), best = Simd::zero();
            for (int step = -1; step <= 1; ++step) {
                const Floats tried = clamped(Simd::add(factor, Simd::set1(static_cast<float>(step))), -kFactorHalf, kFactorHalf - 1);
                const Floats error = search.error(Simd::mul(unit, tried));
                best = Simd::selectLess(error, least, tried, best);
                least = Simd::min(error, least);
            }
            Simd::store(factors + lane, best);
            Simd::store(errors + lane, least);
        });
    }

    // The best scale of each block for the factors and codes that it has.
    void refitShared() {
        float qq[kGroups], qx[kGroups];
        forLanes([&](uint32_t lane) {
            const Floats factor = Simd::load(factors + lane);
            const auto sums = Search{batch.values + lane, batch.weights + lane}.sums(inverseOrZero(Simd::mul(Simd::load(shared + lane), factor)));
            Simd::store(qq + lane, Simd::mul(sums.qq, Simd::mul(factor, factor)));
            Simd::store(qx + lane, Simd::mul(sums.qx, factor));
        });
        for (uint32_t block = 0; block < Batch::kBlocks; ++block) {
            float top = 0.0f, bottom = 0.0f;
            for (uint32_t g = block * BlockGroups; g < (block + 1) * BlockGroups; ++g) {
                top += qx[g];
                bottom += qq[g];
            }
            if (bottom > kTiny) setShared(block, top / bottom);
        }
    }

    // Takes over what was chosen where it is better than what was kept.
    void keep(Codes& out, float* least) const {
        for (uint32_t block = 0; block < Batch::kBlocks; ++block) {
            float error = 0.0f;
            for (uint32_t g = block * BlockGroups; g < (block + 1) * BlockGroups; ++g) error += errors[g];
            if (!(error < least[block])) continue;
            least[block] = error;
            out.scale[block] = m_scale[block];
            for (uint32_t g = block * BlockGroups; g < (block + 1) * BlockGroups; ++g) out.factors[g] = static_cast<int8_t>(factors[g]);
        }
    }

    void writeCodes(Codes& out) const {
        for (uint32_t group = 0; group < kGroups; ++group) {
            const uint32_t block = group / BlockGroups;
            const Floats inverse = inverseOrZero(Simd::set1(batch.readBack(block, out.scale[block]) * out.factors[group]));
            for (uint32_t i = 0; i < Group; i += Simd::kLanes) {
                putCodes(Numbers::codeOf(Simd::mul(Simd::load(batch.rows + group * Group + i), inverse)), out.codes + group * Group + i);
            }
        }
    }

    static constexpr int kRounds = 2;
    uint16_t m_scale[Batch::kBlocks];
};

} // namespace
