// Numbers of the forward pass that a file's keys decide and that others got wrong in public: frequencies of the rotation,
// scales of scores and of embeddings. Heads of files are made on the spot, in the sizes of the real models.
#include "engine/model/architectures.h"
#include "kernels/ops/rotary.h"
#include "tests/engine/malformed_gguf.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace steelyard;

namespace {

struct Sizes {
    uint32_t layers, embedding, heads, kvHeads, headDim, feedForward;
};

constexpr uint32_t kU32 = 4, kF32 = 6, kText = 8, kHalf = 1;

// A file's head with the records of all tensors and no data.
class Head {
public:
    Head(const std::string& architecture, const Sizes& sizes) : m_prefix(architecture + ".") {
        m_keys.key("general.architecture", kText).text(architecture);
        m_count = 1;
        number("block_count", sizes.layers).number("context_length", 8192).number("embedding_length", sizes.embedding);
        number("feed_forward_length", sizes.feedForward).number("attention.head_count", sizes.heads);
        number("attention.head_count_kv", sizes.kvHeads).number("attention.key_length", sizes.headDim);
        number("attention.value_length", sizes.headDim).real("attention.layer_norm_rms_epsilon", 1e-6f);
        tensor("token_embd.weight", sizes.embedding, 64).tensor("output_norm.weight", sizes.embedding, 1);
        for (uint32_t layer = 0; layer < sizes.layers; ++layer) {
            const std::string block = "blk." + std::to_string(layer) + ".";
            for (const char* norm : {"attn_norm.weight", "ffn_norm.weight"}) tensor(block + norm, sizes.embedding, 1);
            const uint64_t queries = uint64_t(sizes.heads) * sizes.headDim, keys = uint64_t(sizes.kvHeads) * sizes.headDim;
            tensor(block + "attn_q.weight", sizes.embedding, queries).tensor(block + "attn_output.weight", queries, sizes.embedding);
            for (const char* matrix : {"attn_k.weight", "attn_v.weight"}) tensor(block + matrix, sizes.embedding, keys);
            for (const char* matrix : {"ffn_gate.weight", "ffn_up.weight"}) tensor(block + matrix, sizes.embedding, sizes.feedForward);
            tensor(block + "ffn_down.weight", sizes.feedForward, sizes.embedding);
        }
    }
    Head& number(const std::string& key, uint32_t value) {
        m_keys.key(m_prefix + key, kU32).u32(value);
        ++m_count;
        return *this;
    }
    Head& real(const std::string& key, float value) {
        m_keys.key(m_prefix + key, kF32).f32(value);
        ++m_count;
        return *this;
    }
    Head& text(const std::string& key, const std::string& value) {
        m_keys.key(m_prefix + key, kText).text(value);
        ++m_count;
        return *this;
    }
    Head& tensor(const std::string& name, uint64_t columns, uint64_t rows) {
        m_records.tensor(name, kHalf, m_offset, columns, rows);
        m_offset = (m_offset + columns * rows * 2 + 31) / 32 * 32;
        ++m_tensors;
        return *this;
    }
    ModelSpec spec() const {
        const std::string bytes = RawBytes().header(m_tensors, m_count).raw(m_keys.bytes).raw(m_records.bytes).padTo(32).bytes;
        const auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, bytes.size(), false);
        if (!file) qFatal("%s", file.sentence().c_str());
        const auto spec = readSpec(*file);
        if (!spec) qFatal("%s", spec.sentence().c_str());
        return *spec;
    }

private:
    std::string m_prefix;
    RawBytes m_keys, m_records;
    uint64_t m_count = 0, m_tensors = 0, m_offset = 0;
};

constexpr Sizes kGemma7B{28, 3072, 16, 16, 256, 24576}, kGemma2With9B{42, 3584, 16, 8, 256, 14336}, kGemma2With27B{46, 4608, 32, 16, 128, 36864};
constexpr Sizes kGemma3With4B{34, 2560, 8, 4, 256, 10240}, kGemma3With27B{62, 5376, 32, 16, 128, 21504};

float scaleOf(const ModelSpec& spec) { return spec.layers[0].attention->scale; }

// The frequency of a pair in Llama 3.1 and later. Source: Meta's reference code: waves longer than the original context over
// the low factor are stretched, those shorter than it over the high factor stay, and between them the two are blended.
double stretchedFrequency(double frequency, double factor) {
    constexpr double kPi = 3.14159265358979323846, kOriginal = 8192, kLow = 1, kHigh = 4;
    const double wave = 2 * kPi / frequency;
    if (wave < kOriginal / kHigh) return frequency;
    if (wave > kOriginal / kLow) return frequency / factor;
    const double smooth = (kOriginal / wave - kLow) / (kHigh - kLow);
    return (1 - smooth) * frequency / factor + smooth * frequency;
}

} // namespace

