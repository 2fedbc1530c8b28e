#include "engine/evaluate/compact_distribution.h"

#include "engine/core/little_endian.h"

#include <algorithm>
#include <array>
#include <bit>

namespace steelyard {

namespace {

constexpr double kStepsPerNat = 2048;
constexpr uint64_t kHeadBytes = 16;
constexpr size_t kBuckets = 512, kBucketsPerNat = 16; // of logits below the highest one

size_t bucketOf(float distance) { return distance >= static_cast<float>(kBuckets) / kBucketsPerNat ? kBuckets - 1 : static_cast<size_t>(distance * kBucketsPerNat); }

// The bucket up to which tokens are kept so that no more than `restMass` is left to those behind it.
size_t lastBucket(std::span<const float> logits, float highest, double restMass) {
    std::array<double, kBuckets> masses{};
    double all = 0;
    for (const float logit : logits) {
        const double mass = std::exp(logit - highest);
        masses[bucketOf(highest - logit)] += mass;
        all += mass;
    }
    double kept = 0;
    for (size_t bucket = 0; bucket < kBuckets; ++bucket)
        if ((kept += masses[bucket]) >= (1 - restMass) * all) return bucket;
    return kBuckets - 1;
}

uint16_t fixedPoint(float logProbability) {
    return static_cast<uint16_t>(std::lround(std::clamp(-double(logProbability) * kStepsPerNat, 0.0, 65535.0)));
}

} // namespace

uint64_t CompactDistribution::mostBytes(uint32_t entries, uint32_t vocabulary) {
    // Distances sum up to less than the vocabulary, so that few of them are long.
    uint64_t bytes = kHeadBytes + uint64_t(entries) * 3;
    for (int bits = 7; bits < 32; bits += 7) bytes += std::min(entries, vocabulary >> bits);
    return bytes;
}

double CompactDistribution::divergenceTo(const RowDistribution& row) const {
    double keptMass = 0, otherMass = 0, sum = 0;
    for (const float value : logProbabilities) keptMass += std::exp(double(value));
    if (!(keptMass > 0)) return 0;
    const double shift = std::log((1 - double(restMass)) / keptMass); // what rounding took or gave
    for (size_t i = 0; i < ids.size(); ++i) {
        const double own = logProbabilities[i] + shift, other = row.logProbability(static_cast<int32_t>(ids[i]));
        const double mass = std::exp(own);
        if (mass > 0) sum += mass * (own - other); // a logit of minus infinity has none
        otherMass += std::exp(other);
    }
    constexpr double kSmallest = 1e-12; // the sum of a float's roundings hides less
    if (restMass > 0) sum += restMass * std::log(restMass / std::fmax(1 - otherMass, kSmallest));
    return std::fmax(sum, 0.0);
}

CompactDistribution compactOf(const RowDistribution& row, int32_t next, const CompactOptions& options) {
    const auto logits = row.logits();
    const float highest = logits[row.top()];
    CompactDistribution compact;
    compact.top = static_cast<uint32_t>(row.top());
    compact.nextLogProbability = static_cast<float>(row.logProbability(next));
    const size_t last = lastBucket(logits, highest, options.restMass);
    for (size_t id = 0; id < logits.size(); ++id)
        if (bucketOf(highest - logits[id]) <= last) compact.ids.push_back(static_cast<uint32_t>(id));
    if (compact.ids.size() > options.mostEntries) {
        const auto end = compact.ids.begin() + options.mostEntries;
        std::nth_element(compact.ids.begin(), end, compact.ids.end(), [&](uint32_t a, uint32_t b) { return logits[a] > logits[b]; });
        compact.ids.erase(end, compact.ids.end());
        std::sort(compact.ids.begin(), compact.ids.end());
    }
    double kept = 0;
    for (const uint32_t id : compact.ids) {
        compact.logProbabilities.push_back(static_cast<float>(row.logProbability(static_cast<int32_t>(id))));
        kept += std::exp(double(compact.logProbabilities.back()));
    }
    compact.restMass = compact.ids.size() == logits.size() ? 0.0f : static_cast<float>(std::fmax(1 - kept, 0.0));
    return compact;
}

void appendBytes(const CompactDistribution& distribution, std::vector<uint8_t>& bytes) {
    appendLittle<uint32_t>(bytes, distribution.top);
    appendLittle<uint32_t>(bytes, std::bit_cast<uint32_t>(distribution.nextLogProbability));
    appendLittle<uint32_t>(bytes, std::bit_cast<uint32_t>(distribution.restMass));
    appendLittle<uint32_t>(bytes, static_cast<uint32_t>(distribution.ids.size()));
    uint32_t before = 0;
    for (size_t i = 0; i < distribution.ids.size(); ++i) {
        uint32_t distance = distribution.ids[i] - before;
        before = distribution.ids[i];
        for (; distance > 127; distance >>= 7) bytes.push_back(static_cast<uint8_t>(distance | 128));
        bytes.push_back(static_cast<uint8_t>(distance));
        appendLittle<uint16_t>(bytes, fixedPoint(distribution.logProbabilities[i]));
    }
}

Result<CompactDistribution> takeDistribution(std::span<const uint8_t>& bytes, uint32_t vocabulary) {
    const Error damaged{"The stored distributions are damaged."};
    if (bytes.size() < kHeadBytes) return damaged;
    CompactDistribution distribution;
    distribution.top = littleAt<uint32_t>(bytes, 0);
    distribution.nextLogProbability = std::bit_cast<float>(littleAt<uint32_t>(bytes, 4));
    distribution.restMass = std::bit_cast<float>(littleAt<uint32_t>(bytes, 8));
    const uint32_t count = littleAt<uint32_t>(bytes, 12);
    bytes = bytes.subspan(kHeadBytes);
    const bool sound = distribution.top < vocabulary && count <= vocabulary && std::isfinite(distribution.nextLogProbability) &&
                       distribution.restMass >= 0 && distribution.restMass <= 1 && uint64_t(count) * 3 <= bytes.size();
    if (!sound) return damaged;
    distribution.ids.reserve(count);
    distribution.logProbabilities.reserve(count);
    uint64_t id = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        for (unsigned shift = 0;; shift += 7) {
            if (at >= bytes.size() || shift > 28) return damaged;
            const uint8_t byte = bytes[at++];
            id += uint64_t(byte & 127) << shift;
            if (!(byte & 128)) break;
        }
        if (id >= vocabulary || at + 2 > bytes.size() || (i > 0 && id <= distribution.ids.back())) return damaged;
        distribution.ids.push_back(static_cast<uint32_t>(id));
        distribution.logProbabilities.push_back(static_cast<float>(-littleAt<uint16_t>(bytes, at) / kStepsPerNat));
        at += 2;
    }
    bytes = bytes.subspan(at);
    return distribution;
}

} // namespace steelyard
