// The CUDA device's host side over the emulated runtime: errors become sentences that stick, nothing leaks, the list says
// why a card is not used, and a row's result does not depend on the other rows or on how the work is spread.
#include "engine/backend/cuda/cuda_device.h"
#include "engine/backend/cuda/cuda_list.h"
#include "engine/backend/cuda/emulated_runtime.h"
#include "engine/backend/cuda/nvidia_card.h"
#include "engine/backend/cuda/runtime_device.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

using namespace steelyard;

namespace {

std::unique_ptr<Device> openWith(const EmulatedOptions& options, std::string& problem, std::shared_ptr<EmulatedUse> use = nullptr) {
    auto device = openOverRuntime(makeEmulatedRuntime(options, std::move(use)), 0, emulatedInfo());
    problem = device.sentence();
    return device ? std::move(*device) : nullptr;
}

std::span<const uint8_t> bytesOf(const std::vector<float>& values) {
    return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)};
}
std::span<uint8_t> writableBytesOf(std::vector<float>& values) {
    return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float)};
}

std::vector<float> randomFloats(size_t count, uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) value = normal(engine);
    return values;
}

template <class T>
Buffer upload(Device& device, const std::vector<T>& values) {
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T));
    auto buffer = device.allocate(bytes.size());
    if (!buffer) return {};
    device.write(*buffer, 0, bytes);
    return std::move(*buffer);
}

std::vector<float> download(Device& device, const Buffer& buffer, size_t count) {
    std::vector<float> values(count);
    if (!device.read(buffer, 0, writableBytesOf(values))) values.clear();
    return values;
}

// A life of a device with every kind of call; the first problem that it met.
std::string liveThrough(const EmulatedOptions& options, const std::shared_ptr<EmulatedUse>& use) {
    std::string problem;
    const auto device = openWith(options, problem, use);
    if (!device) return problem;
    const std::vector<float> x(256, 2.0f);
    auto buffer = device->allocate(x.size() * sizeof(float));
    if (!buffer) return buffer.sentence();
    device->write(*buffer, 0, bytesOf(x));
    const ops::Add op = ops::sumOf(buffer->address(), buffer->address(), buffer->address(), 1, 256);
    const auto recording = device->record([&] { device->run(op); });
    if (recording) device->replay(*recording);
    device->run(op);
    std::vector<float> y(x.size());
    const auto read = device->read(*buffer, 0, writableBytesOf(y));
    if (!read) return read.sentence();
    if (y[0] != 8.0f || y[255] != 8.0f) return "a wrong result without an error";
    return device->synchronize().sentence();
}

std::string reasonOf(const EmulatedOptions& options, bool cardPresent) {
    const auto rows = cudaDevicesOf(*makeEmulatedRuntime(options), 13000, cardPresent);
    return rows.front().usable ? "usable" : rows.front().reason;
}

} // namespace

class TestCudaDevice : public QObject {
    Q_OBJECT

private slots:
    void failingCallEndsInASentence_data() {
        QTest::addColumn<bool>("persistent");
        QTest::newRow("once") << false;
        QTest::newRow("from then on") << true;
    }
    void failingCallEndsInASentence() {
        QFETCH(bool, persistent);
        const auto free = std::make_shared<EmulatedUse>();
        QCOMPARE(liveThrough({}, free), std::string());
        QCOMPARE(free->live, int64_t(0));
        const uint64_t calls = free->calls;
        QVERIFY(calls > 15);
        int sentences = 0;
        for (uint64_t call = 1; call <= calls; ++call) {
            EmulatedOptions options;
            options.failingCall = call;
            options.failsForever = persistent;
            const auto use = std::make_shared<EmulatedUse>();
            const std::string problem = liveThrough(options, use);
            QVERIFY2(problem != "a wrong result without an error", qPrintable(QString("call %1").arg(call)));
            QVERIFY2(problem.empty() || problem.back() == '.', problem.c_str());
            sentences += problem.empty() ? 0 : 1;
            QCOMPARE(use->live, int64_t(0)); // nothing is left behind
        }
        QVERIFY(sentences >= 10); // calls that only give something back may fail unheard
    }

