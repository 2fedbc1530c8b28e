// A comparison as a document: what follows from its numbers, and what its files say.
#include "engine/evaluate/report_files.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>

using namespace steelyard;
using Json = nlohmann::ordered_json;

namespace {

Quality qualityOf(double kl, double ratio) {
    Quality quality;
    quality.tokens = 20000;
    quality.perplexity = 10 * ratio;
    quality.perplexityError = 0.2;
    quality.perplexityRatio = ratio;
    quality.perplexityRatioError = 0.001;
    quality.meanKl = kl;
    quality.klError = kl / 50;
    quality.medianKl = kl / 3;
    quality.klP99 = kl * 9;
    quality.maxKl = kl * 30;
    quality.sameTop = 1 - kl;
    quality.sameTopError = 0.002;
    quality.meanChange = -std::log(ratio);
    quality.changeDeviation = 0.3;
    return quality;
}

ReportSpeed speedOf(double decode) {
    ReportSpeed speed;
    speed.prefillTokensPerSecond = decode * 10;
    speed.decodeTokensPerSecond = decode;
    speed.ttftMs = 1000 / decode;
    return speed;
}

// F16 as the reference, and three levels of it.
ComparisonReport levels() {
    ComparisonReport report;
    report.title = "Levels of a model";
    report.created = "2026-05-01T10:00:00Z";
    report.prompt = "Which level, \"this\" or that?\nSay, why.";
    report.seed = 7;
    const auto add = [&](const std::string& name, uint64_t bytes, double decode, double kl, double ratio) {
        ReportColumn& column = report.columns.emplace_back();
        column.name = name;
        column.file = name + ".gguf";
        column.quantization = name;
        column.architecture = "llama";
        column.kvTypes = "f16";
        column.fileBytes = bytes;
        column.weightsBytes = bytes;
        column.bitsPerWeight = static_cast<double>(bytes) / 62.5e6;
        column.differs = {{ColumnTrait::Quantization, name}};
        column.speed = speedOf(decode);
        column.quality = qualityOf(kl, ratio);
        column.answer = ReportAnswer{"Because, \"well\",\n\xC3\xA9 | yes", 12, 34, "end_token"};
    };
    add("F16", 1'000'000'000, 10, 0, 1);
    report.columns[0].quality->isReference = true;
    add("Q8_0", 530'000'000, 14, 0.004, 1.002);
    add("Q4_K_M", 300'000'000, 16, 0.06, 1.02);
    add("Q2_K", 200'000'000, 18, 0.6, 1.4);
    report.reference = ReportReference{"F16", "F16", 16, 0, *report.columns[0].quality};
    report.text = ReportText{"wiki.txt", 20000, 512, 79, 12'000'000, 0.996};
    return report;
}

const VerdictPart* partOf(const std::vector<VerdictPart>& parts, VerdictPart::Kind kind, const std::string& name = {}) {
    for (const auto& part : parts)
        if (part.kind == kind && (name.empty() || part.name == name)) return &part;
    return nullptr;
}

std::string verdictText(const ComparisonReport& report) {
    std::string text;
    for (const auto& part : verdictOf(report)) text += sentenceOf(part) + "\n";
    return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The cells of a CSV text by RFC 4180.
std::vector<std::vector<std::string>> cellsOf(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') rows.back().back() += text[++i];
        else if (c == '"') quoted = !quoted;
        else if (!quoted && c == ',') rows.back().emplace_back();
        else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') rows.emplace_back(1), ++i;
        else rows.back().back() += c;
    }
    rows.pop_back(); // behind the last line end
    return rows;
}

using Kind = VerdictPart::Kind;

} // namespace

class TestComparisonReport : public QObject {
    Q_OBJECT

private slots:
    void ratiosAreToTheBase();
    void publishedLosses();
    void theVerdictNamesTheSmallestGoodLevel();
    void theVerdictSaysWhatIsNoise();
    void theVerdictHoldsLossesAgainstWhatIsPublished();
    void aQuantizedReferenceIsNamed();
    void columnsThatFailedAreNamed();
    void speedAloneHasAVerdict();
    void plotsHoldWhatWasMeasured();
    void reportsAreBuiltFromResults();
    void reportsSayInWhatColumnsDiffer_data();
    void reportsSayInWhatColumnsDiffer();
    void jsonComesBack();
    void jsonThatIsNoReport();
    void csvIsReadByOthers();
    void markdownHasEveryColumn();
    void filesAreWrittenWhole();
};

void TestComparisonReport::ratiosAreToTheBase() {
    const auto report = levels();
    const auto ratios = ratiosOf(report, 2);
    QCOMPARE(*ratios.fileBytes, 0.3);
    QCOMPARE(*ratios.decodeSpeed, 1.6);
    QVERIFY(std::abs(*ratios.perplexityLossPercent - 2) < 1e-9 && std::abs(*ratios.perplexityLossErrorPercent - 0.1) < 1e-9);
    QVERIFY(std::abs(*ratios.sameTopLossPercent - 6) < 1e-9);
    auto without = report;
    without.columns[2].quality.reset();
    without.columns[2].speed.reset();
    QVERIFY(!ratiosOf(without, 2).decodeSpeed && !ratiosOf(without, 2).perplexityLossPercent);
    without.columns[1].speed->source = ReportSpeed::Source::Benchmark; // not measured the same way
    QVERIFY(!ratiosOf(without, 1).decodeSpeed);
}

void TestComparisonReport::publishedLosses() {
    const auto of = [](const char* quantization) {
        ReportColumn column;
        column.quantization = quantization;
        return expectedLossOf(column);
    };
    QCOMPARE(of("Q8_0")->mostPercent, 0.5);
    for (const char* four : {"Q4_K_M", "Q4_0", "IQ4_XS", "MXFP4", "NVFP4"}) QCOMPARE(of(four)->mostPercent, 3.0);
    for (const char* other : {"F16", "BF16", "Q6_K", "Q2_K", "IQ3_S", ""}) QVERIFY2(!of(other), other);
}

void TestComparisonReport::theVerdictNamesTheSmallestGoodLevel() {
    const auto report = levels();
    const std::string text = verdictText(report);
    QVERIFY2(has(text, "Q4_K_M is the smallest level below 0.1 nats."), text.c_str());
    QVERIFY2(has(text, "Q4_K_M: 0.06 nats from F16, 30 % of the memory, 1.6 times as fast."), text.c_str());
    QVERIFY2(has(text, "Q8_0: 0.0040 nats from F16, half the memory, 1.4 times as fast."), text.c_str());
    QCOMPARE(partOf(verdictOf(report), Kind::SmallestGood)->column, size_t(2));
    QVERIFY(!partOf(verdictOf(report), Kind::Against, "F16"));
    auto strict = report;
    strict.goodKl = 0.001;
    QVERIFY(has(verdictText(strict), "No level stays below 0.001 nats."));
}

void TestComparisonReport::theVerdictSaysWhatIsNoise() {
    auto report = levels();
    QVERIFY(!partOf(verdictOf(report), Kind::NotTellable) && !partOf(verdictOf(report), Kind::ShortText));
    report.columns[1].quality->klError = 0.05;
    QVERIFY(partOf(verdictOf(report), Kind::NotTellable));
    report.text->tokens = 1500;
    QVERIFY(has(verdictText(report), "Only 1500 tokens were scored"));
}

void TestComparisonReport::theVerdictHoldsLossesAgainstWhatIsPublished() {
    auto report = levels();
    const auto parts = verdictOf(report);
    QCOMPARE(partOf(parts, Kind::AsExpected, "Q8_0")->limit, 0.5);
    QVERIFY(std::abs(*partOf(parts, Kind::AsExpected, "Q4_K_M")->lossPercent - 2) < 1e-9);
    QVERIFY(!partOf(parts, Kind::AsExpected, "Q2_K") && !partOf(parts, Kind::MoreThanExpected));
    report.columns[1].quality->perplexityRatio = 1.02;
    QVERIFY(partOf(verdictOf(report), Kind::MoreThanExpected, "Q8_0"));
    report.columns[1].quality->perplexityRatioError = 0.02; // which may be noise
    QVERIFY(!partOf(verdictOf(report), Kind::MoreThanExpected));
}

void TestComparisonReport::aQuantizedReferenceIsNamed() {
    auto report = levels();
    QVERIFY(!report.reference->isQuantized() && !partOf(verdictOf(report), Kind::ReferenceQuantized));
    report.reference->name = report.reference->quantization = "Q6_K";
    const auto parts = verdictOf(report);
    QVERIFY(report.reference->isQuantized() && partOf(parts, Kind::ReferenceQuantized));
    QVERIFY(has(verdictText(report), "The reference Q6_K is itself quantized"));
    QVERIFY(!partOf(parts, Kind::AsExpected)); // what is published is against the original
}

void TestComparisonReport::columnsThatFailedAreNamed() {
    auto report = levels();
    report.columns[3].quality.reset();
    report.columns[3].problem = "It does not fit.";
    QVERIFY(has(verdictText(report), "Q2_K could not be compared: It does not fit."));
}

void TestComparisonReport::speedAloneHasAVerdict() {
    auto report = levels();
    report.reference.reset();
    report.text.reset();
    for (auto& column : report.columns) column.quality.reset();
    const std::string text = verdictText(report);
    QVERIFY2(has(text, "Q4_K_M: 30 % of the memory of F16, 1.6 times as fast."), text.c_str());
}

void TestComparisonReport::plotsHoldWhatWasMeasured() {
    auto report = levels();
    report.columns[3].speed.reset();
    QCOMPARE(qualityAgainstSize(report).size(), size_t(4));
    QCOMPARE(speedAgainstSize(report).size(), size_t(3));
    QCOMPARE(qualityAgainstSize(report)[2].x, 3e8);
    QCOMPARE(qualityAgainstSize(report)[2].y, 0.06);
    QVERIFY(qualityAgainstSize(report)[2].yError > 0);
}

void TestComparisonReport::reportsAreBuiltFromResults() {
    std::vector<ComparisonColumn> columns(2);
    ComparisonPlan plan;
    plan.columns.resize(2);
    for (size_t i = 0; i < 2; ++i) {
        plan.columns[i].facts.architecture = "llama";
        plan.columns[i].facts.quantization = i ? "Q4_0" : "F16";
        plan.columns[i].facts.fileBytes = i ? 300 : 1000;
        plan.columns[i].memory.kvBytes = 50;
        columns[i].load.path = "folder/model.gguf";
    }
    auto report = reportOf(columns, plan);
    QCOMPARE(report.columns[1].name, std::string("Q4_0"));
    QCOMPARE(report.columns[1].file, std::string("model.gguf"));
    QCOMPARE(report.columns[1].kvBytes, uint64_t(50));
    AnswerRequest request;
    request.prompts.resize(1);
    request.prompts[0].text = "why";
    std::vector<ColumnAnswer> answers(2);
    answers[0].reason = StopReason::TokenLimit;
    answers[0].text = "so";
    answers[0].ids = {1, 2};
    answers[0].statistics.decodeTokensPerSecond = 5;
    answers[0].statistics.itlP95Ms = 200;
    answers[0].statistics.speculation.guessed = 4;
    answers[0].statistics.speculation.accepted = 3;
    answers[0].memory.weightsBytes = 900;
    answers[1].problem = "It is gone.";
    addAnswers(report, request, answers);
    QCOMPARE(report.prompt, std::string("why"));
    QCOMPARE(report.columns[0].answer->stopReason, std::string("token_limit"));
    QCOMPARE(*report.columns[0].speed->acceptedShare, 0.75);
    QCOMPARE(*report.columns[0].speed->itlP95Ms, 200.0);
    QCOMPARE(report.columns[0].weightsBytes, uint64_t(900));
    QCOMPARE(report.columns[1].problem, std::string("It is gone."));
    Measurement measurement;
    measurement.columns.resize(2);
    measurement.columns[1].quality = qualityOf(0.05, 1.01);
    measurement.referenceColumn = 0;
    measurement.reference.quality = qualityOf(0, 1);
    measurement.reference.facts.quantization = "F16";
    addMeasurement(report, measurement, "text");
    QCOMPARE(report.reference->name, std::string("F16"));
    QCOMPARE(report.columns[1].quality->meanKl, 0.05);
    std::vector<ColumnSpeed> speeds(2);
    speeds[1].decodeTokensPerSecond = 9;
    addSpeeds(report, speeds);
    QCOMPARE(report.columns[1].speed->source, ReportSpeed::Source::Benchmark);
    SameText same;
    same.columns.resize(2);
    same.columns[1].tokens.resize(1);
    same.columns[1].meanKl = 0.25;
    addSameText(report, same);
    QVERIFY(!report.columns[0].sameTextKl && *report.columns[1].sameTextKl == 0.25);
}

void TestComparisonReport::reportsSayInWhatColumnsDiffer_data() {
    QTest::addColumn<int>("trait");
    QTest::addColumn<QString>("text");
    QTest::newRow("type of the cache") << int(ColumnTrait::KvTypes) << "KV q8_0";
    QTest::newRow("context") << int(ColumnTrait::Context) << "8192 tokens";
    QTest::newRow("history") << int(ColumnTrait::Filler) << "8000 tokens before";
    QTest::newRow("guesses") << int(ColumnTrait::Speculation) << "guesses: lookup, at most 8";
    QTest::newRow("device") << int(ColumnTrait::Device) << "cpu";
}

void TestComparisonReport::reportsSayInWhatColumnsDiffer() {
    QFETCH(int, trait);
    QFETCH(QString, text);
    std::vector<ComparisonColumn> columns(2);
    for (auto& column : columns) column.load.path = "model.gguf";
    switch (static_cast<ColumnTrait>(trait)) {
    case ColumnTrait::KvTypes: columns[1].load.kvTypeK = columns[1].load.kvTypeV = TensorType::Q8_0; break;
    case ColumnTrait::Context: columns[1].load.contextLength = 8192; break;
    case ColumnTrait::Filler: columns[1].fillerTokens = 8000; break;
    case ColumnTrait::Speculation: columns[1].speculation.lookup = true; break;
    case ColumnTrait::Device: columns[1].load.device = "cpu"; break;
    default: QFAIL("no such row");
    }
    const auto report = reportOf(columns, {});
    QCOMPARE(report.columns[1].name, text.toStdString());
    QVERIFY(report.columns[0].name != report.columns[1].name);
    QCOMPARE(report.columns[1].differs.size(), size_t(1));
    QCOMPARE(int(report.columns[1].differs[0].trait), trait);
    QVERIFY(has(markdownOf(report), report.columns[1].name) && has(csvOf(report), report.columns[1].differs[0].value));
    const auto json = Json::parse(jsonOf(report));
    QCOMPARE(json["columns"][1]["differs"][0]["value"].get<std::string>(), report.columns[1].differs[0].value);
}

void TestComparisonReport::jsonComesBack() {
    auto report = levels();
    report.columns[1].speed->acceptedShare = 0.1 + 0.2; // a number without a short text
    report.columns[2].sameTextKl = 1e-7;
    report.columns[3].problem = "A tab\t, a quote \" and \xD1\x8F.";
    report.columns[3].answer.reset();
    report.columns[3].speed.reset();
    report.seed = UINT64_MAX;
    const std::string text = jsonOf(report);
    const auto read = reportFromJson(text);
    QVERIFY2(read.ok(), read.sentence().c_str());
    QCOMPARE(jsonOf(*read), text);
    QCOMPARE(read->columns[1].speed->acceptedShare, report.columns[1].speed->acceptedShare);
    QCOMPARE(read->columns[3].problem, report.columns[3].problem);
    QVERIFY(!read->columns[3].speed && !read->columns[3].answer);
    QCOMPARE(*read->seed, UINT64_MAX);
    QVERIFY(read->reference->column == size_t(0) && read->columns[0].quality->isReference);
    const auto json = Json::parse(text);
    QCOMPARE(json["columns"][2]["ratios"]["decode_speed"].get<double>(), 1.6);
    QVERIFY(json["verdict"].size() >= 4 && json["verdict"][0].contains("sentence"));
    // An empty one too.
    QVERIFY(reportFromJson(jsonOf({})).ok());
}

void TestComparisonReport::jsonThatIsNoReport() {
    for (const char* text : {"", "[]", "{", "{}", "{\"format\":\"other\"}", "{\"format\":7}"}) QVERIFY2(has(reportFromJson(text).sentence(), "no comparison report"), text);
    const auto with = [](const std::function<void(Json&)>& change) {
        Json json = Json::parse(jsonOf(levels()));
        change(json);
        return reportFromJson(json.dump()).sentence();
    };
    QVERIFY(has(with([](Json& j) { j["version"] = 99; }), "newer"));
    QVERIFY(has(with([](Json& j) { j["columns"][0]["file_bytes"] = -1; }), "file_bytes"));
    QVERIFY(has(with([](Json& j) { j["columns"][0]["context_length"] = 1e12; }), "context_length"));
    QVERIFY(has(with([](Json& j) { j["columns"][0]["context_length"] = uint64_t(1) << 40; }), "context_length"));
    QVERIFY(has(with([](Json& j) { j["columns"][0]["quality"] = "good"; }), "quality"));
    QVERIFY(has(with([](Json& j) { j["columns"][0]["differs"][0]["trait"] = "colour"; }), "trait"));
    QVERIFY(has(with([](Json& j) { j["columns"] = 3; }), "columns"));
    QVERIFY(has(with([](Json& j) { j["columns"] = Json(std::vector<Json>(1000, Json::object())); }), "columns"));
    QVERIFY(has(with([](Json& j) { j["base_column"] = 4; }), "not there"));
    QVERIFY(has(with([](Json& j) { j["reference"]["column"] = 9; }), "not there"));
    QVERIFY(with([](Json& j) { j["something"] = "new"; }).empty());
}

void TestComparisonReport::csvIsReadByOthers() {
    const auto report = levels();
    const auto rows = cellsOf(csvOf(report));
    QCOMPARE(rows.size(), report.columns.size() + 1);
    for (const auto& row : rows) QCOMPARE(row.size(), rows[0].size());
    const auto cell = [&](size_t column, const std::string& name) {
        return rows[column + 1][static_cast<size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin())];
    };
    QCOMPARE(cell(2, "mean_kl"), std::string("0.06"));
    QCOMPARE(cell(2, "answer"), report.columns[2].answer->text);
    QCOMPARE(cell(1, "file_bytes"), std::string("530000000"));
    QCOMPARE(cell(1, "problem"), std::string());
}

