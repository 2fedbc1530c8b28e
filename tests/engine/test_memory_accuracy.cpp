// What a load is said to take against what it takes: as the driver rounds it, and as the system counts it.
#include "engine/backend/backends.h"
#include "engine/memory/memory_plan.h"
#include "engine/model/architectures.h"
#include "engine/model/transformer.h"
#include "tests/engine/loaded_engine.h"

#include "tests/engine/conformance_files.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QProcess>

#include <atomic>
#include <map>
#include <string_view>

using namespace steelyard;

namespace {

const QString kFolder = QString(STEELYARD_TEST_DATA) + "/architectures/";
constexpr uint64_t kMebibyte = 1u << 20;
constexpr bool kSanitized = !std::string_view(STEELYARD_SANITIZERS).empty();

// Models of each kind of cache, which are planned in many ways; of all others one way each is enough.
const QStringList kManyWays{"llama-dense", "gemma3-dense", "qwen35-dense", "deepseek2-moe", "lfm2-dense", "gpt-oss-moe"};

// Opened once for all rows: a device must end as it was when a model goes.
Device* deviceOf(const std::string& id) {
    static std::map<std::string, std::unique_ptr<Device>> devices;
    auto& device = devices[id];
    if (!device)
        if (auto opened = openDevice(id, {2, {}})) device = std::move(*opened);
    return device.get();
}

struct Loaded {
    uint64_t mapped = 0;
    std::unique_ptr<Transformer> transformer;
};

Result<Loaded> loadAll(const ModelSpec& spec, const GgufFile& file, Device& device, const PlanOptions& options) {
    auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    const std::atomic<bool> cancelled = false;
    auto weights = loadWeights(spec, file, device, {}, cancelled);
    if (!weights) return weights.error();
    Loaded loaded;
    loaded.mapped = (*weights)->mappedBytes;
    auto transformer = Transformer::create(device, spec, std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    loaded.transformer = std::move(*transformer);
    return loaded;
}

void addRow(const QString& path, const char* device, uint32_t context, TensorType type, uint32_t parallel) {
    QTest::addRow("%s on %s, %u tokens, %s, %u at once", qPrintable(QFileInfo(path).completeBaseName()), device, context, std::string(info(type).name).c_str(), parallel)
        << path << QString(device) << context << int(type) << parallel;
}

} // namespace

class TestMemoryAccuracy : public QObject {
    Q_OBJECT

private slots:
    void whatIsSaidIsWhatIsTaken_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("device");
        QTest::addColumn<uint32_t>("context");
        QTest::addColumn<int>("type");
        QTest::addColumn<uint32_t>("parallel");
        QStringList paths;
        for (const QString& folder : {kFolder, conformanceFolder() + "/architectures/"})
            for (const auto& file : QDir(folder).entryList({"*.gguf"}, QDir::Files, QDir::Name))
                if (!paths.contains(kFolder + file)) paths << folder + file;
        for (const char* device : {"cpu", "vulkan", "emulated"}) {
            for (const QString& path : paths) addRow(path, device, 0, TensorType::F16, 4);
            for (const QString& model : kManyWays) {
                for (const uint32_t context : {1u, 33u, 200u}) addRow(kFolder + model + ".gguf", device, context, TensorType::F16, 4);
                for (const uint32_t parallel : {1u, 16u}) addRow(kFolder + model + ".gguf", device, 128, TensorType::F16, parallel);
                for (const auto& type : cacheTypes()) addRow(kFolder + model + ".gguf", device, 128, type.type, 2);
            }
            for (const char* model : {kSmolLm2, kGemma3})
                for (const uint32_t context : {512u, 4096u}) addRow(QString::fromStdString(modelFolder()) + "/" + model, device, context, TensorType::F16, 4);
        }
    }

    void whatIsSaidIsWhatIsTaken() {
        QFETCH(QString, path);
        QFETCH(QString, device);
        QFETCH(uint32_t, context);
        QFETCH(int, type);
        QFETCH(uint32_t, parallel);
        if (!QFile::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        Device* on = deviceOf(device.toStdString());
        if (!on) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        const auto file = GgufFile::open(path.toStdString());
        QVERIFY2(file.ok(), file.sentence().c_str());
        const auto spec = readSpec(*file);
        QVERIFY2(spec.ok(), spec.sentence().c_str());
        PlanOptions options;
        options.contextLength = context;
        options.cacheTypes = {TensorType(type), TensorType(type)};
        options.sequences = parallel;
        const uint64_t before = on->memory().allocatedBytes;
        const auto plan = planMemory(*spec, *file, *on, options, std::nullopt);
        QVERIFY2(plan.ok(), plan.sentence().c_str());
        QCOMPARE(on->memory().allocatedBytes, before); // a plan takes nothing
        {
            const auto loaded = loadAll(*spec, *file, *on, options);
            QVERIFY2(loaded.ok(), loaded.sentence().c_str());
            const uint64_t measured = on->memory().allocatedBytes + loaded->mapped;
            const QByteArray both = QByteArray::number(qulonglong(plan->totalBytes)) + " said, " + QByteArray::number(qulonglong(measured)) + " taken";
            QVERIFY2(measured <= plan->totalBytes && double(plan->totalBytes) <= 1.03 * double(measured) + 2.0 * kMebibyte, both);
            QCOMPARE(loaded->transformer->weights().bytes, plan->weightsBytes);
            QCOMPARE(loaded->transformer->cache().arenaBytes(), plan->kvBytes);
        }
        QCOMPARE(on->memory().allocatedBytes, before);
    }

    // In a process of its own, with the whole context read, so that every page is in use.
    void residentMemoryGrowsAsSaid_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("context");
        for (const char* model : {"llama-dense", "deepseek2-moe", "qwen35-dense", "qwen3moe-moe"}) QTest::newRow(model) << kFolder + model + ".gguf" << 256;
        for (const char* model : {kSmolLm2, kGemma3}) QTest::newRow(model) << QString::fromStdString(modelFolder()) + "/" + model << 512;
    }

    void residentMemoryGrowsAsSaid() {
        QFETCH(QString, path);
        QFETCH(int, context);
        if (!QFile::exists(path)) QSKIP("the model is not in STEELYARD_MODEL_CACHE");
        if (kSanitized) QSKIP("a sanitizer keeps memory of its own, which is resident too");
        QProcess process;
        process.start(STEELYARD_CLI, {"memory", path, "--context", QString::number(context), "--device", "cpu", "--parallel", "1", "--measure", "--json"});
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 0);
        const auto json = nlohmann::json::parse(process.readAllStandardOutput().toStdString());
        const auto &predicted = json["predicted"], &measured = json["measured"];
        if (!measured.contains("resident_growth_bytes")) QSKIP("this system does not tell what is resident");
        const double said = predicted["total_bytes"].get<double>() + predicted["host_bytes"].get<double>();
        const double grown = measured["resident_growth_bytes"].get<double>();
        QVERIFY2(std::abs(said - grown) <= 4.0 * kMebibyte, qPrintable(QString("%1 MiB said, %2 MiB grown").arg(said / kMebibyte).arg(grown / kMebibyte)));
        QCOMPARE(measured["total_bytes"].get<uint64_t>(), predicted["total_bytes"].get<uint64_t>());
    }
};

QTEST_GUILESS_MAIN(TestMemoryAccuracy)
#include "test_memory_accuracy.moc"
