// A comparison as a document: what the columns are, how fast, how good, and what follows from it. Plain data that stands on its own,
// so that it can be stored, opened again, drawn and written out without any model.
//
// Only what was measured is kept; ratios, losses and the verdict are computed from it by the functions here, so that they cannot
// disagree with the numbers. What was not measured is absent, never 0. Knows nothing of engines at work and of how it is drawn.
#pragma once

#include "engine/evaluate/comparison_data.h"
#include "engine/evaluate/measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

struct ReportSpeed {
    enum class Source : int { Answer = 0, Benchmark = 1 } source = Source::Answer;
    bool besideOthers = false; // measured while others worked too
    double prefillTokensPerSecond = 0, decodeTokensPerSecond = 0;
    std::optional<double> ttftMs, itlP50Ms, itlP95Ms; // of an answer
    std::optional<double> loadMs;
    std::optional<double> acceptedShare;              // of tokens guessed ahead
};

struct ReportAnswer {
    std::string text;
    uint32_t promptTokens = 0, tokens = 0;
    std::string stopReason; // "end_token", "token_limit", ...: as the command-line client names it
};

struct ReportColumn {
    std::string name, file;                  // the file's name without its folder
    std::vector<TraitValue> differs;         // in what it differs from the other columns
    std::string model, architecture, quantization, kvTypes, speculation, device;
    uint64_t parameters = 0, fileBytes = 0;
    double bitsPerWeight = 0;
    uint32_t contextLength = 0, fillerTokens = 0;
    uint64_t weightsBytes = 0, kvBytes = 0, computeBytes = 0; // kv: what is reserved for the context
    uint64_t kvBytesPerToken = 0;
    std::optional<ReportSpeed> speed;
    std::optional<ReportAnswer> answer;
    std::optional<Quality> quality;
    std::optional<double> sameTextKl, sameTextPerplexity, sameTextTopShare;
    std::string problem;

    uint64_t memoryBytes() const { return weightsBytes + kvBytes + computeBytes; }
};

// What qualities are measured against. A column, or a model beside them.
struct ReportReference {
    std::string name, quantization;
    double bitsPerWeight = 0;
    std::optional<size_t> column;
    Quality quality;                // its own perplexity
    bool isQuantized() const;       // losses of the columns come on top of its own
};

struct ReportText {
    std::string name;               // of the text that was measured on; may be empty
    uint64_t tokens = 0;            // scored
    uint32_t context = 0;
    size_t windows = 0;
    uint64_t referenceBytes = 0;
    double keptMass = 0;
};

struct ComparisonReport {
    std::string title, created;     // created: ISO 8601, as the caller writes it
    std::string prompt;             // the last message, in words
    std::optional<uint64_t> seed;
    double temperature = 0;
    std::vector<ReportColumn> columns;
    std::optional<ReportReference> reference;
    std::optional<ReportText> text;
    double goodKl = 0.1;            // nats: a loss below this is called small
    size_t baseColumn = 0;          // ratios of speed and bytes are to this one; the reference where it is a column
};

// --- Building it.
ComparisonReport reportOf(const std::vector<ComparisonColumn>& columns, const ComparisonPlan& plan);
void addAnswers(ComparisonReport& report, const AnswerRequest& request, const std::vector<ColumnAnswer>& answers);
void addSpeeds(ComparisonReport& report, const std::vector<ColumnSpeed>& speeds);
void addMeasurement(ComparisonReport& report, const Measurement& measurement, const std::string& textName);
void addSameText(ComparisonReport& report, const SameText& sameText);

// --- What follows from it.
// Of a column to the base column (bytes, speeds) and to the reference (quality); absent where one of both was not measured.
struct ColumnRatios {
    std::optional<double> fileBytes, memoryBytes, prefillSpeed, decodeSpeed;
    std::optional<double> perplexityLossPercent, perplexityLossErrorPercent; // (ratio - 1) * 100: positive = worse
    std::optional<double> sameTopLossPercent;                                // (1 - sameTop) * 100
};
ColumnRatios ratiosOf(const ComparisonReport& report, size_t column);

// What is published of a level's loss in percent of perplexity against the original: 8 bit under 0.5, 4 bit from 1 to 3. Nothing for others.
struct ExpectedLoss {
    double leastPercent = 0, mostPercent = 0;
};
std::optional<ExpectedLoss> expectedLossOf(const ReportColumn& column);

// One point of a plot.
struct PlotPoint {
    size_t column = 0;
    double x = 0, y = 0, yError = 0;
};
std::vector<PlotPoint> qualityAgainstSize(const ComparisonReport& report); // x: bytes of the file, y: mean KL in nats
std::vector<PlotPoint> speedAgainstSize(const ComparisonReport& report);   // x: bytes of the file, y: tokens per second of decode

// --- The verdict: sentences as data, most important first.
struct VerdictPart {
    enum class Kind : int {
        Against = 0,            // `column` is `kl` nats from the reference, takes `memoryRatio` of the base's memory, is `speedRatio` times as fast
        SmallestGood = 1,       // `column` is the smallest whose KL is below `limit`
        NoneGood = 2,           // no column is below `limit`
        NotTellable = 3,        // `column` and `other` differ by less than the errors of their figures: the text is too short to tell them apart
        MoreThanExpected = 4,   // `column` loses `lossPercent`, and `limit` is published as the most for its level
        AsExpected = 5,         // `column` loses `lossPercent` (below 0 it gains), which is within what is published, at most `limit`
        ReferenceQuantized = 6, // the reference `name` is itself quantized (`otherName`: "Q8_0"): losses come on top of its own
        ShortText = 7,          // only `limit` tokens were scored: the figures are rough
        Failed = 8,             // `column` could not be compared; `otherName` is the sentence why
    };
    Kind kind = Kind::Against;
    size_t column = 0, other = 0;
    std::string name, otherName; // of `column`, and of what it is compared with, unless the kind says otherwise
    std::optional<double> kl, memoryRatio, speedRatio, lossPercent, limit;
};
std::vector<VerdictPart> verdictOf(const ComparisonReport& report);
// In English: "Q4_K_M: 0.06 nats from the original, half the memory, 1.6 times as fast."
std::string sentenceOf(const VerdictPart& part);

} // namespace steelyard
