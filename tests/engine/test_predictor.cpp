// A file's own predictor (multi-token prediction): its logits are those of the field's engine, and guessing with it changes nothing.
//
// The reference was computed by llama.cpp with keys and values in F32; it quantizes activations, so the bound is not that of floats. No
// small file with a predictor is public, so one is made here: the last layer of a tiny model once more, and weights from a counter.
#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"
#include "engine/loaded_model.h"
#include "tests/engine/loaded_engine.h"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace steelyard;

namespace {

std::vector<uint8_t> counted(size_t count, uint32_t seed, float middle, float width) {
    std::vector<float> values(count);
    uint32_t state = seed;
    for (float& value : values) {
        state = state * 1664525u + 1013904223u;
        value = middle + width * (static_cast<float>(state >> 8) * 0x1p-24f - 0.5f);
    }
    std::vector<uint8_t> bytes(count * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

// A model with a predictor made of its last layer.
std::string withPredictor(const std::string& path) {
    const auto file = GgufFile::open(path);
    if (!file) qFatal("%s", file.sentence().c_str());
    const std::string architecture = **file->stringValue("general.architecture");
    const auto layers = static_cast<uint32_t>(**file->unsignedValue(architecture + ".block_count"));
    GgufWriter writer;
    for (const auto& key : file->keys())
        if (key.name != architecture + ".block_count") writer.add(key);
    writer.add(architecture + ".block_count", layers + 1);
    writer.add(architecture + ".nextn_predict_layers", uint32_t(1));
    const auto put = [&](const std::string& name, TensorType type, const std::vector<uint64_t>& shape, std::span<const uint8_t> data) {
        if (const auto done = writer.addTensor(name, type, shape, data); !done) qFatal("%s", done.sentence().c_str());
    };
    uint64_t embedding = 0;
    for (const auto& tensor : file->tensors()) {
        put(tensor.name, tensor.type, tensor.shape, file->data(tensor));
        if (tensor.name == "token_embd.weight") embedding = tensor.columns();
    }
    const std::string last = "blk." + std::to_string(layers - 1) + ".", own = "blk." + std::to_string(layers) + ".";
    for (const auto& tensor : file->tensors())
        if (tensor.name.compare(0, last.size(), last) == 0) put(own + tensor.name.substr(last.size()), tensor.type, tensor.shape, file->data(tensor));
    put(own + "nextn.eh_proj.weight", TensorType::F32, {2 * embedding, embedding}, counted(2 * embedding * embedding, 1, 0.0f, 0.6f));
    put(own + "nextn.enorm.weight", TensorType::F32, {embedding}, counted(embedding, 2, 1.0f, 0.4f));
    put(own + "nextn.hnorm.weight", TensorType::F32, {embedding}, counted(embedding, 3, 1.0f, 0.4f));
    put(own + "nextn.shared_head_norm.weight", TensorType::F32, {embedding}, counted(embedding, 4, 1.0f, 0.4f));
    return writer.bytes();
}

} // namespace

class TestPredictor : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string put(const char* architecture) {
        const std::string path = m_folder.filePath(QString(architecture) + ".gguf").toStdString();
        const std::string bytes = withPredictor(std::string(STEELYARD_TEST_DATA) + "/architectures/" + architecture + ".gguf");
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto kept = qEnvironmentVariable("STEELYARD_KEEP_PREDICTOR"); // where to put the file for a look by other engines
        if (!kept.isEmpty()) QFile::copy(QString::fromStdString(path), kept + "/" + architecture + ".gguf");
        return path;
    }
    static std::vector<int32_t> ids() {
        std::vector<int32_t> ids;
        for (int32_t i = 0; i < 24; ++i) ids.push_back((i * 29 + 7) % 120);
        return ids;
    }

private slots:
    void logitsAreThoseOfTheFieldsEngine_data() {
        QTest::addColumn<QString>("device");
        const QString chosen = qEnvironmentVariable("STEELYARD_TEST_DEVICES");
        for (const char* device : {"cpu", "vulkan", "emulated"})
            if (chosen.isEmpty() || chosen.contains(device)) QTest::newRow(device) << device;
    }
    void logitsAreThoseOfTheFieldsEngine() {
        QFETCH(QString, device);
        if (deviceMissing(device.toStdString())) {
            if (qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QFAIL("the device is missing");
            QSKIP("the device is not there");
        }
        LoadRequest request;
        request.path = put("deepseek2-moe");
        request.device = device.toStdString();
        request.contextLength = 64;
        request.kvTypeK = request.kvTypeV = TensorType::F32;
        request.predictor = true;
        std::atomic<bool> cancelled = false;
        const auto model = loadModel(request, {}, {}, cancelled);
        QVERIFY2(bool(model), model.sentence().c_str());
        QVERIFY((*model)->facts.predicts && (*model)->facts.predictorLoaded);
        auto& main = *(*model)->transformer;
        auto& predictor = *(*model)->predictor;
        const size_t width = main.spec().embedding, vocabulary = main.spec().vocabulary;
        CachedSequence sequence, own;
        QVERIFY(!main.cache().extend(sequence, 24) && !predictor.cache().extend(own, 24));
        Step step;
        step.ids = ids();
        for (int32_t position = 0; position < 24; ++position) {
            step.positions.push_back(position);
            step.sequences.push_back(0);
        }
        step.tables = {&sequence};
        QVERIFY(bool(main.run(step)));
        const auto states = main.hidden();
        QVERIFY(bool(states));
        std::vector<float> given(24 * width, 0.0f);
        std::copy(states->begin(), states->end() - static_cast<std::ptrdiff_t>(width), given.begin() + static_cast<std::ptrdiff_t>(width));
        step.tables = {&own};
        step.given = given;
        for (int32_t row = 0; row < 24; ++row) step.outputRows.push_back(row);
        if (step.outputRows.size() > predictor.shape().maxOutputs) step.outputRows.resize(predictor.shape().maxOutputs);
        QVERIFY(bool(predictor.run(step)));
        const auto logits = predictor.logits();
        QVERIFY(bool(logits));
        std::ifstream reference(std::string(STEELYARD_TEST_DATA) + "/predictor/deepseek2-moe.logits.f32", std::ios::binary);
        std::vector<float> expected(24 * vocabulary);
        QVERIFY(bool(reference.read(reinterpret_cast<char*>(expected.data()), static_cast<std::streamsize>(expected.size() * sizeof(float)))));
        double difference = 0, size = 0;
        for (size_t i = 0; i < step.outputRows.size() * vocabulary; ++i) {
            const double d = double((*logits)[i]) - double(expected[i]);
            difference += d * d;
            size += double(expected[i]) * double(expected[i]);
        }
        QVERIFY2(difference / size < 2e-5, qPrintable(QString::number(difference / size)));
        main.cache().release(sequence);
        predictor.cache().release(own);
    }

    void tokensAreThoseWithoutIt_data() {
        QTest::addColumn<QString>("architecture");
        for (const char* architecture : {"glm4moe-moe", "llama-dense", "deepseek2-heads"}) QTest::newRow(architecture) << architecture;
    }
    void tokensAreThoseWithoutIt() {
        QFETCH(QString, architecture);
        LoadedEngine engine;
        LoadRequest load;
        load.path = put(architecture.toUtf8());
        load.device = "cpu";
        load.contextLength = 160;
        load.predictor = true;
        QCOMPARE(engine.load(load), std::string());
        QVERIFY(engine.facts.predictorLoaded);
        QVERIFY(engine.engine.snapshot()->devices[0].use.draftBytes > 0);
        const auto run = [&](bool guesses, uint64_t chat) {
            auto request = engine.request(idsPrompt(ids()), 40);
            request.sampling.temperature = 0.4f;
            request.sampling.seed = 11;
            request.speculation = {false, guesses, 3, false};
            request.chat = chat;
            return engine.generate(request);
        };
        const auto plain = run(false, 0), guessed = run(true, 5), warm = run(true, 5);
        QCOMPARE(guessed.ids, plain.ids);
        QCOMPARE(warm.ids, plain.ids);
        QVERIFY(guessed.end.statistics.speculation.guessed > 30);
        QCOMPARE(plain.end.statistics.speculation.guessed, 0u);
    }

    void whatItTakesIsSaidBefore_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("asDraft");
        for (const char* device : {"cpu", "vulkan", "emulated"})
            for (const bool asDraft : {false, true}) QTest::addRow("%s on %s", asDraft ? "a draft model" : "the predictor", device) << device << asDraft;
    }
    void whatItTakesIsSaidBefore() {
        QFETCH(QString, device);
        QFETCH(bool, asDraft);
        LoadedEngine engine;
        LoadRequest load;
        load.path = put("llama-dense");
        load.device = device.toStdString();
        load.contextLength = 300;
        if (asDraft) load.draft = std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf";
        load.predictor = !asDraft;
        const auto plan = Engine::plan(load);
        if (!plan && !qEnvironmentVariableIsSet("STEELYARD_REQUIRE_DEVICES")) QSKIP(plan.sentence().c_str());
        QVERIFY2(plan.ok(), plan.sentence().c_str());
        QCOMPARE(engine.load(load), std::string());
        const MemoryUse use = engine.engine.snapshot()->devices[0].use;
        const auto agree = [](uint64_t said, uint64_t taken) { return taken <= said && double(said) <= 1.03 * double(taken) + 2.0 * (1 << 20); };
        const QString text = QString("draft %1 said, %2 taken; all %3 said, %4 taken").arg(plan->draftBytes).arg(use.draftBytes).arg(plan->totalBytes).arg(use.totalBytes());
        QVERIFY2(use.draftBytes > 0 || !asDraft, qPrintable(text)); // small buffers of a predictor fit into what the device gave for the model's
        QVERIFY2(agree(plan->draftBytes, use.draftBytes) && agree(plan->totalBytes, use.totalBytes()), qPrintable(text));
    }

    void aFileWithoutOneIsNotAskedForIt() {
        LoadedEngine engine;
        LoadRequest load;
        load.path = std::string(STEELYARD_TEST_DATA) + "/architectures/llama-dense.gguf";
        load.device = "cpu";
        load.contextLength = 64;
        load.predictor = true;
        QCOMPARE(engine.load(load), std::string());
        QVERIFY(!engine.facts.predicts && !engine.facts.predictorLoaded);
    }
};

QTEST_GUILESS_MAIN(TestPredictor)
#include "test_predictor.moc"
