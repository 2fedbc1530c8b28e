// The nearest codes of a grid format (kernels/quant/grid.h): which entries, signs and scales lose least of a block of 256.
//
// The error of values x with weights w, coded as s g, is sum w x^2 - s (2 sum(w x g) - s sum(w g^2)). Both sums are made once
// for all entries g of the grid, and then every scale s costs one pass over them: the search is exact, no neighbours are
// guessed. A group's scale is tried at a few places, each giving its choice of entries; between these choices the scales of
// the block (one half, four bits for each group) are then settled in closed form. Where the number of negative signs must be
// even, the sign that costs least is turned; that is known for each entry before the scale is.
// The same bits for every instruction set; all is in an unnamed namespace, as in block_weights.h. Source of the layouts:
// kernels/quant/<format>.cuh. Knows nothing of tensors.
#pragma once

#include "engine/quant/encoders/block_weights.h"

#include "kernels/quant/grid.h"

#include <bit>
#include <cstring>

namespace {

// The magnitudes of a grid, an array for each place in a run.
template <class Grid>
struct GridMagnitudes {
    alignas(64) float places[Grid::run][Grid::entries];

    static const GridMagnitudes& get() {
        static const GridMagnitudes kTable;
        return kTable;
    }

private:
    GridMagnitudes() {
        for (uint32_t entry = 0; entry < Grid::entries; ++entry)
            for (uint32_t i = 0; i < Grid::run; ++i)
                places[i][entry] = static_cast<float>(Grid::four(entry, i / 4) >> i % 4 * 8 & 255u);
    }
};

constexpr uint32_t kMostTrials = 5; // scales at which a group's entries are chosen

// For each trial the entry of least error, and its sums.
struct RunChoices {
    float xq[kMostTrials], qq[kMostTrials];
    uint32_t entry[kMostTrials];
};

// The entry of which twiceXq - scale * qq is largest. Loops are as long as vectors are made of them.
template <uint32_t kEntries>
uint32_t bestEntry(const float* twiceXq, const float* qq, float scale) {
    constexpr uint32_t kLanes = 32, kNumber = kEntries - 1;
    // The number of the entry stands in the lowest bits of the gain, so that the larger one brings its number along.
    alignas(64) float best[kLanes];
    const auto numbered = [&](uint32_t entry) {
        return std::bit_cast<float>((std::bit_cast<uint32_t>(twiceXq[entry] - scale * qq[entry]) & ~kNumber) | entry);
    };
    for (uint32_t lane = 0; lane < kLanes; ++lane) best[lane] = numbered(lane);
    for (uint32_t first = kLanes; first < kEntries; first += kLanes)
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const float other = numbered(first + lane);
            best[lane] = other > best[lane] ? other : best[lane];
        }
    float most = best[0];
    for (uint32_t lane = 1; lane < kLanes; ++lane) most = std::max(most, best[lane]);
    return std::bit_cast<uint32_t>(most) & kNumber;
}

// The best entries of one run. `pulls` are w |x|. With `oneTurned` one of the signs is wrong: the one that costs least.
template <class Grid>
void chooseEntries(const float* pulls, const float* weights, bool oneTurned, const float* scales, uint32_t trials, RunChoices& choices) {
    constexpr uint32_t kEntries = Grid::entries, kRun = Grid::run;
    const auto& magnitudes = GridMagnitudes<Grid>::get();
    alignas(64) float twiceXq[kEntries], qq[kEntries];
    for (uint32_t entry = 0; entry < kEntries; ++entry) {
        float pull = 0.0f, weight = 0.0f;
        for (uint32_t i = 0; i < kRun; ++i) {
            const float magnitude = magnitudes.places[i][entry];
            pull += pulls[i] * magnitude;
            weight += weights[i] * magnitude * magnitude;
        }
        twiceXq[entry] = 2.0f * pull;
        qq[entry] = weight;
    }
    if (oneTurned)
        for (uint32_t entry = 0; entry < kEntries; ++entry) {
            float least = pulls[0] * magnitudes.places[0][entry];
            for (uint32_t i = 1; i < kRun; ++i) {
                const float cost = pulls[i] * magnitudes.places[i][entry];
                least = cost < least ? cost : least;
            }
            twiceXq[entry] -= 4.0f * least;
        }
    for (uint32_t trial = 0; trial < trials; ++trial) {
        const uint32_t entry = bestEntry<kEntries>(twiceXq, qq, scales[trial]);
        choices.entry[trial] = entry;
        choices.xq[trial] = 0.5f * twiceXq[entry];
        choices.qq[trial] = qq[entry];
    }
}

