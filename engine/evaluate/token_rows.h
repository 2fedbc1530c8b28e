// What is kept of a column for each scored token, and the figures that follow from it. 13 bytes a token in a file, little-endian: f32
// divergence from the reference, f32 log-probability of the token that came, f32 the reference's, u8 whether both think the same token
// most probable. Knows nothing of models.
#pragma once

#include "engine/evaluate/measurement.h"

#include <span>
#include <vector>

namespace steelyard {

class TokenRows {
public:
    void add(float divergence, float logProbability, float referenceLogProbability, bool sameTop);
    size_t size() const { return m_divergences.size(); }
    double perplexity() const; // of the rows so far

    // All rows as bytes; and rows from bytes behind those that are there.
    std::vector<uint8_t> bytes() const;
    Result<void> addBytes(std::span<const uint8_t> bytes);
    void append(const TokenRows& other);

    // At least one row.
    Quality quality() const;

private:
    std::vector<float> m_divergences, m_logs, m_referenceLogs;
    std::vector<uint8_t> m_sameTop;
};

} // namespace steelyard
