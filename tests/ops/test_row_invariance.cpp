// A row's result depends on that row alone: bit-equal whatever rows share the op, however many workers there are, and
// whichever layout the weight has; and a state does not depend on how its rows are cut into steps. On the processor and in
// the emulator, whose addresses are host addresses.
#include "engine/backend/backends.h"
#include "engine/backend/cpu/cpu_device.h"
#include "tests/ops/op_case.h"

#include <QtTest>

#include <cstring>

using namespace steelyard;
using namespace steelyard::tests;

namespace {

template <class T>
uint64_t address(const std::vector<T>& values) {
    return reinterpret_cast<uint64_t>(values.data());
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

constexpr const char* kEmulated = "emulated";

// The processor on one of its code paths, or the emulator; null where this build has none.
std::unique_ptr<Device> openPath(const QString& path) {
    auto device = path == kEmulated ? openDevice(kEmulated, DeviceOptions{}) : openCpuPath(2, path.toStdString());
    return device ? std::move(*device) : nullptr;
}

// Moves an address of an op, unless it is absent, by `rows` rows of `values` floats.
void advance(uint64_t& field, uint32_t rows, uint64_t values) {
    if (field) field += rows * values * sizeof(float);
}

// Runs `op`, then each of its rows by itself as part(op, row) says; the results must be the same bits.
template <class Op, class Part>
bool rowsAreIndependent(Device& device, Op op, size_t values, uint64_t Op::*result, Part&& part) {
    std::vector<float> all(values), one(values);
    op.*result = address(all);
    device.run(op);
    op.*result = address(one);
    for (uint32_t row = 0; row < op.rows; ++row) {
        Op single = op;
        single.rows = 1;
        part(single, row);
        device.run(single);
    }
    return device.synchronize().ok() && sameBits(all, one);
}

// Runs two sequences in one step, one that starts (7 rows) and one that goes on (4 rows), then row by row.
template <class Op>
bool runsMayBeCut(Device& device, Op op, size_t yValues, size_t stateValues) {
    Random random(stateValues);
    const auto before = random.normals(2 * stateValues);
    auto allState = before, cutState = before;
    std::vector<float> all(11 * yValues), cut(all.size());
    std::vector<ops::SequenceRun> runs{{0, 7, 1, 0}, {7, 4, 0, 1}};
    op.stateStride = stateValues * sizeof(float);
    op.runs = address(runs);
    op.y = address(all);
    op.state = address(allState);
    op.sequences = 2;
    device.run(op);
    op.y = address(cut);
    op.state = address(cutState);
    op.sequences = 1;
    const auto synchronized = device.synchronize();
    for (int32_t row = 0; row < 11; ++row) {
        runs[0] = row < 7 ? ops::SequenceRun{row, 1, 1, row > 0} : ops::SequenceRun{row, 1, 0, 1};
        device.run(op);
        if (!device.synchronize()) return false;
    }
    return synchronized.ok() && sameBits(all, cut) && sameBits(allState, cutState);
}

struct Product {
    ops::MatMul op{};
    std::vector<uint8_t> source, weight;
    std::vector<float> x, scales, sums;
    std::vector<int8_t> codes;
    uint32_t planes = 0;

    Product(Device& device, TensorType type, uint32_t rows, uint32_t outputs, uint32_t depth) {
        Random random(uint64_t(type) + rows);
        source = randomWeight(type, outputs, depth, random);
        op.layout = device.weightLayout(type, outputs, depth).layout;
        weight = packedWeight(device, type, op.layout, source, outputs, depth);
        x = random.normals(size_t(rows) * depth);
        codes.resize(x.size() * 2);
        scales.resize(x.size() / 32);
        sums.resize(x.size() / 32);
        op.weight = address(weight);
        op.rows = rows;
        op.outputs = outputs;
        op.depth = depth;
        op.type = static_cast<uint32_t>(type);
        op.activation = device.activationFor(type);
        const uint32_t planes = ops::planesOf(op.activation);
        if (planes > 0) device.run(ops::QuantizeRows{address(x), address(codes), address(scales), address(sums), rows, depth, planes, 0});
        op.x = op.activation == ops::Activation::Float ? address(x) : address(codes);
        op.xScales = address(scales);
        op.xSums = address(sums);
    }

    std::vector<float> run(Device& device, uint32_t first, uint32_t count) {
        std::vector<float> y(size_t(count) * op.outputs, 0.25f); // added to, so that what is stored twice differs
        ops::MatMul part = op;
        part.x += uint64_t(first) * op.depth * (op.activation == ops::Activation::Float ? 4 : ops::planesOf(op.activation));
        part.xScales += uint64_t(first) * (op.depth / 32) * 4;
        part.xSums += uint64_t(first) * (op.depth / 32) * 4;
        part.rows = count;
        part.y = part.residual = address(y);
        device.run(part);
        return y;
    }
};

} // namespace

class TestRowInvariance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void productRowsAreIndependent_data() { addRows(); }
    void productRowsAreIndependent();
    void attentionRowsAreIndependent_data() { addRows(); }
    void attentionRowsAreIndependent();
    void workersDoNotChangeResults_data() { addRows(false); }
    void workersDoNotChangeResults();
    void expertRowsAreIndependent_data() { addRows(); }
    void expertRowsAreIndependent();
    void normsAndRoutesAreIndependent_data() { addRows(); }
    void normsAndRoutesAreIndependent();
    void statesDoNotDependOnSteps_data() { addRows(); }
    void statesDoNotDependOnSteps();

private:
    static void addRows(bool emulated = true) {
        QTest::addColumn<QString>("path");
        for (const auto& path : cpuCodePaths()) QTest::newRow(path.c_str()) << QString::fromStdString(path);
        if (emulated) QTest::newRow(kEmulated) << QString(kEmulated);
    }
};

