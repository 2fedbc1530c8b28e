// What the Vulkan device promises beyond the numbers of its ops: rows that do not depend on each other, copies of any
// size, refusals in words. On any Vulkan device, as it is and with a graphics card's launches.
#include "engine/backend/vulkan/vulkan_device.h"
#include "engine/backend/vulkan/vulkan_launch.h"
#include "engine/backend/vulkan/vulkan_weights.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace steelyard;

namespace {

template <class T>
std::span<uint8_t> bytesOf(std::vector<T>& values) {
    return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T)};
}

} // namespace

class TestVulkanDevice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void rowsDoNotDependOnTheirNumber_data();
    void rowsDoNotDependOnTheirNumber();
    void rowsAreFoundInBothLayouts_data();
    void rowsAreFoundInBothLayouts();
    void attentionDoesNotDependOnSplits();
    void copiesAreExactAtAnySize();
    void smallBuffersShareMemoryAndGiveItBack();
    void tooLargeAllocationIsRefusedInWords();
    void missingShaderIsSaidInWords();
    void impossibleOpSticksAsAnError();
    void unknownOpHasAProblem();
    void tileLayoutHoldsEveryBlock();
    void deviceListSaysWhatEachDeviceIs();

private:
    Buffer upload(Device& device, std::span<const uint8_t> bytes) {
        auto buffer = device.allocate(bytes.size());
        if (!buffer) qFatal("%s", buffer.sentence().c_str());
        device.write(*buffer, 0, bytes);
        return std::move(*buffer);
    }
    std::vector<float> download(Device& device, const Buffer& buffer, size_t count) {
        std::vector<float> values(count);
        const auto read = device.read(buffer, 0, bytesOf(values));
        if (!read) qFatal("%s", read.sentence().c_str());
        return values;
    }

    std::unique_ptr<Device> m_device, m_asCard;
};

void TestVulkanDevice::initTestCase() {
    auto device = openVulkan(0, {});
    if (!device && qEnvironmentVariableIntValue("STEELYARD_REQUIRE_DEVICES") == 1) QFAIL(device.sentence().c_str());
    if (!device) QSKIP(device.sentence().c_str());
    m_device = std::move(*device);
    auto asCard = openVulkan(0, {}, VulkanTuning::AsCard);
    QVERIFY2(asCard.ok(), asCard.sentence().c_str());
    m_asCard = std::move(*asCard);
}

void TestVulkanDevice::rowsDoNotDependOnTheirNumber_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("asCard");
    for (const bool asCard : {false, true})
        for (const TensorType type : {TensorType::F16, TensorType::Q4_1, TensorType::Q4_K, TensorType::Q6_K})
            QTest::addRow("%s%s", std::string(info(type).name).c_str(), asCard ? " as card" : "")
                << static_cast<int>(type) << asCard;
}

// A product of one row equals, bit by bit, the same row among many.
void TestVulkanDevice::rowsDoNotDependOnTheirNumber() {
    QFETCH(int, type);
    QFETCH(bool, asCard);
    Device& device = asCard ? *m_asCard : *m_device;
    constexpr uint32_t kRows = 11, kOutputs = 70, kDepth = 1536;
    const auto& format = info(static_cast<TensorType>(type));
    std::vector<uint8_t> file(size_t(kOutputs) * kDepth / format.blockValues * format.blockBytes);
    for (size_t i = 0; i < file.size(); ++i)
        file[i] = static_cast<uint8_t>((i * 37 + i / 11) & 0x37); // finite halves
    std::vector<float> x(kRows * kDepth);
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = std::sin(0.1f * static_cast<float>(i * i % 1009));
    const auto layout = device.weightLayout(format.type, kOutputs, kDepth);
    std::vector<uint8_t> packed(layout.bytes);
    device.pack(format.type, layout.layout, file, kOutputs, kDepth, packed);
    const Buffer weight = upload(device, packed), deviceX = upload(device, bytesOf(x));
    const Buffer y = upload(device, std::vector<uint8_t>(kRows * kOutputs * 4));
    ops::MatMul op{};
    op.weight = weight.address();
    op.x = deviceX.address();
    op.y = y.address();
    op.rows = kRows;
    op.outputs = kOutputs;
    op.depth = kDepth;
    op.type = static_cast<uint32_t>(type);
    op.layout = layout.layout;
    device.run(op);
    const auto together = download(device, y, kRows * kOutputs);
    for (uint32_t row : {0u, 7u, 10u}) {
        op.rows = 1;
        op.x = deviceX.address() + uint64_t(row) * kDepth * 4;
        device.run(op);
        const auto alone = download(device, y, kOutputs);
        QVERIFY(std::memcmp(alone.data(), together.data() + row * kOutputs, kOutputs * 4) == 0);
    }
}

