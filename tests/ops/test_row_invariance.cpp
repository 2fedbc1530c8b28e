// On the processor a row's result depends on that row alone: bit-equal whatever rows share the op, however many workers
// there are, and whichever layout the weight has.
#include "engine/backend/cpu/cpu_device.h"
#include "tests/ops/op_case.h"

#include <QtTest>

#include <cstring>

using namespace steelyard;
using namespace steelyard::tests;

namespace {

template <class T>
uint64_t address(std::vector<T>& values) {
    return reinterpret_cast<uint64_t>(values.data());
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// Device addresses of the processor are host addresses, so plain arrays serve.
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
        std::vector<float> y(size_t(count) * op.outputs);
        ops::MatMul part = op;
        part.x += uint64_t(first) * op.depth * (op.activation == ops::Activation::Float ? 4 : ops::planesOf(op.activation));
        part.xScales += uint64_t(first) * (op.depth / 32) * 4;
        part.xSums += uint64_t(first) * (op.depth / 32) * 4;
        part.rows = count;
        part.y = address(y);
        device.run(part);
        return y;
    }
};

} // namespace

class TestRowInvariance : public QObject {
    Q_OBJECT

private slots:
    void productRowsAreIndependent_data() { addRows(); }
    void productRowsAreIndependent();
    void attentionRowsAreIndependent_data() { addRows(); }
    void attentionRowsAreIndependent();
    void workersDoNotChangeResults_data() { addRows(); }
    void workersDoNotChangeResults();

private:
    static void addRows() {
        QTest::addColumn<QString>("path");
        for (const auto& path : cpuCodePaths()) QTest::newRow(path.c_str()) << QString::fromStdString(path);
    }
};

void TestRowInvariance::productRowsAreIndependent() {
    QFETCH(QString, path);
    const auto device = openCpuPath(2, path.toStdString());
    constexpr uint32_t kRows = 39;
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
    const auto device = openCpuPath(2, path.toStdString());
    constexpr uint32_t kRows = 21, kHeads = 6, kKvHeads = 2, kDim = 64, kFirst = 500;
    Random random(5);
    std::vector<uint8_t> keys(ops::cachePartBytes(ops::CacheType::F16, kKvHeads, kDim) * 17), values(keys.size());
    for (auto* cache : {&keys, &values})
        for (size_t i = 0; i < cache->size(); i += 2) {
            const uint16_t half = kernels::floatToHalf(random.normal());
            std::memcpy(cache->data() + i, &half, 2);
        }
    auto q = random.normals(size_t(kRows) * kHeads * kDim);
    std::vector<int32_t> positions, sequences(kRows, 0), table;
    for (uint32_t i = 0; i < kRows; ++i) positions.push_back(static_cast<int32_t>(kFirst + i));
    for (int32_t i = 0; i < 17; ++i) table.push_back(i);
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
        op.blockStride = keys.size() / 17;
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
            device->run(one);
        }
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

QTEST_GUILESS_MAIN(TestRowInvariance)
#include "test_row_invariance.moc"