// Eight values: their entries (one, or two of four) and signs.
struct UnitChoice {
    uint32_t entries[2] = {};
    uint32_t signs = 0;
};

// Seven signs of each of a group's four units; the eighth follows.
inline uint32_t sevenSigns(const UnitChoice* units) {
    uint32_t bits = 0;
    for (uint32_t unit = 0; unit < 4; ++unit) bits |= (units[unit].signs & 127u) << 7 * unit;
    return bits;
}

inline void writeU32(uint8_t* bytes, uint32_t value) {
    steelyard::kernels::writeU16(bytes, static_cast<uint16_t>(value & 0xFFFFu));
    steelyard::kernels::writeU16(bytes + 2, static_cast<uint16_t>(value >> 16));
}

// Four bits each, low nibble first.
inline void writeNibbles(uint8_t* bytes, const uint32_t* numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 2) bytes[i / 2] = static_cast<uint8_t>(numbers[i] | numbers[i + 1] << 4);
}

// What a grid format adds: the struct `Layout` has
//     using Format; static constexpr uint32_t groupValues; static constexpr bool evenSigns;
//     static constexpr uint32_t trials;
//     static constexpr float largestCode, lowestTrial, highestTrial;   the last two in units of a group's largest / largestCode
//     static void write(uint8_t* block, const uint32_t* levels, const UnitChoice* units);   what follows the scale; zeroed before
template <class Layout>
class GridEncoder {
public:
    static void encode(const float* values, const float* importance, uint64_t count, uint8_t* bytes) {
        for (uint64_t first = 0; first < count; first += kValues, bytes += Format::blockBytes) {
            GridEncoder block(values + first, importance ? importance + first : nullptr);
            block.write(bytes);
        }
    }

private:
    using Format = typename Layout::Format;
    using Grid = typename Format::Grid;
    static constexpr uint32_t kValues = 256, kUnits = kValues / 8, kGroups = kValues / Layout::groupValues, kUnitsOfGroup = kUnits / kGroups;
    static constexpr uint32_t kLevels = 16, kHalves = 8 / Grid::run, kTrials = Layout::trials;
    static_assert(kTrials <= kMostTrials && Format::blockValues == kValues && (kHalves == 1 || kHalves == 2) && (Grid::entries & (Grid::entries - 1)) == 0);

    static constexpr float factorOf(uint32_t level) { return static_cast<float>(2 * level + 1) * Format::step; }

    GridEncoder(const float* values, const float* importance) : m_unit(normalizeBlock<kValues, Weights::BySizeToo>(values, importance, m_values, m_weights)) {
        for (uint32_t i = 0; i < kValues; ++i) m_pulls[i] = m_weights[i] * std::fabs(m_values[i]);
        for (uint32_t group = 0; group < kGroups; ++group) searchGroup(group);
    }

    void searchGroup(uint32_t group) {
        const float* first = m_values + group * Layout::groupValues;
        float largest = 0.0f;
        for (uint32_t i = 0; i < Layout::groupValues; ++i) largest = std::max(largest, std::fabs(first[i]));
        float scales[kTrials];
        m_lowest[group] = scales[0] = largest * Layout::lowestTrial / Layout::largestCode;
        static const float kStep = std::pow(Layout::highestTrial / Layout::lowestTrial, 1.0f / (kTrials - 1));
        for (uint32_t trial = 1; trial < kTrials; ++trial) scales[trial] = scales[trial - 1] * kStep;
        m_highest[group] = scales[kTrials - 1];
        float xq[kTrials] = {}, qq[kTrials] = {};
        for (uint32_t unit = group * kUnitsOfGroup; unit < (group + 1) * kUnitsOfGroup; ++unit) {
            searchUnit(unit, scales, kTrials);
            for (uint32_t trial = 0; trial < kTrials; ++trial) {
                xq[trial] += m_xq[trial][unit];
                qq[trial] += m_qq[trial][unit];
            }
        }
        m_best[group] = 0.0f;
        float bestGain = 0.0f;
        for (uint32_t trial = 0; trial < kTrials; ++trial) {
            if (xq[trial] <= 0.0f || xq[trial] * xq[trial] <= bestGain * qq[trial]) continue;
            bestGain = xq[trial] * xq[trial] / qq[trial];
            m_best[group] = xq[trial] / qq[trial];
        }
    }

