// The search for scale and minimum of each group of a batch: value = scale * code + base, codes 0 .. kTop.
//
// For given codes the best scale and base are those of weighted least squares, in closed form. Codes come from a few
// candidate scales around range / kTop, and once more from the best fit. Sums are those of a group's lane (group_batch.h).
#pragma once

#include "engine/quant/encoders/bit_packing.h"

namespace {

// Weighted sums over a group of codes q and values x.
struct CodeSums {
    Floats q, qq, qx;
};

struct LineFit {
    Floats scale, base, error; // the error but for the sum of w x^2, which no fit changes
};

template <uint32_t Group, int kTop>
struct MinimumSearch {
    const float *x, *w; // of the first lane, [Group, kGroups]
    Floats sumW = Simd::zero(), sumX = Simd::zero(), least, most;

    MinimumSearch(const float* values, const float* weights) : x(values), w(weights), least(Simd::load(values)), most(least) {
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups), weight = Simd::load(w + i * kGroups);
            sumW = Simd::add(sumW, weight);
            sumX = Simd::add(sumX, Simd::mul(weight, value));
            least = Simd::min(least, value);
            most = Simd::max(most, value);
        }
    }

    static Floats codeOf(Floats value, Floats base, Floats inverse) {
        return clamped(Simd::round(Simd::mul(Simd::sub(value, base), inverse)), 0.0f, kTop);
    }

    CodeSums sums(Floats base, Floats inverse) const {
        CodeSums s{Simd::zero(), Simd::zero(), Simd::zero()};
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups), weight = Simd::load(w + i * kGroups);
            const Floats code = codeOf(value, base, inverse), weighted = Simd::mul(weight, code);
            s.q = Simd::add(s.q, weighted);
            s.qq = Simd::add(s.qq, Simd::mul(weighted, code));
            s.qx = Simd::add(s.qx, Simd::mul(weighted, value));
        }
        return s;
    }

    // The error of scale and base as they are, whole.
    Floats error(Floats scale, Floats base) const {
        const Floats inverse = inverseOrZero(scale);
        Floats sum = Simd::zero();
        for (uint32_t i = 0; i < Group; ++i) {
            const Floats value = Simd::load(x + i * kGroups);
            const Floats miss = Simd::sub(Simd::add(Simd::mul(scale, codeOf(value, base, inverse)), base), value);
            sum = Simd::add(sum, Simd::mul(Simd::load(w + i * kGroups), Simd::mul(miss, miss)));
        }
        return sum;
    }

    // The best line through given codes. With `kBelow` the base is not above zero, as a format's minimum is.
    template <bool kBelow>
    LineFit fit(const CodeSums& s) const {
        const Floats zero = Simd::zero(), tiny = Simd::set1(kTiny);
        const Floats spread = Simd::sub(Simd::mul(sumW, s.qq), Simd::mul(s.q, s.q));
        const Floats enough = Simd::mul(Simd::set1(1e-6f), Simd::mul(sumW, s.qq)); // below: all codes are one, a level base does
        const Floats divisor = Simd::max(spread, tiny);
        Floats scale = Simd::div(Simd::sub(Simd::mul(sumW, s.qx), Simd::mul(sumX, s.q)), divisor);
        Floats base = Simd::div(Simd::sub(Simd::mul(s.qq, sumX), Simd::mul(s.q, s.qx)), divisor);
        scale = Simd::selectLess(enough, spread, scale, zero);
        base = Simd::selectLess(enough, spread, base, Simd::div(sumX, Simd::max(sumW, tiny)));
        if constexpr (kBelow) { // through zero
            scale = Simd::selectLess(zero, base, Simd::div(s.qx, Simd::max(s.qq, tiny)), scale);
            base = Simd::min(base, zero);
        }
        // with either the derivative by each free parameter is zero, so that the error is this
        const Floats gained = Simd::add(Simd::mul(scale, s.qx), Simd::mul(base, sumX));
        return {scale, base, Simd::sub(zero, gained)};
    }

    template <bool kBelow>
    LineFit best() const {
        const Floats origin = kBelow ? Simd::min(least, Simd::zero()) : least;
        const Floats inverseRange = inverseOrZero(Simd::sub(most, origin));
        LineFit best{Simd::zero(), origin, Simd::set1(kTiny)};
        const auto take = [&](Floats base, Floats inverse) {
            const LineFit next = fit<kBelow>(sums(base, inverse));
            best.scale = Simd::selectLess(next.error, best.error, next.scale, best.scale);
            best.base = Simd::selectLess(next.error, best.error, next.base, best.base);
            best.error = Simd::min(next.error, best.error);
        };
        for (int step = 0; step < kSteps; ++step)
            take(origin, Simd::mul(inverseRange, Simd::set1(static_cast<float>(kTop) + kFirst + kStep * static_cast<float>(step))));
        for (int again = 0; again < kRefits; ++again) take(best.base, inverseOrZero(best.scale));
        return best;
    }

    // Few levels gain from scales that cut off the ends, many from fine steps.
    static constexpr float kFirst = kTop <= 3 ? -0.6f : -1.2f, kStep = kTop <= 3 ? 0.15f : 0.2f;
    static constexpr int kSteps = kTop <= 3 ? 9 : 11, kRefits = 2;
};