class TestSpecReader : public QObject {
    Q_OBJECT

private slots:
    // What converters write into rope_freqs.weight divides each pair's frequency, so that the angle is that of the formula.
    void G16_factorsOfTheFileStretchLowFrequencies() {
        constexpr uint32_t kPairs = 64;
        constexpr double kBase = 500000;
        for (const double factor : {8.0, 32.0}) {
            std::vector<float> factors(kPairs);
            std::vector<double> right(kPairs);
            for (uint32_t j = 0; j < kPairs; ++j) {
                const double frequency = std::pow(kBase, -2.0 * j / (2 * kPairs));
                right[j] = stretchedFrequency(frequency, factor);
                factors[j] = static_cast<float>(frequency / right[j]);
            }
            QCOMPARE(factors.front(), 1.0f);
            QCOMPARE(factors.back(), static_cast<float>(factor));
            const ModelSpec spec = Head("llama", {2, 4096, 32, 8, 128, 14336}).real("rope.freq_base", kBase).tensor("rope_freqs.weight", kPairs, 1).spec();
            const RopeSpec& rope = *spec.layers[0].attention->rope;
            QVERIFY(rope.factors == RopeFactors::Plain);
            std::vector<float> head(2 * kPairs, 0.0f);
            std::fill(head.begin(), head.begin() + kPairs, 1.0f);
            int32_t position = 2000;
            ops::Rotary op{};
            op.x = reinterpret_cast<uint64_t>(head.data());
            op.positions = reinterpret_cast<uint64_t>(&position);
            op.factors = reinterpret_cast<uint64_t>(factors.data());
            op.rows = op.heads = 1;
            op.headDim = op.dimensions = rope.dimensions;
            op.mode = ops::RotaryMode::Halves;
            op.base = rope.base;
            op.frequencyScale = rope.frequencyScale;
            op.magnitude = rope.magnitude;
            op.direction = 1.0f;
            op.ratio = 1;
            compute(op, 0);
            for (uint32_t j = 0; j < kPairs; ++j) {
                QVERIFY(std::fabs(head[j] - std::cos(position * right[j])) < 1e-3);
                QVERIFY(std::fabs(head[j + kPairs] - std::sin(position * right[j])) < 1e-3);
            }
        }
    }

    void G19_windowedLayersTurnByTheirOwnBaseUnscaled() {
        const ModelSpec spec = Head("gemma3", kGemma3With4B).real("rope.freq_base", 1e6f).text("rope.scaling.type", "linear").real("rope.scaling.factor", 8).number("attention.sliding_window", 1024).spec();
        for (size_t layer = 0; layer < spec.layers.size(); ++layer) {
            const AttentionSpec& attention = *spec.layers[layer].attention;
            const bool full = layer % 6 == 5;
            QCOMPARE(attention.window, full ? 0u : 1024u);
            QCOMPARE(attention.rope->base, full ? 1e6f : 1e4f);
            QCOMPARE(attention.rope->frequencyScale, full ? 0.125f : 1.0f);
        }
    }

    void G20_largestGemmasScaleScoresByTheirEmbedding() {
        QCOMPARE(scaleOf(Head("gemma2", kGemma2With27B).number("attention.sliding_window", 4096).spec()), 1.0f / 12.0f);
        QCOMPARE(scaleOf(Head("gemma2", kGemma2With9B).number("attention.sliding_window", 4096).spec()), 1.0f / 16.0f);
        QCOMPARE(scaleOf(Head("gemma3", kGemma3With27B).number("attention.sliding_window", 1024).spec()), 1.0f / std::sqrt(168.0f));
        QCOMPARE(scaleOf(Head("gemma3", kGemma3With4B).number("attention.sliding_window", 1024).spec()), 1.0f / 16.0f);
    }

    void G22_gemmaScalesEmbeddingsInFullPrecision() {
        const ModelSpec spec = Head("gemma", kGemma7B).spec();
        QCOMPARE(spec.embeddingScale, std::sqrt(3072.0f)); // 55.4256, and not the 55.5 of bfloat16
        QVERIFY(spec.layers[0].feedForward->activation.function == ops::GateFunction::Gelu); // the form with a tangent
    }

    void theNumberOfTokensChoosesBetweenTwoSetsOfFactors() {
        Head head("phi3", {2, 3072, 32, 32, 96, 8192});
        head.number("rope.scaling.original_context_length", 4096);
        QVERIFY(!head.spec().takesLongFactors(100000));
        const ModelSpec spec = head.tensor("rope_factors_long.weight", 48, 1).tensor("rope_factors_short.weight", 48, 1).spec();
        QVERIFY(!spec.takesLongFactors(4096));
        QVERIFY(spec.takesLongFactors(4097));
    }
};

QTEST_APPLESS_MAIN(TestSpecReader)
#include "test_spec_reader.moc"
