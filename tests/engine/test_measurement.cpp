// Quality against distributions that are kept in a file: the figures, and what becomes of the file.
#include "engine/evaluate/perplexity.h"
#include "tests/engine/compared_models.h"

using namespace steelyard;

class TestMeasurement : public QObject {
    Q_OBJECT

private slots:
    void qualityEqualsTheExactOne();
    void nothingIsMeasuredTwice();
    void anotherReference();
    void cancelledMeasurementsGoOn();
    void damagedFilesAreMadeAnew();
    void limitsOfBytesAreKept();
    void badTextsAndColumns();
    void nothingIsLeftBehind();

private:
    ComparedModels m_models;
};

void TestMeasurement::qualityEqualsTheExactOne() {
    Comparison comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse)});
    const auto request = m_models.measureRequest("");
    std::vector<MeasureProgress> told;
    const auto found = comparison.measure(request, [&](const MeasureProgress& progress) { told.push_back(progress); }, kGoesOn);
    QVERIFY2(found.ok(), found.sentence().c_str());
    LoadedEngine model, reference;
    QCOMPARE(model.load(m_models.coarse, "cpu", TensorType::F16, 64), std::string());
    QCOMPARE(reference.load(m_models.fine, "cpu", TensorType::F16, 64), std::string());
    const auto windows = readWindows(request.text, 16, m_models.fine, std::nullopt);
    const MeasuredModel other{reference.engine, reference.model()};
    const auto exact = measurePerplexity({model.engine, model.model()}, &other, *windows, {}, kGoesOn);
    QVERIFY2(exact.ok(), exact.sentence().c_str());
    const Quality& quality = *found->columns[1].quality;
    QCOMPARE(quality.tokens, exact->tokens);
    QVERIFY(std::abs(quality.perplexity / exact->perplexity - 1) < 1e-5);
    QVERIFY(std::abs(quality.meanKl / exact->divergence->meanKl - 1) < 0.01);
    QVERIFY(std::abs(quality.klP99 / exact->divergence->klP99 - 1) < 0.01);
    QVERIFY(quality.medianKl > 0 && quality.medianKl <= quality.klP99 && quality.klP99 <= quality.maxKl);
    QVERIFY(std::abs(quality.sameTop - exact->divergence->sameTop) < 1e-9);
    QVERIFY(quality.klError > 0 && quality.klError < quality.meanKl && quality.perplexityError > 0);
    QVERIFY(std::abs(quality.perplexityRatio - exact->perplexity / exact->divergence->referencePerplexity) < 1e-5);
    QVERIFY(std::abs(std::log(quality.perplexityRatio) + quality.meanChange) < 1e-9);
    const Quality& own = *found->columns[0].quality;
    QVERIFY(own.isReference && own.meanKl == 0 && own.sameTop == 1);
    QVERIFY(std::abs(own.perplexity / exact->divergence->referencePerplexity - 1) < 1e-5);
    QVERIFY(found->keptMass > 0.99 && found->referenceBytes > 0 && found->referenceColumn == size_t(0));
    QCOMPARE(told.back().fraction, 1.0);
    QVERIFY(told.back().secondsLeft && *told.back().secondsLeft == 0);
    // The cache's type is a column too.
    Comparison caches({m_models.column(m_models.fine), m_models.column(m_models.fine, TensorType::Q4_0)});
    const auto lossy = caches.measure(request, {}, kGoesOn);
    QVERIFY2(lossy.ok() && lossy->columns[1].quality, lossy.sentence().c_str());
    QVERIFY(lossy->columns[1].quality->meanKl > 0);
}

void TestMeasurement::nothingIsMeasuredTwice() {
    const auto request = m_models.measureRequest("kept");
    const std::vector<ComparisonColumn> columns = {m_models.column(m_models.fine), m_models.column(m_models.coarse)};
    const auto before = planMeasurement(columns, request);
    QVERIFY2(before.ok(), before.sentence().c_str());
    QCOMPARE(before->referenceWindowsDone, size_t(0));
    const auto first = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY2(first.ok() && !first->referenceWasKept, first.sentence().c_str());
    QVERIFY(first->referenceBytes <= before->mostBytes);
    QVERIFY(keptMeasurementsBytes(request.folder) >= first->referenceBytes);
    const auto after = planMeasurement(columns, request);
    QCOMPARE(after->referenceWindowsDone, after->windows);
    QCOMPARE(after->columnWindowsDone[1], after->windows);
    size_t told = 0;
    const auto second = Comparison(columns).measure(request, [&](const MeasureProgress&) { ++told; }, kGoesOn);
    QVERIFY(second.ok() && second->referenceWasKept);
    QCOMPARE(told, size_t(0));
    QCOMPARE(second->columns[1].quality->meanKl, first->columns[1].quality->meanKl);
    // Another text is another measurement; what is kept can be removed.
    auto other = request;
    other.text = someText(150);
    QCOMPARE(planMeasurement(columns, other)->referenceWindowsDone, size_t(0));
    removeKeptMeasurements(request.folder);
    QCOMPARE(keptMeasurementsBytes(request.folder), uint64_t(0));
}