// What the blocks of a batch are stored as, where groups have a factor for the scale and one for the minimum.
template <uint32_t Group, uint32_t BlockGroups>
struct MinimumCodes {
    uint16_t scale[kGroups / BlockGroups], minimum[kGroups / BlockGroups]; // halves
    uint8_t factors[kGroups], minimums[kGroups];
    uint8_t codes[Group * kGroups]; // group by group
};

// Blocks whose groups share a scale and a minimum, each times a factor of its own up to kMostFactor.
template <uint32_t Group, uint32_t BlockGroups, int kTop, int kMostFactor>
struct MinimumEncoder {
    using Batch = GroupBatch<Group, BlockGroups>;
    using Search = MinimumSearch<Group, kTop>;
    using Codes = MinimumCodes<Group, BlockGroups>;

    Batch batch;
    float scales[kGroups], minimums[kGroups];             // as a group alone would have them
    float shared[kGroups], sharedMinimum[kGroups];        // of each group's block, as halves
    float factors[kGroups], minimumFactors[kGroups], errors[kGroups];

    void run(Codes& out) {
        forLanes([&](uint32_t lane) {
            const LineFit fit = Search(batch.values + lane, batch.weights + lane).template best<true>();
            Simd::store(scales + lane, fit.scale);
            Simd::store(minimums + lane, Simd::sub(Simd::zero(), fit.base));
        });
        for (uint32_t block = 0; block < Batch::kBlocks; ++block) {
            const uint32_t first = block * BlockGroups;
            setShared(block, *std::max_element(scales + first, scales + first + BlockGroups) / kMostFactor,
                      *std::max_element(minimums + first, minimums + first + BlockGroups) / kMostFactor);
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
    void setShared(uint32_t block, float scale, float minimum) {
        m_scale[block] = batch.stored(block, scale);
        m_minimum[block] = batch.stored(block, minimum);
        for (uint32_t group = block * BlockGroups; group < (block + 1) * BlockGroups; ++group) {
            shared[group] = batch.readBack(block, m_scale[block]);
            sharedMinimum[group] = batch.readBack(block, m_minimum[block]);
        }
    }

    // For each group the factors with the least error among those near its own scale and minimum.
    void chooseFactors() {
        forLanes([&](uint32_t lane) {
            const Search search(batch.values + lane, batch.weights + lane);
            const Floats unit = Simd::load(shared + lane), unitMinimum = Simd::load(sharedMinimum + lane);
            const Floats factor = Simd::round(Simd::mul(Simd::load(scales + lane), inverseOrZero(unit)));
            const Floats minimum = Simd::round(Simd::mul(Simd::load(minimums + lane), inverseOrZero(unitMinimum)));
            Floats least = Simd::set1(1e30f), bestFactor = Simd::zero(), bestMinimum = Simd::zero();
            for (int s = -1; s <= 1; ++s)
                for (int m = -1; m <= 1; ++m) {
                    const Floats triedFactor = clamped(Simd::add(factor, Simd::set1(static_cast<float>(s))), 0, kMostFactor);
                    const Floats triedMinimum = clamped(Simd::add(minimum, Simd::set1(static_cast<float>(m))), 0, kMostFactor);
                    const Floats error = search.error(Simd::mul(unit, triedFactor), Simd::sub(Simd::zero(), Simd::mul(unitMinimum, triedMinimum)));
                    bestFactor = Simd::selectLess(error, least, triedFactor, bestFactor);
                    bestMinimum = Simd::selectLess(error, least, triedMinimum, bestMinimum);
                    least = Simd::min(error, least);
                }
            Simd::store(factors + lane, bestFactor);
            Simd::store(minimumFactors + lane, bestMinimum);
            Simd::store(errors + lane, least);
        });
    }

    // The best scale and minimum of each block for the factors and codes that it has: two unknowns, least squares.
    void refitShared() {
        float q[kGroups], qq[kGroups], qx[kGroups], w[kGroups], x[kGroups];
        forLanes([&](uint32_t lane) {
            const Search search(batch.values + lane, batch.weights + lane);
            const Floats scale = Simd::mul(Simd::load(shared + lane), Simd::load(factors + lane));
            const Floats minimum = Simd::mul(Simd::load(sharedMinimum + lane), Simd::load(minimumFactors + lane));
            const CodeSums sums = search.sums(Simd::sub(Simd::zero(), minimum), inverseOrZero(scale));
            Simd::store(q + lane, sums.q);
            Simd::store(qq + lane, sums.qq);
            Simd::store(qx + lane, sums.qx);
            Simd::store(w + lane, search.sumW);
            Simd::store(x + lane, search.sumX);
        });
        for (uint32_t block = 0; block < Batch::kBlocks; ++block) {
            float ss = 0, sm = 0, mm = 0, sx = 0, mx = 0; // of (factor * code) and minimum factor
            for (uint32_t g = block * BlockGroups; g < (block + 1) * BlockGroups; ++g) {
                const float s = factors[g], m = minimumFactors[g];
                ss += s * s * qq[g];
                sm += s * m * q[g];
                mm += m * m * w[g];
                sx += s * qx[g];
                mx += m * x[g];
            }
            const float spread = ss * mm - sm * sm, old = shared[block * BlockGroups], oldMinimum = sharedMinimum[block * BlockGroups];
            float scale = old, minimum = oldMinimum;
            if (spread > 1e-6f * ss * mm) {
                scale = (sx * mm - mx * sm) / spread;
                minimum = (sm * sx - ss * mx) / spread;
            } else if (ss > 0.0f) {
                scale = (sx + sm * oldMinimum) / ss;
            }
            if (!(scale > 0.5f * old && scale < 2.0f * old)) scale = old;
            if (!(minimum > 0.5f * oldMinimum && minimum < 2.0f * oldMinimum)) minimum = oldMinimum;
            setShared(block, scale, minimum);
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
            out.minimum[block] = m_minimum[block];
            for (uint32_t g = block * BlockGroups; g < (block + 1) * BlockGroups; ++g) {
                out.factors[g] = static_cast<uint8_t>(factors[g]);
                out.minimums[g] = static_cast<uint8_t>(minimumFactors[g]);
            }
        }
    }

    void writeCodes(Codes& out) const {
        for (uint32_t group = 0; group < kGroups; ++group) {
            const uint32_t block = group / BlockGroups;
            const Floats scale = Simd::set1(batch.readBack(block, out.scale[block]) * out.factors[group]);
            const Floats base = Simd::set1(-batch.readBack(block, out.minimum[block]) * out.minimums[group]);
            const Floats inverse = inverseOrZero(scale);
            for (uint32_t i = 0; i < Group; i += Simd::kLanes) {
                const Floats value = Simd::load(batch.rows + group * Group + i);
                putCodes(Search::codeOf(value, base, inverse), out.codes + group * Group + i);
            }
        }
    }

    static constexpr int kRounds = 2;
    uint16_t m_scale[Batch::kBlocks], m_minimum[Batch::kBlocks];
};

} // namespace