void TestRowInvariance::productRowsAreIndependent() {
    QFETCH(QString, path);
    const auto device = openPath(path);
    if (!device) QSKIP("this build has no emulator");
    constexpr uint32_t kRows = 55;
    kernels::AllFormats::forEach([&]<class Format>() {
        Product product(*device, static_cast<TensorType>(Format::typeId), kRows, 51, 512);
        const auto all = product.run(*device, 0, kRows);
        std::vector<float> parts;
        for (uint32_t first = 0, count = 1; first < kRows; first += count, count = count % 9 + 1) {
            count = std::min(count, kRows - first);
            const auto part = product.run(*device, first, count);
            parts.insert(parts.end(), part.begin(), part.end());
        }
        QVERIFY2(sameBits(all, parts), qPrintable(QString("format %1").arg(Format::typeId)));
        product.op.weight = address(product.source);
        product.op.layout = 0;
        QVERIFY2(sameBits(all, product.run(*device, 0, kRows)), qPrintable(QString("format %1 as in the file").arg(Format::typeId)));
    });
}

void TestRowInvariance::attentionRowsAreIndependent() {
    QFETCH(QString, path);
    const auto device = openPath(path);
    if (!device) QSKIP("this build has no emulator");
    // Two sequences, and so many rows that a card takes several at once.
    constexpr uint32_t kRows = 140, kHeads = 12, kKvHeads = 4, kDim = 32, kFirst = 450, kBlocks = 19, kFirstRows = 75;
    Random random(5);
    std::vector<uint8_t> keys(ops::cachePartBytes(ops::CacheType::F16, kKvHeads, kDim) * kBlocks), values(keys.size());
    for (auto* cache : {&keys, &values})
        for (size_t i = 0; i < cache->size(); i += 2) {
            const uint16_t half = kernels::floatToHalf(random.normal());
            std::memcpy(cache->data() + i, &half, 2);
        }
    auto q = random.normals(size_t(kRows) * kHeads * kDim);
    std::vector<int32_t> positions, sequences(kRows, 0), table;
    for (uint32_t i = 0; i < kRows; ++i) positions.push_back(static_cast<int32_t>(kFirst + (i < kFirstRows ? i : i - kFirstRows)));
    for (uint32_t i = kFirstRows; i < kRows; ++i) sequences[i] = 1;
    for (uint32_t i = 0; i < 2 * kBlocks; ++i) table.push_back(static_cast<int32_t>(i < kBlocks ? i : 2 * kBlocks - 1 - i));
    for (const uint32_t window : {0u, 300u}) {
        std::vector<float> all(q.size()), parts(q.size());
        ops::Attention op{};
        op.q = address(q);
        op.y = address(all);
        op.positions = address(positions);
        op.sequences = address(sequences);
        op.blockTable = address(table);
        op.cacheK = address(keys);
        op.cacheV = address(values);
        op.blockStride = keys.size() / kBlocks;
        op.tableStride = kBlocks;
        op.rows = kRows;
        op.heads = kHeads;
        op.kvHeads = kKvHeads;
        op.headDimK = op.headDimV = op.valueStride = kDim;
        op.window = window;
        op.scale = 0.125f;
        op.splits = 1;
        op.typeK = op.typeV = static_cast<uint8_t>(ops::CacheType::F16);
        device->run(op);
        for (uint32_t row = 0; row < kRows; ++row) {
            ops::Attention one = op;
            one.rows = 1;
            one.q += uint64_t(row) * kHeads * kDim * 4;
            one.y = address(parts) + uint64_t(row) * kHeads * kDim * 4;
            one.positions += row * 4;
            one.sequences += row * 4;
            device->run(one);
        }
        QVERIFY(device->synchronize().ok());
        QVERIFY(sameBits(all, parts));
    }
}

