// That a row's result on a Vulkan device is the row's own, bit by bit: in attention whichever rows and heads share a work
// group, among experts whoever else chose them, and along a sequence wherever a step cut it. On any Vulkan device, as it
// is and with a graphics card's launches.
#include "engine/backend/vulkan/vulkan_device.h"
#include "tests/ops/op_case.h"

#include <QtTest>

#include <cstring>

using namespace steelyard;
using namespace steelyard::tests;

class TestVulkanRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void attentionRowsDoNotDependOnEachOther_data();
    void attentionRowsDoNotDependOnEachOther();
    void expertProductIsThatOfOneRow_data() { devices(); }
    void expertProductIsThatOfOneRow();
    void deltaRuleGoesOnWhereARunStopped_data() { devices(); }
    void deltaRuleGoesOnWhereARunStopped();
    void scanGoesOnWhereARunStopped_data() { devices(); }
    void scanGoesOnWhereARunStopped();

private:
    static void devices() {
        QTest::addColumn<bool>("asCard");
        QTest::newRow("as it is") << false;
        QTest::newRow("as card") << true;
    }
    Device& device() {
        QFETCH(bool, asCard);
        return asCard ? *m_asCard : *m_device;
    }
    // Puts values into device memory that lives as long as the test's row.
    template <class T>
    uint64_t put(const std::vector<T>& values) {
        const size_t bytes = values.size() * sizeof(T);
        auto buffer = device().allocate(bytes);
        if (!buffer) qFatal("%s", buffer.sentence().c_str());
        device().write(*buffer, 0, {reinterpret_cast<const uint8_t*>(values.data()), bytes});
        m_buffers.push_back(std::move(*buffer));
        return m_buffers.back().address();
    }
    // The values that an op leaves at `y`, the last array that was put.
    template <class Op>
    std::vector<float> run(const Op& op) {
        device().run(op);
        const Buffer& y = m_buffers.back();
        std::vector<float> values(y.bytes() / sizeof(float));
        const auto read = device().read(y, 0, {reinterpret_cast<uint8_t*>(values.data()), y.bytes()});
        if (!read) qFatal("%s", read.sentence().c_str());
        return values;
    }
    template <class Op>
    void goesOn(Op op, uint32_t rowValues, uint32_t stateValues);

    std::unique_ptr<Device> m_device, m_asCard;
    std::vector<Buffer> m_buffers;
};

