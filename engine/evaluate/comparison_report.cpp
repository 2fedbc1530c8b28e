#include "engine/evaluate/comparison_report.h"

#include "engine/format/readable.h"
#include "engine/waiting_engine.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

// What files keep numbers in before anybody quantizes them.
bool isOriginal(const std::string& quantization) {
    return quantization == "F32" || quantization == "F16" || quantization == "BF16" || quantization == "F64";
}

void addFacts(ReportColumn& column, const ModelFacts& facts) {
    if (facts.architecture.empty()) return;
    column.model = facts.name;
    column.architecture = facts.architecture;
    column.quantization = facts.quantization;
    column.parameters = facts.parameters;
    column.fileBytes = facts.fileBytes;
    column.bitsPerWeight = facts.bitsPerWeight;
    if (facts.contextLength) column.contextLength = facts.contextLength;
    if (facts.kvBytesPerToken) column.kvBytesPerToken = facts.kvBytesPerToken;
    if (!facts.deviceId.empty()) column.device = facts.deviceId;
}

void addMemory(ReportColumn& column, const MemoryUse& memory) {
    if (memory.totalBytes() == 0) return;
    column.weightsBytes = memory.weightsBytes + memory.draftBytes;
    column.kvBytes = memory.kvUsedBytes + memory.kvCachedBytes + memory.kvReservedBytes;
    column.computeBytes = memory.computeBytes;
}

std::optional<double> ratio(double part, double whole) {
    if (!(part > 0) || !(whole > 0)) return std::nullopt;
    return part / whole;
}

std::string lastMessage(const Prompt& prompt) {
    switch (prompt.kind) {
    case Prompt::Kind::Messages: return prompt.messages.empty() ? std::string() : prompt.messages.back().content;
    case Prompt::Kind::Text: return prompt.text;
    case Prompt::Kind::Ids: return {};
    }
    return {};
}

} // namespace

bool ReportReference::isQuantized() const { return !quantization.empty() && !isOriginal(quantization); }

ComparisonReport reportOf(const std::vector<ComparisonColumn>& columns, const ComparisonPlan& plan) {
    ComparisonReport report;
    std::vector<ModelFacts> facts;
    for (const auto& own : plan.columns) facts.push_back(own.facts);
    const auto named = nameColumns(columns, facts);
    const auto differing = differingTraits(columns, facts);
    for (size_t i = 0; i < named.size(); ++i) {
        ReportColumn& column = report.columns.emplace_back();
        const ColumnPlan own = i < plan.columns.size() ? plan.columns[i] : ColumnPlan();
        column.name = named[i].name;
        column.file = pathText(named[i].load.path.filename());
        column.differs = differing[i];
        column.kvTypes = traitOf(named[i], own.facts, ColumnTrait::KvTypes);
        column.speculation = traitOf(named[i], own.facts, ColumnTrait::Speculation);
        column.fillerTokens = named[i].fillerTokens;
        column.device = own.memory.deviceId.empty() ? named[i].load.device : own.memory.deviceId;
        column.contextLength = own.memory.contextLength ? own.memory.contextLength : named[i].load.contextLength;
        column.weightsBytes = own.memory.weightsBytes;
        column.kvBytes = own.memory.kvBytes;
        column.computeBytes = own.memory.computeBytes;
        for (const auto& kind : own.memory.kinds) column.kvBytesPerToken += kind.bytesPerToken;
        addFacts(column, own.facts);
        column.problem = own.problem;
    }
    return report;
}

void addAnswers(ComparisonReport& report, const AnswerRequest& request, const std::vector<ColumnAnswer>& answers) {
    if (!request.prompts.empty()) report.prompt = lastMessage(request.prompts.front());
    report.temperature = request.sampling.temperature;
    for (size_t i = 0; i < answers.size() && i < report.columns.size(); ++i) {
        ReportColumn& column = report.columns[i];
        const ColumnAnswer& answer = answers[i];
        addFacts(column, answer.facts);
        addMemory(column, answer.memory);
        if (answer.reason == StopReason::Failed) {
            if (!answer.problem.empty()) column.problem = answer.problem;
            continue;
        }
        const GenerationStatistics& statistics = answer.statistics;
        report.seed = statistics.seed;
        column.answer = ReportAnswer{answer.text, statistics.promptTokens, statistics.generatedTokens, stopReasonName(answer.reason)};
        if (!(statistics.decodeTokensPerSecond > 0)) continue; // too short to have a speed
        ReportSpeed speed;
        speed.besideOthers = answer.besideOthers;
        speed.prefillTokensPerSecond = statistics.prefillTokensPerSecond;
        speed.decodeTokensPerSecond = statistics.decodeTokensPerSecond;
        speed.ttftMs = statistics.ttftMs;
        if (answer.ids.size() > 1) speed.itlP50Ms = statistics.itlP50Ms, speed.itlP95Ms = statistics.itlP95Ms;
        speed.loadMs = answer.loadMs;
        if (statistics.speculation.guessed > 0) speed.acceptedShare = double(statistics.speculation.accepted) / statistics.speculation.guessed;
        column.speed = speed;
    }
}