void TestRowInvariance::workersDoNotChangeResults() {
    QFETCH(QString, path);
    const auto one = openCpuPath(1, path.toStdString()), four = openCpuPath(4, path.toStdString());
    kernels::AllFormats::forEach([&]<class Format>() {
        Product product(*one, static_cast<TensorType>(Format::typeId), 11, 700, 768);
        QVERIFY(sameBits(product.run(*one, 0, 11), product.run(*four, 0, 11)));
    });
}

// Few and many (row, slot)s, experts that several rows share, and those that nobody names.
void TestRowInvariance::expertRowsAreIndependent() {
    QFETCH(QString, path);
    const auto device = openPath(path);
    if (!device) QSKIP("this build has no emulator");
    constexpr uint32_t kSlots = 3, kExperts = 5, kOutputs = 37, kDepth = 512;
    for (const auto type : {TensorType::F16, TensorType::Q4_0, TensorType::Q4_K, TensorType::Q6_K, TensorType::Q2_K})
        for (const uint32_t rows : {1u, 19u}) {
            Random random(rows);
            ops::ExpertMatMul op{};
            op.rows = rows;
            op.slots = kSlots;
            op.inputSlots = 1;
            op.experts = kExperts;
            op.outputs = op.yStride = kOutputs;
            op.depth = kDepth;
            op.type = static_cast<uint32_t>(type);
            const auto layout = device->weightLayout(type, kOutputs, kDepth);
            const auto source = randomWeight(type, kExperts * kOutputs, kDepth, random);
            const auto weight = packedWeight(*device, type, layout.layout, source, kOutputs, kDepth, kExperts);
            op.layout = layout.layout;
            op.expertStride = weight.size() / kExperts;
            op.activation = device->activationFor(type);
            const uint32_t planes = ops::planesOf(op.activation);
            const auto a = randomActivations(rows, kDepth, planes, random);
            std::vector<int32_t> ids(rows * kSlots);
            for (auto& id : ids) id = static_cast<int32_t>(random.below(kExperts + 1)) - 1;
            op.weight = address(weight);
            op.x = planes ? address(a.codes) : address(a.x);
            op.xScales = planes ? address(a.scales) : 0;
            op.xSums = planes ? address(a.sums) : 0;
            op.ids = address(ids);
            const bool same = rowsAreIndependent(*device, op, size_t(rows) * kSlots * kOutputs, &ops::ExpertMatMul::y,
                                                 [&](ops::ExpertMatMul& one, uint32_t row) {
                                                     one.x += uint64_t(row) * kDepth * (planes ? planes : sizeof(float));
                                                     advance(one.xScales, row, kDepth / 32);
                                                     advance(one.xSums, row, kDepth / 32);
                                                     advance(one.ids, row, kSlots);
                                                     advance(one.y, row, kSlots * kOutputs);
                                                 });
            QVERIFY2(same, info(type).name.data());
        }
}