void TestVulkanRows::initTestCase() {
    auto device = openVulkan(0, {});
    if (!device && qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL(device.sentence().c_str());
    if (!device) QSKIP(device.sentence().c_str());
    m_device = std::move(*device);
    auto asCard = openVulkan(0, {}, VulkanTuning::AsCard);
    QVERIFY2(bool(asCard), asCard.sentence().c_str());
    m_asCard = std::move(*asCard);
}

void TestVulkanRows::attentionRowsDoNotDependOnEachOther_data() {
    QTest::addColumn<bool>("asCard");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<int>("window");
    QTest::newRow("heads alone") << false << 4 << 0;
    QTest::newRow("grouped heads") << false << 2 << 0;
    QTest::newRow("window") << false << 4 << 300;
    QTest::newRow("as card, heads alone") << true << 4 << 0;
    QTest::newRow("as card, grouped heads, window") << true << 2 << 300;
}

void TestVulkanRows::attentionRowsDoNotDependOnEachOther() {
    QFETCH(int, kvHeads);
    QFETCH(int, window);
    // 150 rows of three sequences, so that tiles begin and end in the middle of one.
    constexpr uint32_t kRows = 150, kHeads = 4, kDim = 64, kFirst = 500, kTable = 22;
    m_buffers.clear();
    Random random(5);
    const uint64_t part = ops::cachePartBytes(ops::CacheType::F32, static_cast<uint32_t>(kvHeads), kDim);
    const auto cache = random.normals(size_t(2 * part / 4) * kTable * 3);
    std::vector<int32_t> positions, sequences, table;
    for (uint32_t i = 0; i < kRows; ++i) {
        sequences.push_back(i < 61 ? 0 : i < 64 ? 1 : 2);
        positions.push_back(static_cast<int32_t>(kFirst + i));
    }
    for (uint32_t i = 0; i < kTable * 3; ++i) table.push_back(static_cast<int32_t>(i * 5 % (kTable * 3)));
    ops::Attention op{};
    op.q = put(random.normals(size_t(kRows) * kHeads * kDim));
    op.positions = put(positions);
    op.sequences = put(sequences);
    op.blockTable = put(table);
    op.cacheK = put(cache);
    op.cacheV = op.cacheK + part;
    op.y = put(std::vector<float>(size_t(kRows) * kHeads * kDim));
    op.blockStride = 2 * part;
    op.rows = kRows;
    op.heads = kHeads;
    op.kvHeads = static_cast<uint16_t>(kvHeads);
    op.headDimK = op.headDimV = op.valueStride = kDim;
    op.tableStride = kTable;
    op.window = static_cast<uint32_t>(window);
    op.scale = 0.125f;
    op.splits = 1;
    op.typeK = op.typeV = static_cast<uint8_t>(ops::CacheType::F32);
    const auto together = run(op);
    op.rows = 1;
    for (const uint32_t row : {0u, 3u, 60u, 61u, 63u, 64u, 71u, 149u}) {
        ops::Attention one = op;
        one.q += uint64_t(row) * kHeads * kDim * 4;
        one.positions += row * 4;
        one.sequences += row * 4;
        const auto alone = run(one);
        QVERIFY2(std::memcmp(alone.data(), together.data() + row * kHeads * kDim, kHeads * kDim * 4) == 0,
                 qPrintable(QString("row %1").arg(row)));
    }
}

void TestVulkanRows::expertProductIsThatOfOneRow() {
    m_buffers.clear();
    constexpr uint32_t kRows = 40, kSlots = 3, kExperts = 4, kOutputs = 70, kDepth = 512;
    constexpr TensorType kType = TensorType::Q4_0;
    Random random(3);
    const auto layout = device().weightLayout(kType, kOutputs, kDepth);
    std::vector<uint8_t> weights;
    for (uint32_t e = 0; e < kExperts; ++e) {
        const auto one = packedWeight(device(), kType, layout.layout, randomWeight(kType, kOutputs, kDepth, random), kOutputs, kDepth);
        weights.insert(weights.end(), one.begin(), one.end());
    }
    std::vector<int32_t> ids;
    for (uint32_t i = 0; i < kRows * kSlots; ++i) ids.push_back(static_cast<int32_t>(random.below(kExperts)));
    ops::ExpertMatMul op{};
    op.weight = put(weights);
    op.x = put(random.normals(size_t(kRows) * kDepth));
    op.ids = put(ids);
    op.y = put(std::vector<float>(size_t(kRows) * kSlots * kOutputs));
    op.expertStride = layout.bytes;
    op.rows = kRows;
    op.slots = kSlots;
    op.inputSlots = 1;
    op.experts = kExperts;
    op.outputs = op.yStride = kOutputs;
    op.depth = kDepth;
    op.type = static_cast<uint32_t>(kType);
    op.layout = layout.layout;
    const auto together = run(op);
    for (uint32_t item = 0; item < kRows * kSlots; item += 7) {
        ops::MatMul product = ops::productOf(op, item, static_cast<uint32_t>(ids[item]));
        product.y = op.y;
        const auto alone = run(product);
        QVERIFY2(std::memcmp(alone.data(), together.data() + item * kOutputs, kOutputs * 4) == 0, qPrintable(QString("item %1").arg(item)));
    }
}

// Runs 13 rows of one sequence at once, then the same rows in three steps, and compares what they gave.
template <class Op>
void TestVulkanRows::goesOn(Op op, uint32_t rowValues, uint32_t stateValues) {
    constexpr uint32_t kRows = 13;
    using ops::SequenceRun;
    op.sequences = 1;
    op.stateStride = stateValues * 4;
    op.state = put(std::vector<float>(stateValues * 2, 1.0f));
    const uint64_t whole = put(std::vector<SequenceRun>{{0, kRows, 1, 0}});
    const uint64_t parts[] = {put(std::vector<SequenceRun>{{0, 1, 0, 0}}), put(std::vector<SequenceRun>{{1, 7, 0, 1}}),
                              put(std::vector<SequenceRun>{{8, 5, 0, 1}})};
    op.y = put(std::vector<float>(size_t(kRows) * rowValues));
    op.runs = whole;
    const auto together = run(op);
    op.y = put(std::vector<float>(size_t(kRows) * rowValues));
    std::vector<float> steps;
    for (const uint64_t runs : parts) {
        op.runs = runs;
        steps = run(op);
    }
    QVERIFY(std::memcmp(together.data(), steps.data(), steps.size() * 4) == 0);
}

void TestVulkanRows::deltaRuleGoesOnWhereARunStopped() {
    m_buffers.clear();
    constexpr uint32_t kRows = 13, kHeads = 3, kDim = 40;
    Random random(7);
    ops::DeltaRule op{};
    op.q = put(random.normals(kRows * kHeads * kDim, 0.15f));
    op.k = put(random.normals(kRows * kHeads * kDim, 0.15f));
    op.v = put(random.normals(kRows * kHeads * kDim));
    op.gate = put(std::vector<float>(kRows * kHeads, -0.2f));
    op.beta = put(std::vector<float>(kRows * kHeads, 0.7f));
    op.keyHeads = op.valueHeads = kHeads;
    op.headDimK = op.headDimV = kDim;
    op.gateColumns = 1;
    op.scale = 1.0f;
    goesOn(op, kHeads * kDim, kHeads * kDim * kDim);
}

void TestVulkanRows::scanGoesOnWhereARunStopped() {
    m_buffers.clear();
    constexpr uint32_t kRows = 13, kHeads = 4, kDim = 10, kState = 48;
    Random random(9);
    ops::SsmScan op{};
    op.stride = kHeads * kDim + 2 * kState;
    op.x = put(random.normals(size_t(kRows) * op.stride));
    op.b = op.x + kHeads * kDim * 4;
    op.c = op.b + kState * 4;
    op.dtRaw = put(random.normals(kRows * kHeads));
    op.a = put(std::vector<float>(kHeads, -0.5f));
    op.d = put(random.normals(kHeads));
    op.heads = kHeads;
    op.groups = 1;
    op.headDim = kDim;
    op.stateDim = kState;
    goesOn(op, kHeads * kDim, kHeads * kDim * kState);
}

QTEST_GUILESS_MAIN(TestVulkanRows)
#include "test_vulkan_rows.moc"
