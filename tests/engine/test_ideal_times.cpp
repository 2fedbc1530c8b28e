// What share of a device's arithmetic and bandwidth a reply reached: the formula, the work of a token, and what a real load measures.
#include "tests/engine/loaded_engine.h"

#include "engine/loaded_model.h"
#include "engine/model/architectures.h"

#include <QtTest>

using namespace steelyard;

namespace {

const std::string kModels = std::string(STEELYARD_TEST_DATA) + "/architectures/";

TokenWork workOf(const std::string& name, ModelSpec* specOut = nullptr) {
    auto file = GgufFile::open(kModels + name);
    if (!file) return {};
    const auto spec = readSpec(*file);
    if (!spec) return {};
    if (specOut) *specOut = *spec;
    return workPerToken(*spec, *file, {});
}

uint64_t matrixValues(const std::string& name, const std::vector<std::string>& parts) {
    auto file = GgufFile::open(kModels + name);
    if (!file) return 0;
    uint64_t values = 0;
    for (const auto& tensor : file->tensors())
        for (const auto& part : parts)
            if (tensor.name.find(part + ".weight") != std::string::npos) values += tensor.columns() * tensor.rows();
    return values;
}

GenerationStatistics statisticsOf(uint32_t promptTokens, uint32_t generatedTokens) {
    GenerationStatistics statistics;
    statistics.promptTokens = promptTokens;
    statistics.generatedTokens = generatedTokens;
    return statistics;
}

} // namespace

class TestIdealTimes : public QObject {
    Q_OBJECT
private slots:
    void prefillIsHeldAgainstArithmetic() {
        const IdealTimes ideal{8, 0.01, 0.5};
        auto statistics = statisticsOf(500, 0);
        statistics.reusedTokens = 100;
        statistics.prefillMs = 800;
        ideal.tellShares(statistics);
        QCOMPARE(statistics.prefillArithmeticShare, 0.25); // 400 tokens of 0.5 ms in 800 ms
        QCOMPARE(statistics.decodeBandwidthShare, 0.0);
        statistics.prefillArithmeticShare = 0;
        statistics.transferTokens = 500; // another device read it
        ideal.tellShares(statistics);
        QCOMPARE(statistics.prefillArithmeticShare, 0.0);
    }

    void decodeIsHeldAgainstBandwidth() {
        const IdealTimes ideal{8, 0.01, 0.5};
        auto statistics = statisticsOf(150, 101);
        statistics.decodeTokensPerSecond = 50; // 100 tokens after the first in 2 s
        ideal.tellShares(statistics);
        QVERIFY(std::fabs(statistics.decodeBandwidthShare - 100 * (8 + 200.5 * 0.01) / 2000) < 1e-9);
        statistics.speculation.accepted = 60; // 40 steps made the same tokens
        ideal.tellShares(statistics);
        QVERIFY(std::fabs(statistics.decodeBandwidthShare - 40 * (8 + 200.5 * 0.01) / 2000) < 1e-9);
    }

    void withoutAMeasureNothingIsKnown() {
        auto statistics = statisticsOf(150, 101);
        statistics.decodeTokensPerSecond = 50;
        statistics.prefillMs = 10;
        IdealTimes().tellShares(statistics);
        QCOMPARE(statistics.decodeBandwidthShare, 0.0);
        QCOMPARE(statistics.prefillArithmeticShare, 0.0);
    }

    void theWorkOfATokenIsThatOfItsMatrices() {
        const auto work = workOf("llama-dense.gguf");
        QCOMPARE(work.products, matrixValues("llama-dense.gguf", {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}));
        QVERIFY(work.bytesRead > work.products / 4);
    }

    void ofExpertsThoseThatAreUsedCount() {
        ModelSpec spec;
        const auto work = workOf("qwen3moe-moe.gguf", &spec);
        const auto& experts = *spec.layers.back().feedForward->experts;
        const uint64_t all = matrixValues("qwen3moe-moe.gguf", {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"});
        const uint64_t others = matrixValues("qwen3moe-moe.gguf", {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate_inp"});
        QVERIFY(all > 0 && experts.used < experts.count);
        QCOMPARE(work.products, others + all / experts.count * experts.used);
    }

    void aReplyTellsItsShareWhereItWasAskedFor() {
        LoadedEngine engine;
        LoadRequest load;
        load.path = kModels + "llama-dense.gguf";
        load.device = "cpu";
        QCOMPARE(engine.load(load), std::string());
        std::vector<int32_t> ids(40, 3);
        auto request = engine.request(idsPrompt(ids), 20);
        auto statistics = engine.generate(request).end.statistics;
        QCOMPARE(statistics.decodeBandwidthShare, 0.0);
        QCOMPARE(statistics.prefillArithmeticShare, 0.0);
        load.measuresDevices = true;
        QCOMPARE(engine.load(load), std::string());
        request = engine.request(idsPrompt(ids), 20);
        statistics = engine.generate(request).end.statistics;
        QVERIFY(statistics.decodeBandwidthShare > 0 && std::isfinite(statistics.decodeBandwidthShare));
        QVERIFY(statistics.prefillArithmeticShare > 0 && std::isfinite(statistics.prefillArithmeticShare));
    }

    void theEmulatorIsNoMeasure() {
        auto device = openDevice("emulated", {});
        QVERIFY2(device.ok(), device.sentence().c_str());
        QVERIFY(!measureLimits(**device));
    }

    void aDeviceIsMeasuredWithoutATrace() {
        auto device = openDevice("cpu", {});
        QVERIFY(device.ok());
        const auto limits = measureLimits(**device);
        QVERIFY(limits && limits->readBytesPerSecond > 1e6 && limits->productsPerSecond > 1e6);
        QCOMPARE((*device)->memory().allocatedBytes, uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestIdealTimes)
#include "test_ideal_times.moc"