void TestVulkanDevice::rowsAreFoundInBothLayouts_data() {
    QTest::addColumn<int>("type");
    for (const TensorType type :
         {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0,
          TensorType::Q5_1, TensorType::Q8_0, TensorType::Q4_K, TensorType::Q6_K})
        QTest::newRow(std::string(info(type).name).c_str()) << static_cast<int>(type);
}

// A table in the device's layout, which a tied head shares, gives the rows that the file's bytes give.
void TestVulkanDevice::rowsAreFoundInBothLayouts() {
    QFETCH(int, type);
    const auto& format = info(static_cast<TensorType>(type));
    const uint32_t rows = 41, columns = format.blockValues == 1 ? 75 : 512; // float rows end in a part of a block
    std::vector<uint8_t> file(size_t(rows) * columns / format.blockValues * format.blockBytes);
    for (size_t i = 0; i < file.size(); ++i)
        file[i] = static_cast<uint8_t>((i * 41 + i / 13) & 0x37); // finite numbers
    std::vector<int32_t> ids{40, 0, 33, -1, 31, 41};
    const auto layout = m_device->tableLayout(format.type, rows, columns);
    QCOMPARE(layout.layout, m_device->weightLayout(format.type, rows, columns).layout);
    std::vector<uint8_t> packed(layout.bytes);
    m_device->pack(format.type, layout.layout, file, rows, columns, packed);
    const Buffer asFile = upload(*m_device, file), tiles = upload(*m_device, packed),
                 deviceIds = upload(*m_device, bytesOf(ids));
    const Buffer y = upload(*m_device, std::vector<uint8_t>(ids.size() * columns * 4));
    ops::GetRows op{asFile.address(),
                    deviceIds.address(),
                    y.address(),
                    static_cast<uint32_t>(ids.size()),
                    columns,
                    rows,
                    static_cast<uint32_t>(type),
                    2.0f,
                    0};
    m_device->run(op);
    const auto expected = download(*m_device, y, ids.size() * columns);
    op.table = tiles.address();
    op.layout = layout.layout;
    m_device->run(op);
    QVERIFY(download(*m_device, y, ids.size() * columns) == expected);
    ops::GetRows host = op;
    std::vector<float> right(columns);
    host.table = reinterpret_cast<uint64_t>(file.data());
    host.ids = reinterpret_cast<uint64_t>(ids.data());
    host.y = reinterpret_cast<uint64_t>(right.data());
    compute(host, 0);
    for (uint32_t i = 0; i < columns; ++i)
        QVERIFY(std::fabs(right[i] - expected[i]) <= 1e-6f * std::fabs(right[i]));
}

// One group per row and head, or one per segment merged later: the same bits.
void TestVulkanDevice::attentionDoesNotDependOnSplits() {
    constexpr uint32_t kHeads = 4, kDim = 64, kPosition = 900, kBlocks = kPosition / ops::kBlockTokens + 2;
    std::vector<float> q(kHeads * kDim), cache(size_t(kBlocks) * 2 * ops::kBlockTokens * kDim);
    for (size_t i = 0; i < q.size(); ++i)
        q[i] = std::cos(0.3f * static_cast<float>(i));
    for (size_t i = 0; i < cache.size(); ++i)
        cache[i] = std::sin(0.7f * static_cast<float>(i % 7919));
    std::vector<int32_t> table(kBlocks), position{kPosition}, sequence{0};
    for (uint32_t i = 0; i < kBlocks; ++i)
        table[i] = static_cast<int32_t>((i * 5 + 1) % kBlocks);
    const Buffer deviceQ = upload(*m_device, bytesOf(q)), deviceCache = upload(*m_device, bytesOf(cache));
    const Buffer deviceTable = upload(*m_device, bytesOf(table)), devicePosition = upload(*m_device, bytesOf(position));
    const Buffer deviceSequence = upload(*m_device, bytesOf(sequence)),
                 y = upload(*m_device, std::vector<uint8_t>(kHeads * kDim * 4));
    const Buffer partials = upload(*m_device, std::vector<uint8_t>(kHeads * 4 * (kDim + 2) * 4));
    ops::Attention op{};
    op.q = deviceQ.address();
    op.y = y.address();
    op.positions = devicePosition.address();
    op.sequences = deviceSequence.address();
    op.blockTable = deviceTable.address();
    op.cacheK = deviceCache.address();
    op.cacheV = deviceCache.address() + ops::kBlockTokens * kDim * 4;
    op.partials = partials.address();
    op.blockStride = 2 * ops::kBlockTokens * kDim * 4;
    op.rows = 1;
    op.heads = kHeads;
    op.kvHeads = 1;
    op.headDimK = op.headDimV = op.valueStride = kDim;
    op.tableStride = kBlocks;
    op.scale = 0.125f;
    op.splits = 1;
    m_device->run(op);
    const auto whole = download(*m_device, y, kHeads * kDim);
    op.splits = 4;
    m_device->run(op);
    QVERIFY(download(*m_device, y, kHeads * kDim) == whole);
}

