#include "engine/evaluate/token_rows.h"

#include "engine/core/little_endian.h"
#include "engine/evaluate/statistics.h"

#include <bit>
#include <numeric>

namespace steelyard {

namespace {

constexpr size_t kRowBytes = 13;

void put(std::vector<uint8_t>& bytes, float value) {
    appendLittle(bytes, std::bit_cast<uint32_t>(value));
}

float valueAt(std::span<const uint8_t> bytes, size_t at) {
    return std::bit_cast<float>(littleAt<uint32_t>(bytes, at));
}

} // namespace

void TokenRows::add(float divergence, float logProbability, float referenceLogProbability, bool sameTop) {
    m_divergences.push_back(divergence);
    m_logs.push_back(logProbability);
    m_referenceLogs.push_back(referenceLogProbability);
    m_sameTop.push_back(sameTop ? 1 : 0);
}

double TokenRows::perplexity() const { return std::exp(-meanOf(m_logs).mean); }

std::vector<uint8_t> TokenRows::bytes() const {
    std::vector<uint8_t> bytes;
    bytes.reserve(size() * kRowBytes);
    for (size_t i = 0; i < size(); ++i) {
        put(bytes, m_divergences[i]);
        put(bytes, m_logs[i]);
        put(bytes, m_referenceLogs[i]);
        bytes.push_back(m_sameTop[i]);
    }
    return bytes;
}

Result<void> TokenRows::addBytes(std::span<const uint8_t> bytes) {
    if (bytes.size() % kRowBytes != 0) return Error{"The stored results are damaged."};
    for (size_t at = 0; at < bytes.size(); at += kRowBytes) add(valueAt(bytes, at), valueAt(bytes, at + 4), valueAt(bytes, at + 8), bytes[at + 12] != 0);
    return {};
}

void TokenRows::append(const TokenRows& other) {
    for (size_t i = 0; i < other.size(); ++i) add(other.m_divergences[i], other.m_logs[i], other.m_referenceLogs[i], other.m_sameTop[i] != 0);
}

Quality TokenRows::quality() const {
    Quality quality;
    const auto count = static_cast<double>(size());
    quality.tokens = size();
    const Mean logs = meanOf(m_logs), divergences = meanOf(m_divergences);
    quality.perplexity = std::exp(-logs.mean);
    quality.perplexityError = quality.perplexity * logs.error; // the derivative of exp
    std::vector<float> changes(size());
    for (size_t i = 0; i < size(); ++i) changes[i] = m_logs[i] - m_referenceLogs[i];
    const Mean change = meanOf(changes);
    quality.meanChange = change.mean;
    quality.meanChangeError = change.error;
    quality.changeDeviation = change.deviation;
    quality.perplexityRatio = std::exp(-change.mean);
    quality.perplexityRatioError = quality.perplexityRatio * change.error;
    quality.meanKl = divergences.mean;
    quality.klError = divergences.error;
    quality.medianKl = percentile(m_divergences, 0.5);
    quality.klP99 = percentile(m_divergences, 0.99);
    quality.maxKl = *std::max_element(m_divergences.begin(), m_divergences.end());
    quality.sameTop = std::accumulate(m_sameTop.begin(), m_sameTop.end(), 0.0) / count;
    quality.sameTopError = std::sqrt(quality.sameTop * (1 - quality.sameTop) / std::fmax(count - 1, 1));
    return quality;
}

} // namespace steelyard
