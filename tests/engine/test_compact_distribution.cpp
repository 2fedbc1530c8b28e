// Distributions in a few bytes: what they keep, how near their divergence is to the exact one, and bytes that are damaged.
#include "engine/evaluate/compact_distribution.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace steelyard;

namespace {

constexpr size_t kVocabulary = 3000;

// Logits of a long-tailed distribution; and the same with noise.
std::vector<float> logitsOf(uint32_t seed, float noise) {
    std::vector<float> logits(kVocabulary);
    uint32_t own = 12345, other = seed;
    for (size_t i = 0; i < kVocabulary; ++i) {
        own = own * 1664525u + 1013904223u;
        other = other * 1664525u + 1013904223u;
        const float base = -2.0f * std::log(1.0f + static_cast<float>((own >> 12) % kVocabulary));
        logits[i] = base + noise * (static_cast<float>(other >> 8) / static_cast<float>(1 << 23) - 1.0f);
    }
    return logits;
}

} // namespace

class TestCompactDistribution : public QObject {
    Q_OBJECT

private slots:
    void keepsTheMostProbable();
    void divergenceIsNearlyTheExactOne_data();
    void divergenceIsNearlyTheExactOne();
    void roundingIsNoDifference();
    void fewEntriesGiveALowerBound();
    void comesBackFromBytes();
    void damagedBytesAreRefused();
    void impossibleTokensCountForNothing();
};

void TestCompactDistribution::keepsTheMostProbable() {
    const auto logits = logitsOf(1, 0);
    const RowDistribution row(logits);
    const auto compact = compactOf(row, 7, {0.01, 4096});
    QCOMPARE(size_t(compact.top), row.top());
    QCOMPARE(compact.nextLogProbability, static_cast<float>(row.logProbability(7)));
    QVERIFY(compact.restMass <= 0.01 && compact.restMass > 0 && compact.ids.size() < kVocabulary);
    QVERIFY(std::is_sorted(compact.ids.begin(), compact.ids.end()));
    float least = 0;
    for (const uint32_t id : compact.ids) least = std::min(least, logits[id] - logits[row.top()]);
    size_t more = 0;
    for (const float logit : logits) more += logit - logits[row.top()] > least ? 1 : 0;
    QVERIFY(more < compact.ids.size()); // none outside is more probable than one inside
    QCOMPARE(compactOf(row, 7, {0.0, 50}).ids.size(), size_t(50));
    QCOMPARE(compactOf(row, 7, {0.0, 4096}).restMass, 0.0f); // all of them
}

void TestCompactDistribution::divergenceIsNearlyTheExactOne_data() {
    QTest::addColumn<float>("noise");
    QTest::newRow("hardly any loss") << 0.05f;
    QTest::newRow("a level of 4 bit") << 0.4f;
    QTest::newRow("a level of 2 bit") << 2.0f;
}

void TestCompactDistribution::divergenceIsNearlyTheExactOne() {
    QFETCH(float, noise);
    const auto right = logitsOf(1, 0), found = logitsOf(77, noise);
    const RowDistribution p(right), q(found);
    const double exact = p.divergenceTo(q);
    const double near = compactOf(p, 3, {}).divergenceTo(q);
    QVERIFY2(near <= exact * (1 + 1e-4) && near >= exact * 0.99, qPrintable(QString("%1 for %2").arg(near).arg(exact)));
}

void TestCompactDistribution::roundingIsNoDifference() {
    const auto logits = logitsOf(1, 0);
    const RowDistribution row(logits);
    std::vector<uint8_t> bytes;
    appendBytes(compactOf(row, 3, {}), bytes);
    std::span<const uint8_t> left(bytes);
    const auto read = takeDistribution(left, kVocabulary);
    QVERIFY(read.ok());
    QVERIFY2(read->divergenceTo(row) < 1e-6, qPrintable(QString::number(read->divergenceTo(row))));
}

void TestCompactDistribution::fewEntriesGiveALowerBound() {
    const auto right = logitsOf(1, 0), found = logitsOf(77, 1.0f);
    const RowDistribution p(right), q(found);
    double before = 0;
    for (const uint32_t entries : {1u, 10u, 100u, 1000u}) {
        const double bound = compactOf(p, 3, {0, entries}).divergenceTo(q);
        QVERIFY(bound <= p.divergenceTo(q) * (1 + 1e-4) && bound >= before - 1e-9); // a finer partition cannot give less
        before = bound;
    }
}

void TestCompactDistribution::comesBackFromBytes() {
    const auto logits = logitsOf(9, 1.0f);
    const auto one = compactOf(RowDistribution(logits), 5, {}), two = compactOf(RowDistribution(logits), 6, {0, 3});
    std::vector<uint8_t> bytes;
    appendBytes(one, bytes);
    QVERIFY(bytes.size() <= CompactDistribution::mostBytes(static_cast<uint32_t>(one.ids.size()), kVocabulary));
    appendBytes(two, bytes);
    std::span<const uint8_t> left(bytes);
    for (const auto* each : {&one, &two}) {
        const auto read = takeDistribution(left, kVocabulary);
        QVERIFY2(read.ok(), read.sentence().c_str());
        QCOMPARE(read->ids, each->ids);
        QCOMPARE(read->top, each->top);
        QCOMPARE(read->restMass, each->restMass);
        QCOMPARE(read->nextLogProbability, each->nextLogProbability);
        for (size_t i = 0; i < each->ids.size(); ++i) QVERIFY(std::abs(read->logProbabilities[i] - each->logProbabilities[i]) <= 0.5 / 2048 + 1e-6);
    }
    QVERIFY(left.empty());
}

void TestCompactDistribution::damagedBytesAreRefused() {
    const auto logits = logitsOf(9, 1.0f);
    std::vector<uint8_t> bytes;
    appendBytes(compactOf(RowDistribution(logits), 5, {0, 20}), bytes);
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
        std::span<const uint8_t> left(bytes.data(), cut);
        QVERIFY(!takeDistribution(left, kVocabulary).ok());
    }
    for (size_t at = 0; at < bytes.size(); ++at) { // nothing that is read reaches out of the vocabulary
        auto changed = bytes;
        changed[at] ^= 0xff;
        std::span<const uint8_t> left(changed);
        const auto read = takeDistribution(left, kVocabulary);
        if (read)
            for (const uint32_t id : read->ids) QVERIFY(id < kVocabulary);
    }
    std::span<const uint8_t> left(bytes);
    QVERIFY(!takeDistribution(left, 10).ok());
}

void TestCompactDistribution::impossibleTokensCountForNothing() {
    std::vector<float> logits = {0.0f, 1.0f, -std::numeric_limits<float>::infinity(), 0.5f};
    const RowDistribution row(logits);
    const auto compact = compactOf(row, 1, {0, 3});
    QVERIFY(compact.divergenceTo(row) < 1e-6);
    QVERIFY(std::isfinite(compact.divergenceTo(row)));
}

QTEST_GUILESS_MAIN(TestCompactDistribution)
#include "test_compact_distribution.moc"
