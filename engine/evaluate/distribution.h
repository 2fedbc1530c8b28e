// What one row of logits says about the next token: how probable a token is, which is the most probable one, and how far
// two rows are apart. Sums are in double precision, since a divergence is the small difference of large numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace steelyard {

class RowDistribution {
public:
    // Looks at the logits, which must outlive it.
    explicit RowDistribution(std::span<const float> logits) : m_logits(logits) {
        for (size_t i = 1; i < logits.size(); ++i)
            if (logits[i] > logits[m_top]) m_top = i;
        double sum = 0;
        for (const float logit : logits) sum += std::exp(logit - logits[m_top]);
        m_logSum = logits[m_top] + std::log(sum);
    }

    // Natural logarithm of a token's probability; not a number where a logit is none.
    double logProbability(int32_t token) const { return m_logits[static_cast<size_t>(token)] - m_logSum; }
    size_t top() const { return m_top; }
    std::span<const float> logits() const { return m_logits; }

    // The divergence KL(this || other) = sum of p (log p - log q), in nats; never below 0.
    double divergenceTo(const RowDistribution& other) const {
        double sum = 0;
        for (size_t i = 0; i < m_logits.size(); ++i) {
            const float weight = std::exp(m_logits[i] - m_logits[m_top]); // a logit of minus infinity has none
            if (weight > 0) sum += weight * (double(m_logits[i]) - double(other.m_logits[i]));
        }
        const double normed = sum / std::exp(m_logSum - m_logits[m_top]);
        return std::fmax(normed - m_logSum + other.m_logSum, 0.0);
    }

private:
    std::span<const float> m_logits;
    size_t m_top = 0;
    double m_logSum = 0;
};

} // namespace steelyard