void TestComparisonReport::markdownHasEveryColumn() {
    const auto report = levels();
    const std::string text = markdownOf(report);
    for (const char* part : {"# Levels of a model", "| F16 | Q8_0 | Q4_K_M | Q2_K |", "0.06000", "\xC2\xB1", "1 to 3 %", "below 0.5 %", "> Say, why.", "wiki.txt", "2.00 \xC2\xB1 0.10 %"})
        QVERIFY2(has(text, part), part);
    QVERIFY(!has(text, "| Guesses accepted |")); // nothing was guessed
    auto odd = report;
    odd.columns[0].name = "a|b\nc";
    QVERIFY(has(markdownOf(odd), "a\\|b c"));
}

void TestComparisonReport::filesAreWrittenWhole() {
    QTemporaryDir folder;
    const std::filesystem::path place = folder.path().toStdString();
    for (const char* name : {"r.md", "r.csv", "r.json"}) {
        const auto written = writeReport(levels(), place / name);
        QVERIFY2(written.ok(), written.sentence().c_str());
        QVERIFY(std::filesystem::file_size(place / name) > 200);
    }
    QVERIFY(has(writeReport(levels(), place / "r.doc").sentence(), ".md, .csv or .json"));
    QVERIFY(has(writeReport(levels(), place / "absent" / "r.md").sentence(), "cannot be written"));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(place), {}), std::ptrdiff_t(3)); // and nothing else
}

QTEST_GUILESS_MAIN(TestComparisonReport)
#include "test_comparison_report.moc"