void TestMeasurement::anotherReference() {
    auto request = m_models.measureRequest("beside");
    request.otherReference = m_models.column(m_models.fine);
    request.otherReference->name = "original";
    const auto found = Comparison({m_models.column(m_models.coarse)}).measure(request, {}, kGoesOn);
    QVERIFY2(found.ok() && found->columns[0].quality, found.sentence().c_str());
    QVERIFY(!found->referenceColumn && found->referenceName == "original" && !found->columns[0].quality->isReference);
    QVERIFY(found->columns[0].quality->meanKl > 0 && found->reference.quality->perplexity > 0);
    // Where it is a column after all, it is found there.
    request.otherReference = m_models.column(m_models.coarse);
    QCOMPARE(*Comparison({m_models.column(m_models.fine), m_models.column(m_models.coarse)}).measure(request, {}, kGoesOn)->referenceColumn, size_t(1));
}

void TestMeasurement::cancelledMeasurementsGoOn() {
    const auto request = m_models.measureRequest("resumed");
    const std::vector<ComparisonColumn> columns = {m_models.column(m_models.fine), m_models.column(m_models.coarse)};
    const auto whole = Comparison(columns).measure(m_models.measureRequest(""), {}, kGoesOn);
    for (const auto stage : {MeasureProgress::Stage::Reference, MeasureProgress::Stage::Column}) {
        std::atomic<bool> cancelled = false;
        const auto found = Comparison(columns).measure(request, [&](const MeasureProgress& p) { cancelled = p.stage == stage && p.windows == 3; }, cancelled);
        QVERIFY(has(found.sentence(), "cancelled"));
        const auto plan = planMeasurement(columns, request);
        QCOMPARE(stage == MeasureProgress::Stage::Reference ? plan->referenceWindowsDone : plan->columnWindowsDone[1], size_t(3));
    }
    size_t windows = 0;
    const auto found = Comparison(columns).measure(request, [&](const MeasureProgress& p) { windows += p.stage != MeasureProgress::Stage::Loading ? 1 : 0; }, kGoesOn);
    QVERIFY2(found.ok(), found.sentence().c_str());
    QCOMPARE(windows, found->windows - 3);
    QCOMPARE(found->columns[1].quality->meanKl, whole->columns[1].quality->meanKl);
    QCOMPARE(found->columns[1].quality->perplexity, whole->columns[1].quality->perplexity);
}

void TestMeasurement::damagedFilesAreMadeAnew() {
    const auto request = m_models.measureRequest("damaged");
    const std::vector<ComparisonColumn> columns = {m_models.column(m_models.fine), m_models.column(m_models.coarse)};
    const auto right = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY(right.ok());
    for (const auto& entry : std::filesystem::directory_iterator(request.folder)) {
        for (const int how : {0, 1, 2}) { // the middle, the head, the end
            std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
            const auto size = static_cast<std::streamoff>(std::filesystem::file_size(entry.path()));
            file.seekg(how == 1 ? 20 : size / 2);
            const int byte = file.get();
            file.seekp(how == 1 ? 20 : size / 2);
            file.put(static_cast<char>(byte ^ 0x55));
            file.close();
            if (how == 2) std::filesystem::resize_file(entry.path(), static_cast<uint64_t>(size) - 5);
            const auto again = Comparison(columns).measure(request, {}, kGoesOn);
            QVERIFY2(again.ok(), again.sentence().c_str());
            QCOMPARE(again->columns[1].quality->meanKl, right->columns[1].quality->meanKl);
            QCOMPARE(static_cast<std::streamoff>(std::filesystem::file_size(entry.path())), size);
        }
    }
}