    void errorSticksUntilTheDeviceIsOpenedAgain() {
        std::string problem;
        const auto device = openWith({}, problem);
        QVERIFY2(device, problem.c_str());
        const auto buffer = device->allocate(1024);
        QVERIFY(buffer.ok());
        ops::MatMul op{};
        op.rows = op.outputs = 1;
        op.depth = 32;
        op.type = static_cast<uint32_t>(TensorType::F16);
        op.activation = ops::Activation::Int8; // the one combination that the kernels refuse
        op.weight = op.x = op.y = buffer->address();
        device->run(op);
        const std::string sentence = device->synchronize().sentence();
        QVERIFY2(sentence.find("mat_mul") != std::string::npos, sentence.c_str());
        QVERIFY(!device->record([] {}));
        QCOMPARE(device->allocate(16).sentence(), sentence);
        QCOMPARE(device->synchronize().sentence(), sentence);
        QVERIFY(openWith({}, problem));
    }

    void fullMemoryIsNotAnEnd() {
        EmulatedOptions options;
        options.memoryBytes = uint64_t(64) << 20;
        std::string problem;
        const auto device = openWith(options, problem);
        QVERIFY2(device, problem.c_str());
        const auto first = device->allocate(uint64_t(48) << 20);
        QVERIFY(first.ok());
        const auto second = device->allocate(uint64_t(32) << 20);
        QVERIFY(!second.ok());
        QVERIFY2(second.sentence().find("32.0 MiB: 16.0 MiB of 64.0 MiB are free") != std::string::npos,
                 second.sentence().c_str());
        QVERIFY(!device->allocate(~uint64_t(0)).ok());
        QVERIFY(device->allocate(1024).ok());
        QVERIFY(device->synchronize().ok());
        QCOMPARE(device->memory().allocatedBytes, uint64_t(48) << 20);
        QCOMPARE(*device->memory().freeBytes, uint64_t(16) << 20);
    }

    void longCopiesComeBackWhole() {
        std::string problem;
        const auto device = openWith({}, problem);
        QVERIFY2(device, problem.c_str());
        const auto values = randomFloats(6 << 20, 5); // more than the memory for copies holds
        const Buffer buffer = upload(*device, values);
        QCOMPARE(download(*device, buffer, values.size()), values);
        std::vector<float> some(3);
        device->write(buffer, 4000, bytesOf({1.0f, 2.0f, 3.0f}));
        QVERIFY(device->read(buffer, 4000, writableBytesOf(some)).ok());
        QCOMPARE(some, (std::vector<float>{1.0f, 2.0f, 3.0f}));
    }

    void anotherThreadMayWrite() {
        std::string problem;
        const auto device = openWith({}, problem);
        QVERIFY2(device, problem.c_str());
        const auto values = randomFloats(1 << 20, 6);
        Buffer loaded;
        std::thread loader([&] { loaded = upload(*device, values); });
        const Buffer own = upload(*device, std::vector<float>(64, 1.0f));
        for (int i = 0; i < 200; ++i) {
            const auto recording = device->record([&] { device->run(ops::sumOf(own.address(), own.address(), own.address(), 1, 64)); });
            QVERIFY(recording);
        }
        loader.join();
        QCOMPARE(download(*device, loaded, values.size()), values);
        QCOMPARE(download(*device, own, 64), std::vector<float>(64, 1.0f));
    }

    void listSaysWhyACardIsNotUsed() {
        EmulatedOptions options;
        QCOMPARE(reasonOf(options, true), std::string("usable"));
        options.major = 6;
        options.minor = 1;
        QVERIFY2(reasonOf(options, true).find("compute capability 6.1") != std::string::npos, reasonOf(options, true).c_str());
        options = {};
        options.cards = 0;
        options.countStatus = 35;
        options.driverVersion = 0;
        QVERIFY(reasonOf(options, false).find("No NVIDIA driver") != std::string::npos);
        QVERIFY(reasonOf(options, true).find("driver is not installed") != std::string::npos);
        options.driverVersion = 12040;
        QVERIFY2(reasonOf(options, true).find("knows CUDA 12.4, this build needs 13.0") != std::string::npos,
                 reasonOf(options, true).c_str());
        options.countStatus = 100;
        QVERIFY(reasonOf(options, true).find("sees no card") != std::string::npos);
        options.countStatus = 999;
        QVERIFY(reasonOf(options, true).find("lost") != std::string::npos);
    }