    void searchUnit(uint32_t unit, const float* scales, uint32_t trials) {
        uint32_t signs = 0;
        for (uint32_t i = 0; i < 8; ++i) signs |= (m_values[unit * 8 + i] < 0.0f ? 1u : 0u) << i;
        const bool odd = Layout::evenSigns && std::popcount(signs) % 2 == 1;
        RunChoices right[kHalves], turned[kHalves];
        for (uint32_t half = 0; half < kHalves; ++half) {
            const uint32_t first = unit * 8 + half * Grid::run;
            if (!odd || kHalves == 2) chooseEntries<Grid>(m_pulls + first, m_weights + first, false, scales, trials, right[half]);
            if (odd) chooseEntries<Grid>(m_pulls + first, m_weights + first, true, scales, trials, turned[half]);
        }
        for (uint32_t trial = 0; trial < trials; ++trial) {
            UnitChoice& choice = m_choices[trial][unit];
            choice = UnitChoice{};
            uint32_t turnedHalf = kHalves;
            if (odd) {
                const auto loss = [&](uint32_t half) {
                    return 2.0f * (right[half].xq[trial] - turned[half].xq[trial]) - scales[trial] * (right[half].qq[trial] - turned[half].qq[trial]);
                };
                turnedHalf = kHalves == 2 && loss(1) < loss(0) ? 1 : 0;
            }
            float xq = 0.0f, qq = 0.0f;
            for (uint32_t half = 0; half < kHalves; ++half) {
                const RunChoices& run = half == turnedHalf ? turned[half] : right[half];
                choice.entries[half] = run.entry[trial];
                xq += run.xq[trial];
                qq += run.qq[trial];
            }
            choice.signs = odd ? signs ^ turnedSign(unit, turnedHalf, choice.entries[turnedHalf]) : signs;
            m_xq[trial][unit] = xq;
            m_qq[trial][unit] = qq;
        }
    }

    // The sign whose turning costs least, in one half of a unit.
    uint32_t turnedSign(uint32_t unit, uint32_t half, uint32_t entry) const {
        const auto& magnitudes = GridMagnitudes<Grid>::get();
        uint32_t best = 0;
        float least = INFINITY;
        for (uint32_t i = 0; i < Grid::run; ++i) {
            const float cost = m_pulls[unit * 8 + half * Grid::run + i] * magnitudes.places[i][entry];
            if (cost < least) best = i;
            least = std::min(least, cost);
        }
        return 1u << (half * Grid::run + best);
    }

    // The best choice among a unit's for a scale.
    const UnitChoice& choiceFor(uint32_t unit, float scale) const {
        uint32_t best = 0;
        const auto gain = [&](uint32_t trial) { return 2.0f * m_xq[trial][unit] - scale * m_qq[trial][unit]; };
        for (uint32_t trial = 1; trial < kTrials; ++trial)
            if (gain(trial) > gain(best)) best = trial;
        return m_choices[best][unit];
    }

    struct Sums {
        float gain = 0, xq = 0, qq = 0; // the sums for the block's scale
    };

    // What each unit's best choice gains under a scale for each.
    void gainsAt(const float* scales, float* gains, float* xq, float* qq) const {
        for (uint32_t unit = 0; unit < kUnits; ++unit) {
            xq[unit] = m_xq[0][unit];
            qq[unit] = m_qq[0][unit];
            gains[unit] = 2.0f * xq[unit] - scales[unit] * qq[unit];
        }
        for (uint32_t trial = 1; trial < kTrials; ++trial)
            for (uint32_t unit = 0; unit < kUnits; ++unit) {
                const float gain = 2.0f * m_xq[trial][unit] - scales[unit] * m_qq[trial][unit];
                const bool better = gain > gains[unit];
                gains[unit] = better ? gain : gains[unit];
                xq[unit] = better ? m_xq[trial][unit] : xq[unit];
                qq[unit] = better ? m_qq[trial][unit] : qq[unit];
            }
    }