void TestRowInvariance::normsAndRoutesAreIndependent() {
    QFETCH(QString, path);
    const auto device = openPath(path);
    if (!device) QSKIP("this build has no emulator");
    constexpr uint32_t kRows = 9, kColumns = 700, kUsed = 6;
    Random random(3);
    auto x = random.normals(kRows * kColumns), weight = random.normals(kColumns);
    ops::LayerNorm norm{};
    norm.x = address(x);
    norm.weight = norm.bias = address(weight);
    norm.rows = kRows;
    norm.columns = kColumns;
    norm.weightRows = 1;
    norm.epsilon = 1e-5f;
    QVERIFY(rowsAreIndependent(*device, norm, x.size(), &ops::LayerNorm::y, [&](ops::LayerNorm& one, uint32_t row) {
        advance(one.x, row, kColumns);
        advance(one.y, row, kColumns);
    }));
    std::vector<int32_t> ids(kRows * kUsed);
    ops::Route route{};
    route.logits = address(x);
    route.ids = address(ids);
    route.rows = kRows;
    route.experts = kColumns;
    route.used = kUsed;
    route.groups = 10;
    route.groupsUsed = 3;
    route.function = ops::RouteFunction::Sigmoid;
    route.normalise = 1;
    route.scale = 2.5f;
    QVERIFY(rowsAreIndependent(*device, route, ids.size(), &ops::Route::weights, [&](ops::Route& one, uint32_t row) {
        advance(one.logits, row, kColumns);
        advance(one.ids, row, kUsed);
        advance(one.weights, row, kUsed);
    }));
    ops::CombineExperts sum{};
    sum.x = address(x);
    sum.weights = address(weight);
    sum.rows = kRows;
    sum.slots = 7;
    sum.columns = kColumns / 7;
    QVERIFY(rowsAreIndependent(*device, sum, kRows * sum.columns, &ops::CombineExperts::y, [&](ops::CombineExperts& one, uint32_t row) {
        advance(one.x, row, kColumns);
        advance(one.weights, row, one.slots);
        advance(one.y, row, one.columns);
    }));
}

void TestRowInvariance::statesDoNotDependOnSteps() {
    QFETCH(QString, path);
    const auto device = openPath(path);
    if (!device) QSKIP("this build has no emulator");
    Random random(8);
    // Enough of everything: 11 rows of 700 values, and what is at most 0 or small.
    auto values = random.normals(11 * 700), small = random.normals(11 * 700, 0.1f), negative = small;
    for (float& value : negative) value = -std::fabs(value);
    ops::CausalConv convolution{};
    convolution.x = address(values);
    convolution.weight = convolution.bias = address(small);
    convolution.channels = convolution.xStride = 130;
    convolution.width = 4;
    QVERIFY(runsMayBeCut(*device, convolution, 130, 3 * 130));
    ops::SsmScan scan{};
    scan.x = scan.b = address(values);
    scan.c = scan.d = scan.dtRaw = address(small);
    scan.a = address(negative);
    scan.stride = 300;
    scan.heads = 4;
    scan.groups = 2;
    scan.headDim = 5;
    scan.stateDim = 70;
    QVERIFY(runsMayBeCut(*device, scan, 4 * 5, 4 * 5 * 70));
    for (const uint32_t gateColumns : {1u, 70u}) {
        ops::DeltaRule delta{};
        delta.q = delta.v = address(values);
        delta.k = delta.beta = address(small);
        delta.gate = address(negative);
        delta.keyHeads = 2;
        delta.valueHeads = 4;
        delta.headDimK = 70;
        delta.headDimV = 6;
        delta.gateColumns = gateColumns;
        delta.scale = 0.1f;
        QVERIFY(runsMayBeCut(*device, delta, 4 * 6, 4 * 6 * 70));
    }
}

QTEST_GUILESS_MAIN(TestRowInvariance)
#include "test_row_invariance.moc"