    void cardIsFoundInTheSystemsFiles() {
        namespace fs = std::filesystem;
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        QVERIFY(!hasNvidiaCard(root));
        const auto device = [&](const char* name, const char* maker, const char* kind) {
            fs::create_directories(root / "sys/bus/pci/devices" / name);
            std::ofstream(root / "sys/bus/pci/devices" / name / "vendor") << maker << "\n";
            std::ofstream(root / "sys/bus/pci/devices" / name / "class") << kind << "\n";
        };
        device("0000:00:01.0", "0x8086", "0x030000");
        device("0000:01:00.1", "0x10de", "0x040300"); // the sound of a card
        QVERIFY(!hasNvidiaCard(root));
        device("0000:01:00.0", "0x10de", "0x030000");
        QVERIFY(hasNvidiaCard(root));
    }

    // A product's row is the same number for number whatever the number of rows beside it, and right.
    void productsDoNotDependOnOtherRows_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("activation");
        for (int depth : {576, 2304, 4352})
            for (TensorType type : {TensorType::F16, TensorType::Q4_1, TensorType::Q6_K})
                for (int activation : {0, 1, 2}) {
                    if ((type == TensorType::Q6_K && depth % 256 != 0) || (type == TensorType::F16 && activation > 0)) continue;
                    QTest::addRow("%s, depth %d, %d planes", std::string(info(type).name).c_str(), depth, activation)
                        << static_cast<int>(type) << depth << activation;
                }
    }
    void productsDoNotDependOnOtherRows() {
        QFETCH(int, type);
        QFETCH(int, depth);
        QFETCH(int, activation);
        constexpr uint32_t kRows = 19, kOutputs = 13;
        std::string problem;
        const auto device = openWith({}, problem);
        QVERIFY2(device, problem.c_str());
        ops::MatMul op{};
        op.outputs = kOutputs;
        op.depth = static_cast<uint32_t>(depth);
        op.type = static_cast<uint32_t>(type);
        op.activation = static_cast<ops::Activation>(activation);
        const uint32_t planes = ops::planesOf(op.activation);
        std::mt19937 engine(7);
        std::vector<uint8_t> weight(kernels::rowBytes(op.type, op.depth) * kOutputs);
        for (auto& byte : weight) byte = static_cast<uint8_t>(engine() & 0x3Fu); // no exponent that overflows
        std::vector<int8_t> codes(kRows * op.depth * planes);
        for (auto& code : codes) code = static_cast<int8_t>(engine() % 255u - 127u);
        const auto floats = randomFloats(kRows * op.depth, 8), scaleValues = randomFloats(kRows * op.depth / 32, 9);
        const auto sumValues = randomFloats(kRows * op.depth / 32, 10);
        const Buffer weights = upload(*device, weight);
        const Buffer x = planes == 0 ? upload(*device, floats) : upload(*device, codes);
        const Buffer scales = upload(*device, scaleValues), sums = upload(*device, sumValues);
        const Buffer y = upload(*device, std::vector<float>(kRows * kOutputs));
        op.weight = weights.address();
        op.y = y.address();
        const auto result = [&](uint32_t firstRow, uint32_t rows) {
            op.rows = rows;
            op.x = x.address() + firstRow * op.depth * (planes == 0 ? sizeof(float) : planes);
            op.xScales = scales.address() + firstRow * (op.depth / 32) * sizeof(float);
            op.xSums = sums.address() + firstRow * (op.depth / 32) * sizeof(float);
            device->run(op);
            return download(*device, y, rows * kOutputs);
        };
        const auto all = result(0, kRows);
        QCOMPARE(all.size(), size_t(kRows * kOutputs));
        const auto host = [](const auto& values) { return reinterpret_cast<uint64_t>(values.data()); };
        std::vector<float> right(all.size());
        ops::MatMul definition = op;
        definition.weight = host(weight);
        definition.x = planes == 0 ? host(floats) : host(codes);
        definition.xScales = host(scaleValues);
        definition.xSums = host(sumValues);
        definition.y = host(right);
        for (uint32_t output = 0; output < kOutputs; ++output) compute(definition, output);
        double error = 0.0, total = 0.0;
        for (size_t i = 0; i < all.size(); ++i) {
            error += (double(all[i]) - right[i]) * (double(all[i]) - right[i]);
            total += double(right[i]) * right[i];
        }
        QVERIFY2(error <= 1e-10 * total, qPrintable(QString::number(error / total)));
        for (uint32_t rows : {1u, 2u, 3u, 4u, 7u})
            for (uint32_t first = 0; first + rows <= kRows; first += 5) {
                const auto part = result(first, rows);
                QCOMPARE(part, std::vector<float>(all.begin() + first * kOutputs, all.begin() + (first + rows) * kOutputs));
            }
    }

    // Attention gives the same numbers over how many parts its positions may be spread.
    void attentionDoesNotDependOnSplits_data() {
        QTest::addColumn<int>("window");
        QTest::newRow("all positions") << 0;
        QTest::newRow("a window") << 700;
    }
    void attentionDoesNotDependOnSplits() {
        QFETCH(int, window);
        constexpr uint32_t kHeads = 6, kKvHeads = 2, kDim = 16, kBlocks = 80;
        const std::vector<int32_t> positions{2559, 1800, 300, 0}, sequences{0, 0, 0, 0};
        std::string problem;
        const auto device = openWith({}, problem);
        QVERIFY2(device, problem.c_str());
        std::vector<int32_t> table(kBlocks);
        for (uint32_t i = 0; i < kBlocks; ++i) table[i] = static_cast<int32_t>((i * 37) % kBlocks + 1);
        ops::Attention op{};
        op.blockStride = 2 * ops::cachePartBytes(ops::CacheType::F32, kKvHeads, kDim);
        const Buffer q = upload(*device, randomFloats(positions.size() * kHeads * kDim, 1));
        const Buffer cache = upload(*device, randomFloats((kBlocks + 1) * op.blockStride / sizeof(float), 2));
        const Buffer devicePositions = upload(*device, positions), deviceSequences = upload(*device, sequences);
        const Buffer deviceTable = upload(*device, table);
        const Buffer y = upload(*device, std::vector<float>(positions.size() * kHeads * kDim));
        const Buffer partials = upload(*device, std::vector<float>(positions.size() * kHeads * 16 * (kDim + 2), NAN));
        op.q = q.address();
        op.y = y.address();
        op.positions = devicePositions.address();
        op.sequences = deviceSequences.address();
        op.blockTable = deviceTable.address();
        op.cacheK = cache.address();
        op.cacheV = cache.address() + op.blockStride / 2;
        op.partials = partials.address();
        op.rows = static_cast<uint32_t>(positions.size());
        op.heads = kHeads;
        op.kvHeads = kKvHeads;
        op.headDimK = op.headDimV = op.valueStride = kDim;
        op.tableStride = kBlocks;
        op.window = static_cast<uint32_t>(window);
        op.scale = 0.25f;
        std::vector<float> once;
        for (uint16_t splits : {1, 2, 3, 4, 7, 8, 16}) {
            op.splits = splits;
            device->run(op);
            const auto result = download(*device, y, positions.size() * kHeads * kDim);
            QVERIFY2(!result.empty(), device->synchronize().sentence().c_str());
            if (splits == 1) once = result;
            QCOMPARE(result, once);
        }
    }
};

QTEST_GUILESS_MAIN(TestCudaDevice)
#include "test_cuda_device.moc"
