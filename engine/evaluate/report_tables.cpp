// A report as Markdown and CSV, and into a file (report_files.h).
#include "engine/core/bytes_text.h"
#include "engine/evaluate/number_text.h"
#include "engine/evaluate/report_files.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>

namespace steelyard {

namespace {

std::string fixed(double value, int digits) { return fixedText(value, digits); }
std::string fixed(const std::optional<double>& value, int digits) { return value ? fixed(*value, digits) : std::string(); }
std::string percent(const std::optional<double>& value, int digits) { return value ? fixed(*value, digits) + " %" : std::string(); }
std::string withError(double value, double error, int digits) { return fixed(value, digits) + " ± " + fixed(error, digits); }

// Of a divergence: enough places for the smallest levels.
std::string klText(double kl) { return fixed(kl, kl < 0.1 ? 5 : 4); }

// Text inside a cell of a Markdown table.
std::string cell(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '|' || c == '\\') safe += '\\';
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

struct Row {
    const char* name;
    std::function<std::string(const ComparisonReport&, size_t)> value;
};

template <class Value>
Row qualityRow(const char* name, Value value) {
    return {name, [value](const ComparisonReport& report, size_t i) {
                const auto& quality = report.columns[i].quality;
                return quality ? value(*quality) : std::string();
            }};
}
template <class Value>
Row speedRow(const char* name, Value value) {
    return {name, [value](const ComparisonReport& report, size_t i) {
                const auto& speed = report.columns[i].speed;
                return speed ? value(*speed) : std::string();
            }};
}
template <class Value>
Row ratioRow(const char* name, Value value) {
    return {name, [value](const ComparisonReport& report, size_t i) { return value(ratiosOf(report, i)); }};
}
template <class Value>
Row columnRow(const char* name, Value value) {
    return {name, [value](const ComparisonReport& report, size_t i) { return value(report.columns[i]); }};
}

std::string bytesOrNothing(uint64_t bytes) { return bytes ? bytesText(bytes) : std::string(); }

std::vector<Row> rowsForPeople() {
    return {
        columnRow("File", [](const ReportColumn& c) { return c.file; }),
        columnRow("Quantization", [](const ReportColumn& c) { return c.quantization; }),
        columnRow("File size", [](const ReportColumn& c) { return bytesOrNothing(c.fileBytes); }),
        columnRow("Bits per weight", [](const ReportColumn& c) { return c.bitsPerWeight > 0 ? fixed(c.bitsPerWeight, 2) : std::string(); }),
        columnRow("Weights in memory", [](const ReportColumn& c) { return bytesOrNothing(c.weightsBytes); }),
        columnRow("KV cache", [](const ReportColumn& c) { return c.kvBytes ? bytesText(c.kvBytes) + " (" + c.kvTypes + ", " + std::to_string(c.contextLength) + " tokens)" : std::string(); }),
        columnRow("Device", [](const ReportColumn& c) { return c.device; }),
        columnRow("Guesses ahead", [](const ReportColumn& c) { return c.speculation; }),
        ratioRow("Size ratio", [](const ColumnRatios& r) { return fixed(r.fileBytes, 3); }),
        speedRow("Prefill, tokens/s", [](const ReportSpeed& s) { return fixed(s.prefillTokensPerSecond, 1); }),
        speedRow("Decode, tokens/s", [](const ReportSpeed& s) { return fixed(s.decodeTokensPerSecond, 1); }),
        ratioRow("Decode speed ratio", [](const ColumnRatios& r) { return fixed(r.decodeSpeed, 2); }),
        speedRow("First character, ms", [](const ReportSpeed& s) { return fixed(s.ttftMs, 0); }),
        speedRow("Between tokens p50 / p95, ms", [](const ReportSpeed& s) { return s.itlP50Ms ? fixed(s.itlP50Ms, 1) + " / " + fixed(s.itlP95Ms, 1) : std::string(); }),
        speedRow("Guesses accepted", [](const ReportSpeed& s) { return s.acceptedShare ? percent(*s.acceptedShare * 100, 0) : std::string(); }),
        qualityRow("Perplexity", [](const Quality& q) { return withError(q.perplexity, q.perplexityError, 4); }),
        {"Perplexity loss", [](const ComparisonReport& report, size_t i) {
             const ColumnRatios r = ratiosOf(report, i);
             return r.perplexityLossPercent ? withError(*r.perplexityLossPercent, *r.perplexityLossErrorPercent, 2) + " %" : std::string();
         }},
        columnRow("Published loss of this level", [](const ReportColumn& c) {
            const auto expected = expectedLossOf(c);
            if (!expected) return std::string();
            return expected->leastPercent > 0 ? fixed(expected->leastPercent, 0) + " to " + fixed(expected->mostPercent, 0) + " %" : "below " + fixed(expected->mostPercent, 1) + " %";
        }),
        qualityRow("Mean KL, nats", [](const Quality& q) { return q.isReference ? std::string("reference") : klText(q.meanKl) + " ± " + klText(q.klError); }),
        qualityRow("Median KL", [](const Quality& q) { return klText(q.medianKl); }),
        qualityRow("99 % of KL below", [](const Quality& q) { return klText(q.klP99); }),
        qualityRow("Same top token", [](const Quality& q) { return withError(q.sameTop * 100, q.sameTopError * 100, 2) + " %"; }),
        qualityRow("Change of log-probability", [](const Quality& q) { return withError(q.meanChange, q.meanChangeError, 4) + ", deviation " + fixed(q.changeDeviation, 4); }),
        columnRow("Same answer: KL, nats", [](const ReportColumn& c) { return c.sameTextKl ? klText(*c.sameTextKl) : std::string(); }),
        columnRow("Same answer: perplexity", [](const ReportColumn& c) { return fixed(c.sameTextPerplexity, 3); }),
        columnRow("Problem", [](const ReportColumn& c) { return c.problem; }),
    };
}

std::string exact(double value) { return exactText(value); }
std::string exact(const std::optional<double>& value) { return value ? exact(*value) : std::string(); }
std::string count(uint64_t value) { return std::to_string(value); }

std::vector<Row> rowsForPrograms() {
    return {
        columnRow("name", [](const ReportColumn& c) { return c.name; }),
        columnRow("file", [](const ReportColumn& c) { return c.file; }),
        columnRow("model", [](const ReportColumn& c) { return c.model; }),
        columnRow("architecture", [](const ReportColumn& c) { return c.architecture; }),
        columnRow("quantization", [](const ReportColumn& c) { return c.quantization; }),
        columnRow("kv_type", [](const ReportColumn& c) { return c.kvTypes; }),
        columnRow("speculation", [](const ReportColumn& c) { return c.speculation; }),
        columnRow("device", [](const ReportColumn& c) { return c.device; }),
        columnRow("context_length", [](const ReportColumn& c) { return count(c.contextLength); }),
        columnRow("filler_tokens", [](const ReportColumn& c) { return count(c.fillerTokens); }),
        columnRow("parameters", [](const ReportColumn& c) { return count(c.parameters); }),
        columnRow("file_bytes", [](const ReportColumn& c) { return count(c.fileBytes); }),
        columnRow("bits_per_weight", [](const ReportColumn& c) { return exact(c.bitsPerWeight); }),
        columnRow("weights_bytes", [](const ReportColumn& c) { return count(c.weightsBytes); }),
        columnRow("kv_bytes", [](const ReportColumn& c) { return count(c.kvBytes); }),
        columnRow("compute_bytes", [](const ReportColumn& c) { return count(c.computeBytes); }),
        columnRow("kv_bytes_per_token", [](const ReportColumn& c) { return count(c.kvBytesPerToken); }),
        speedRow("prefill_tokens_per_second", [](const ReportSpeed& s) { return exact(s.prefillTokensPerSecond); }),
        speedRow("decode_tokens_per_second", [](const ReportSpeed& s) { return exact(s.decodeTokensPerSecond); }),
        speedRow("ttft_ms", [](const ReportSpeed& s) { return exact(s.ttftMs); }),
        speedRow("itl_p50_ms", [](const ReportSpeed& s) { return exact(s.itlP50Ms); }),
        speedRow("itl_p95_ms", [](const ReportSpeed& s) { return exact(s.itlP95Ms); }),
        speedRow("load_ms", [](const ReportSpeed& s) { return exact(s.loadMs); }),
        ratioRow("file_bytes_ratio", [](const ColumnRatios& r) { return exact(r.fileBytes); }),
        ratioRow("memory_ratio", [](const ColumnRatios& r) { return exact(r.memoryBytes); }),
        ratioRow("decode_speed_ratio", [](const ColumnRatios& r) { return exact(r.decodeSpeed); }),
        qualityRow("tokens", [](const Quality& q) { return count(q.tokens); }),
        qualityRow("perplexity", [](const Quality& q) { return exact(q.perplexity); }),
        qualityRow("perplexity_error", [](const Quality& q) { return exact(q.perplexityError); }),
        ratioRow("perplexity_loss_percent", [](const ColumnRatios& r) { return exact(r.perplexityLossPercent); }),
        ratioRow("perplexity_loss_error_percent", [](const ColumnRatios& r) { return exact(r.perplexityLossErrorPercent); }),
        qualityRow("mean_kl", [](const Quality& q) { return exact(q.meanKl); }),
        qualityRow("mean_kl_error", [](const Quality& q) { return exact(q.klError); }),
        qualityRow("kl_median", [](const Quality& q) { return exact(q.medianKl); }),
        qualityRow("kl_p99", [](const Quality& q) { return exact(q.klP99); }),
        qualityRow("kl_max", [](const Quality& q) { return exact(q.maxKl); }),
        qualityRow("same_top", [](const Quality& q) { return exact(q.sameTop); }),
        qualityRow("same_top_error", [](const Quality& q) { return exact(q.sameTopError); }),
        qualityRow("mean_change", [](const Quality& q) { return exact(q.meanChange); }),
        qualityRow("change_deviation", [](const Quality& q) { return exact(q.changeDeviation); }),
        columnRow("same_text_kl", [](const ReportColumn& c) { return exact(c.sameTextKl); }),
        columnRow("answer", [](const ReportColumn& c) { return c.answer ? c.answer->text : std::string(); }),
        columnRow("problem", [](const ReportColumn& c) { return c.problem; }),
    };
}

// RFC 4180: quotes around what holds a comma, a quote or a line end; quotes inside doubled.
std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string quotedBlock(const std::string& text) {
    std::string block = "> ";
    for (const char c : text) {
        if (c == '\r') continue;
        block += c;
        if (c == '\n') block += "> ";
    }
    return block + "\n";
}

std::string tableOf(const ComparisonReport& report) {
    std::string text = "| |";
    for (const auto& column : report.columns) text += " " + cell(column.name) + " |";
    text += "\n|---|";
    for (size_t i = 0; i < report.columns.size(); ++i) text += "---|";
    text += "\n";
    for (const auto& row : rowsForPeople()) {
        std::string line = std::string("| ") + row.name + " |";
        bool isEmpty = true;
        for (size_t i = 0; i < report.columns.size(); ++i) {
            const std::string value = row.value(report, i);
            isEmpty = isEmpty && value.empty();
            line += " " + cell(value) + " |";
        }
        if (!isEmpty) text += line + "\n";
    }
    return text;
}

std::string conditionsOf(const ComparisonReport& report) {
    std::string text;
    if (report.reference) {
        text += "Quality is measured against " + report.reference->name;
        if (!report.reference->quantization.empty()) text += " (" + report.reference->quantization + ", " + fixed(report.reference->bitsPerWeight, 2) + " bits per weight)";
        text += ", whose perplexity is " + withError(report.reference->quality.perplexity, report.reference->quality.perplexityError, 4) + ".\n";
    }
    if (report.text) {
        text += "Text: " + (report.text->name.empty() ? std::string() : report.text->name + ", ") + std::to_string(report.text->tokens) + " tokens scored in " +
                std::to_string(report.text->windows) + " windows of " + std::to_string(report.text->context) + "; the second half of each window counts. The reference's distributions took " +
                bytesText(report.text->referenceBytes) + " and hold " + fixed(report.text->keptMass * 100, 2) + " % of the probability.\n";
        text += "Figures behind ± are standard errors. Divergences are KL(reference || column) in nats, lower bounds from stored distributions.\n";
    }
    if (report.seed) text += "Answers: seed " + std::to_string(*report.seed) + ", temperature " + fixed(report.temperature, 2) + ".\n";
    const bool crowded = std::any_of(report.columns.begin(), report.columns.end(), [](const auto& c) { return c.speed && c.speed->besideOthers; });
    if (crowded) text += "The columns answered at the same time, which makes each slower than it is alone.\n";
    return text;
}

} // namespace

std::string markdownOf(const ComparisonReport& report) {
    std::string text = "# " + (report.title.empty() ? std::string("Comparison") : report.title) + "\n\n";
    if (!report.created.empty()) text += report.created + "\n\n";
    for (const auto& part : verdictOf(report)) text += "- " + sentenceOf(part) + "\n";
    text += "\n" + tableOf(report) + "\n" + conditionsOf(report);
    if (!report.prompt.empty()) text += "\n## Prompt\n\n" + quotedBlock(report.prompt);
    for (const auto& column : report.columns)
        if (column.answer) text += "\n## " + column.name + "\n\n" + quotedBlock(column.answer->text);
    return text;
}

std::string csvOf(const ComparisonReport& report) {
    const auto rows = rowsForPrograms();
    std::string text;
    for (size_t i = 0; i < rows.size(); ++i) text += (i ? "," : "") + std::string(rows[i].name);
    text += "\r\n";
    for (size_t column = 0; column < report.columns.size(); ++column) {
        for (size_t i = 0; i < rows.size(); ++i) text += (i ? "," : "") + csvCell(rows[i].value(report, column));
        text += "\r\n";
    }
    return text;
}

Result<void> writeReport(const ComparisonReport& report, const std::filesystem::path& path) {
    const std::string ending = pathText(path.extension());
    std::string text;
    if (ending == ".md") text = markdownOf(report);
    else if (ending == ".csv") text = csvOf(report);
    else if (ending == ".json") text = jsonOf(report);
    else return Error{"A report's name ends with .md, .csv or .json, and not with \"" + ending + "\"."};
    // Whole or not at all: written beside it, then named.
    auto beside = path;
    beside += ".part" + std::to_string(std::random_device()());
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    std::error_code problem;
    if (file) std::filesystem::rename(beside, path, problem);
    if (file && !problem) return {};
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return Error{"The report cannot be written to " + quotedText(pathText(path)) + ": the folder is not writable or the disk is full."};
}

} // namespace steelyard