void TestVulkanDevice::copiesAreExactAtAnySize() {
    for (const size_t size : {size_t(1), size_t(4099), size_t(4) << 20, (size_t(9) << 20) + 5}) {
        std::vector<uint8_t> source(size), result(size);
        for (size_t i = 0; i < size; ++i)
            source[i] = static_cast<uint8_t>(i * 31 + i / 997);
        const Buffer buffer = upload(*m_device, source);
        QVERIFY(m_device->read(buffer, 0, result).ok());
        QVERIFY(result == source);
        const uint8_t last = 0xA5; // an odd offset
        m_device->write(buffer, size - 1, {&last, 1});
        QVERIFY(m_device->read(buffer, size - 1, {result.data(), 1}).ok());
        QCOMPARE(result[0], last);
    }
}

void TestVulkanDevice::smallBuffersShareMemoryAndGiveItBack() {
    const uint64_t before = m_device->memory().allocatedBytes;
    {
        std::vector<Buffer> buffers;
        for (int i = 0; i < 300; ++i) {
            auto buffer = m_device->allocate(1000 + i);
            QVERIFY(buffer.ok());
            QCOMPARE(buffer->address() % 256, uint64_t(0));
            buffers.push_back(std::move(*buffer));
        }
        QVERIFY(m_device->memory().allocatedBytes <= before + (8u << 20));
    }
    QCOMPARE(m_device->memory().allocatedBytes, before);
}

void TestVulkanDevice::tooLargeAllocationIsRefusedInWords() {
    const auto buffer = m_device->allocate(uint64_t(1) << 50);
    QVERIFY(!buffer.ok());
    QVERIFY(QString::fromStdString(buffer.sentence()).contains("could not give 1073741824 MiB"));
    QVERIFY(m_device->synchronize().ok()); // a refusal is no error of the device
}

void TestVulkanDevice::missingShaderIsSaidInWords() {
    QVERIFY(m_device->unsupported(ops::opId<ops::MatMul>, TensorType::Q8_0).empty());
    QVERIFY(m_device->unsupported(ops::opId<ops::ExpertMatMul>, TensorType::MXFP4).empty());
    const QString reason = QString::fromStdString(m_device->unsupported(ops::opId<ops::ExpertMatMul>, TensorType::Q8_K));
    QVERIFY2(reason.contains("expert_mat_mul") && reason.contains("Q8_K"), qPrintable(reason));
    QVERIFY(!m_device->unsupported(9999, std::nullopt).empty());
}

void TestVulkanDevice::impossibleOpSticksAsAnError() {
    auto device = openVulkan(0, {});
    QVERIFY(device.ok());
    ops::GetRows op{};
    op.rows = op.columns = 1;
    op.type = static_cast<uint32_t>(TensorType::Q8_K);
    (*device)->run(op);
    QVERIFY(!(*device)->synchronize().ok());
    QVERIFY(!(*device)->allocate(16).ok());
    QVERIFY((*device)->record([] {}) == nullptr);
}

void TestVulkanDevice::unknownOpHasAProblem() {
    QVERIFY(!describeLaunch(9999, nullptr, 0, VulkanLimits{}).problem.empty());
}

// Whole tiles, and the words of a block found where the shaders look for them.
void TestVulkanDevice::tileLayoutHoldsEveryBlock() {
    constexpr uint64_t kRows = 33, kColumns = 64; // two tiles of two blocks of 20 bytes
    QCOMPARE(vulkanWeightBytes(TensorType::Q4_1, 1, kRows, kColumns), uint64_t(64 * 2 * 20));
    std::vector<uint8_t> file(kRows * 2 * 20);
    for (size_t i = 0; i < file.size(); ++i)
        file[i] = static_cast<uint8_t>(i % 251);
    std::vector<uint8_t> tiles(vulkanWeightBytes(TensorType::Q4_1, 1, kRows, kColumns), 0xFF);
    packTiles(TensorType::Q4_1, file, kRows, kColumns, tiles);
    const size_t row = 32, block = 1, place = row / 32 * 2 + block, lane = row % 32;
    const uint8_t* source = file.data() + (row * 2 + block) * 20;
    QVERIFY(std::memcmp(tiles.data() + place * 512 + lane * 8, source + 4, 8) == 0);
    QVERIFY(std::memcmp(tiles.data() + place * 512 + 256 + lane * 8, source + 12, 8) == 0);
    QVERIFY(std::memcmp(tiles.data() + 4 * 512 + (place * 32 + lane) * 4, source, 4) == 0);
}

void TestVulkanDevice::deviceListSaysWhatEachDeviceIs() {
    const auto devices = listVulkan();
    QVERIFY(!devices.empty());
    for (const auto& device : devices) {
        QVERIFY(device.kind == DeviceKind::Vulkan);
        QVERIFY(!device.name.empty());
        if (!device.usable || device.software) QVERIFY(!device.reason.empty());
    }
}

QTEST_GUILESS_MAIN(TestVulkanDevice)
#include "test_vulkan_device.moc"
