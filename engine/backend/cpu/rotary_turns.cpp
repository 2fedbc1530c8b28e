#include "engine/backend/cpu/rotary_turns.h"

#include <algorithm>
#include <cstring>

namespace steelyard::cpu {

namespace {

// What the angles depend on, besides positions and factors.
ops::Rotary keyOf(const ops::Rotary& op) {
    ops::Rotary key = op;
    key.x = key.positions = 0;
    key.factors = op.factors ? 1 : 0;
    key.heads = key.headDim = key.reserved = 0;
    key.mode = ops::RotaryMode::Adjacent;
    return key;
}

} // namespace

void RotaryTurns::fill(Entry& entry) {
    const ops::Rotary& op = entry.key;
    const uint32_t half = op.dimensions / 2;
    entry.turns.resize(uint64_t(op.rows) * op.dimensions);
    std::vector<float> powers(half);
    for (uint32_t j = 0; j < half; ++j)
        powers[j] = std::pow(op.base, -2.0f * static_cast<float>(j) / static_cast<float>(op.dimensions));
    for (uint32_t row = 0; row < op.rows; ++row) {
        const auto own = static_cast<uint32_t>(entry.positions[row]);
        const float position = static_cast<float>(own - own % op.ratio);
        float* cosines = entry.turns.data() + uint64_t(row) * op.dimensions;
        for (uint32_t j = 0; j < half; ++j) {
            const float extrapolated = position * powers[j] / (op.factors ? entry.factors[j] : 1.0f);
            float angle = extrapolated * op.frequencyScale;
            if (op.extrapolation > 0.0f) {
                const float width = std::fmax(0.001f, op.correctionHigh - op.correctionLow);
                const float ramp = (static_cast<float>(j) - op.correctionLow) / width;
                const float mix = (1.0f - std::fmin(1.0f, std::fmax(0.0f, ramp))) * op.extrapolation;
                angle = angle * (1.0f - mix) + extrapolated * mix;
            }
            cosines[j] = std::cos(angle) * op.magnitude;
            cosines[half + j] = std::sin(angle) * op.magnitude * op.direction;
        }
    }
}

const float* RotaryTurns::of(const ops::Rotary& op) {
    const ops::Rotary key = keyOf(op);
    const auto* positions = ops::at<const int32_t>(op.positions);
    const auto* factors = ops::at<const float>(op.factors);
    const size_t factorCount = op.factors ? op.dimensions / 2 : 0;
    ++m_uses;
    for (auto& entry : m_entries) {
        if (std::memcmp(&entry.key, &key, sizeof key) != 0) continue;
        if (!std::equal(entry.positions.begin(), entry.positions.end(), positions, positions + op.rows)) continue;
        if (!std::equal(entry.factors.begin(), entry.factors.end(), factors, factors + factorCount)) continue;
        entry.used = m_uses;
        return entry.turns.data();
    }
    if (m_entries.size() < kKept) m_entries.emplace_back();
    auto& entry = *std::min_element(m_entries.begin(), m_entries.end(), [](auto& a, auto& b) { return a.used < b.used; });
    entry.key = key;
    entry.positions.assign(positions, positions + op.rows);
    entry.factors.assign(factors, factors + factorCount);
    entry.used = m_uses;
    fill(entry);
    return entry.turns.data();
}

} // namespace steelyard::cpu