void TestMeasurement::limitsOfBytesAreKept() {
    auto request = m_models.measureRequest("bounded");
    request.mostBytes = 100;
    const std::vector<ComparisonColumn> columns = {m_models.column(m_models.fine), m_models.column(m_models.coarse)};
    const auto refused = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY2(has(refused.sentence(), "limit"), refused.sentence().c_str());
    request.mostBytes = 1'000'000;
    QVERIFY(Comparison(columns).measure(request, {}, kGoesOn).ok());
    const uint64_t one = keptMeasurementsBytes(request.folder);
    // With room for one alone, the older one leaves.
    request.mostBytes = one + one / 2;
    request.text = someText(190);
    const auto plan = planMeasurement(columns, request);
    QVERIFY2(plan.ok(), plan.sentence().c_str());
    QVERIFY(plan->mostBytes <= request.mostBytes);
    const auto found = Comparison(columns).measure(request, {}, kGoesOn);
    QVERIFY(found.ok() && found->referenceBytes <= plan->mostBytes);
    QVERIFY(keptMeasurementsBytes(request.folder) <= request.mostBytes);
}

void TestMeasurement::badTextsAndColumns() {
    const auto sentenceOf = [&](std::vector<ComparisonColumn> columns, const std::function<void(MeasureRequest&)>& change) {
        auto request = m_models.measureRequest("bad");
        change(request);
        const auto found = Comparison(columns).measure(request, {}, kGoesOn);
        if (!found) return found.sentence();
        std::string problems;
        for (const auto& each : found->columns) problems += each.problem;
        return problems;
    };
    const auto other = m_models.write("other2.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"b", "a", "c", "d", "ab", "<e>", "f", "g"}));
    const auto larger = m_models.write("larger.gguf", TinyModel().key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "ab", "<e>", "f", "g", "h"}));
    const auto broken = m_models.write("broken.gguf", TinyModel().filled("output.weight", {32, 8}, std::numeric_limits<float>::quiet_NaN()).filled("token_embd.weight", {32, 8}, 1.0f));
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine)}, [](MeasureRequest& r) { r.text = "a"; }), "at least 32"));
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine)}, [](MeasureRequest& r) { r.text = someText(30); }), "at least 32"));
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine)}, [](MeasureRequest& r) { r.context = 80; r.text = someText(400); }), "trained for"));
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine), m_models.column(other)}, [](MeasureRequest&) {}), "token 0 is \"b\""));
    QVERIFY(!sentenceOf({m_models.column(m_models.fine), m_models.column(larger)}, [](MeasureRequest&) {}).empty());
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine), m_models.column(m_models.place("absent.gguf"))}, [](MeasureRequest&) {}), "absent.gguf"));
    QVERIFY(has(sentenceOf({m_models.column(m_models.place("absent.gguf")), m_models.column(m_models.fine)}, [](MeasureRequest&) {}), "absent.gguf"));
    QVERIFY(has(sentenceOf({m_models.column(broken), m_models.column(m_models.fine)}, [](MeasureRequest&) {}), "no numbers"));
    QVERIFY(has(sentenceOf({m_models.column(m_models.fine), m_models.column(broken)}, [](MeasureRequest&) {}), "no numbers"));
    auto shorter = m_models.column(m_models.fine);
    shorter.load.contextLength = 8;
    QVERIFY(has(sentenceOf({m_models.column(m_models.coarse), shorter}, [](MeasureRequest&) {}), "shorter than the windows"));
}

void TestMeasurement::nothingIsLeftBehind() {
    const auto broken = m_models.write("broken2.gguf", TinyModel().filled("output.weight", {32, 8}, std::numeric_limits<float>::quiet_NaN()).filled("token_embd.weight", {32, 8}, 1.0f));
    const auto request = m_models.measureRequest("clean");
    QVERIFY(!Comparison({m_models.column(broken), m_models.column(m_models.fine)}).measure(request, {}, kGoesOn).ok());
    QCOMPARE(keptMeasurementsBytes(request.folder), uint64_t(0));
    // A folder that cannot be made.
    auto impossible = request;
    impossible.folder = m_models.fine / "folder";
    QVERIFY(has(Comparison({m_models.column(m_models.fine)}).measure(impossible, {}, kGoesOn).sentence(), "cannot be written"));
}

QTEST_GUILESS_MAIN(TestMeasurement)
#include "test_measurement.moc"