void addSpeeds(ComparisonReport& report, const std::vector<ColumnSpeed>& speeds) {
    for (size_t i = 0; i < speeds.size() && i < report.columns.size(); ++i) {
        ReportColumn& column = report.columns[i];
        if (!speeds[i].problem.empty()) {
            column.problem = speeds[i].problem;
            continue;
        }
        addFacts(column, speeds[i].facts);
        addMemory(column, speeds[i].memory);
        ReportSpeed speed = column.speed.value_or(ReportSpeed());
        speed.source = ReportSpeed::Source::Benchmark;
        speed.besideOthers = false;
        speed.prefillTokensPerSecond = speeds[i].prefillTokensPerSecond;
        speed.decodeTokensPerSecond = speeds[i].decodeTokensPerSecond;
        speed.loadMs = speeds[i].loadMs;
        column.speed = speed;
    }
}

void addMeasurement(ComparisonReport& report, const Measurement& measurement, const std::string& textName) {
    ReportReference reference;
    reference.name = measurement.referenceName;
    reference.quantization = measurement.reference.facts.quantization;
    reference.bitsPerWeight = measurement.reference.facts.bitsPerWeight;
    reference.column = measurement.referenceColumn;
    if (measurement.reference.quality) reference.quality = *measurement.reference.quality;
    if (reference.column && *reference.column < report.columns.size()) {
        reference.name = report.columns[*reference.column].name;
        report.baseColumn = *reference.column;
    }
    report.text = ReportText{textName, reference.quality.tokens, measurement.context, measurement.windows, measurement.referenceBytes, measurement.keptMass};
    report.reference = std::move(reference);
    for (size_t i = 0; i < measurement.columns.size() && i < report.columns.size(); ++i) {
        report.columns[i].quality = measurement.columns[i].quality;
        if (!measurement.columns[i].problem.empty()) report.columns[i].problem = measurement.columns[i].problem;
    }
}

void addSameText(ComparisonReport& report, const SameText& sameText) {
    for (size_t i = 0; i < sameText.columns.size() && i < report.columns.size(); ++i) {
        if (sameText.columns[i].tokens.empty()) continue;
        report.columns[i].sameTextKl = sameText.columns[i].meanKl;
        report.columns[i].sameTextPerplexity = sameText.columns[i].perplexity;
        report.columns[i].sameTextTopShare = sameText.columns[i].topShare;
    }
}

ColumnRatios ratiosOf(const ComparisonReport& report, size_t column) {
    ColumnRatios ratios;
    const ReportColumn& own = report.columns[column];
    if (report.baseColumn < report.columns.size()) {
        const ReportColumn& base = report.columns[report.baseColumn];
        ratios.fileBytes = ratio(static_cast<double>(own.fileBytes), static_cast<double>(base.fileBytes));
        ratios.memoryBytes = ratio(static_cast<double>(own.memoryBytes()), static_cast<double>(base.memoryBytes()));
        if (own.speed && base.speed && own.speed->source == base.speed->source) {
            ratios.prefillSpeed = ratio(own.speed->prefillTokensPerSecond, base.speed->prefillTokensPerSecond);
            ratios.decodeSpeed = ratio(own.speed->decodeTokensPerSecond, base.speed->decodeTokensPerSecond);
        }
    }
    if (own.quality && report.reference) {
        ratios.perplexityLossPercent = (own.quality->perplexityRatio - 1) * 100;
        ratios.perplexityLossErrorPercent = own.quality->perplexityRatioError * 100;
        ratios.sameTopLossPercent = (1 - own.quality->sameTop) * 100;
    }
    return ratios;
}

std::optional<ExpectedLoss> expectedLossOf(const ReportColumn& column) {
    const auto& name = column.quantization;
    const size_t digit = name.find_first_of("0123456789");
    if (digit == std::string::npos || isOriginal(name)) return std::nullopt;
    if (name[digit] == '8') return ExpectedLoss{0, 0.5};
    if (name[digit] == '4') return ExpectedLoss{1, 3};
    return std::nullopt;
}

std::vector<PlotPoint> qualityAgainstSize(const ComparisonReport& report) {
    std::vector<PlotPoint> points;
    for (size_t i = 0; i < report.columns.size(); ++i)
        if (const auto& quality = report.columns[i].quality) points.push_back({i, static_cast<double>(report.columns[i].fileBytes), quality->meanKl, quality->klError});
    return points;
}

std::vector<PlotPoint> speedAgainstSize(const ComparisonReport& report) {
    std::vector<PlotPoint> points;
    for (size_t i = 0; i < report.columns.size(); ++i)
        if (const auto& speed = report.columns[i].speed) points.push_back({i, static_cast<double>(report.columns[i].fileBytes), speed->decodeTokensPerSecond, 0});
    return points;
}

} // namespace steelyard