    // The level of each group among those near its own best scale, under the block's scale.
    Sums settleLevels(float scale, uint32_t* levels) const {
        Sums best[kGroups];
        for (int32_t step = -1; step <= 1; ++step) {
            float scales[kUnits], gains[kUnits], xq[kUnits], qq[kUnits];
            uint32_t tried[kGroups];
            for (uint32_t group = 0; group < kGroups; ++group) {
                const float ideal = (m_best[group] / (scale * Format::step) - 1.0f) * 0.5f;
                const auto middle = static_cast<int32_t>(std::clamp(ideal + 0.5f, 1.0f, static_cast<float>(kLevels - 2)));
                tried[group] = static_cast<uint32_t>(middle + step);
                std::fill_n(scales + group * kUnitsOfGroup, kUnitsOfGroup, scale * factorOf(tried[group]));
            }
            gainsAt(scales, gains, xq, qq);
            for (uint32_t group = 0; group < kGroups; ++group) {
                const float factor = factorOf(tried[group]);
                Sums one;
                for (uint32_t unit = group * kUnitsOfGroup; unit < (group + 1) * kUnitsOfGroup; ++unit) {
                    one.gain += gains[unit] * factor;
                    one.xq += xq[unit] * factor;
                    one.qq += qq[unit] * factor * factor;
                }
                if (step >= 0 && one.gain <= best[group].gain) continue;
                best[group] = one;
                levels[group] = tried[group];
            }
        }
        Sums sums;
        for (const Sums& one : best) {
            sums.gain += one.gain * scale;
            sums.xq += one.xq;
            sums.qq += one.qq;
        }
        return sums;
    }

    // The block's scale: the largest group at one level after the other, each refitted.
    float blockScale() const {
        float largest = 0.0f;
        for (const float scale : m_best) largest = std::max(largest, scale);
        float best = 0.0f, bestGain = 0.0f;
        uint32_t levels[kGroups];
        for (uint32_t level = kLevels / 2; level <= kLevels && largest > 0.0f; ++level) {
            float scale = largest / factorOf(level);
            for (int round = 0; round < 2; ++round) {
                const Sums sums = settleLevels(scale, levels);
                if (sums.gain > bestGain) {
                    bestGain = sums.gain;
                    best = scale;
                }
                if (sums.xq <= 0.0f) break;
                scale = sums.xq / sums.qq;
            }
        }
        return best;
    }

    void write(uint8_t* bytes) {
        std::memset(bytes, 0, Format::blockBytes);
        const uint16_t half = storedHalf(blockScale(), m_unit);
        const float scale = steelyard::kernels::halfToFloat(half) / m_unit;
        if (scale == 0.0f) return;
        steelyard::kernels::writeU16(bytes, half);
        uint32_t levels[kGroups];
        UnitChoice units[kUnits];
        settleLevels(scale, levels);
        for (uint32_t group = 0; group < kGroups; ++group) {
            const float groupScale = scale * factorOf(levels[group]);
            const bool tried = groupScale >= m_lowest[group] && groupScale <= m_highest[group];
            for (uint32_t unit = group * kUnitsOfGroup; unit < (group + 1) * kUnitsOfGroup; ++unit) {
                if (!tried) searchUnit(unit, &groupScale, 1);
                units[unit] = tried ? choiceFor(unit, groupScale) : m_choices[0][unit];
            }
        }
        Layout::write(bytes, levels, units);
    }

    float m_values[kValues], m_weights[kValues], m_pulls[kValues];
    float m_unit; // what the values were divided by
    float m_lowest[kGroups], m_highest[kGroups], m_best[kGroups]; // scales: the ends of those tried, and the best
    float m_xq[kTrials][kUnits], m_qq[kTrials][kUnits];   // of the choices
    UnitChoice m_choices[kTrials][kUnits];
};

} // namespace
