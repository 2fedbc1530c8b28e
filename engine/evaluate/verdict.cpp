// What follows from a report's numbers, as sentences (comparison_report.h).
#include "engine/evaluate/comparison_report.h"
#include "engine/evaluate/number_text.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

constexpr uint64_t kShortText = 5000; // scored tokens: below, errors of a few percent are usual
constexpr double kSure = 2;           // standard errors apart: about 95 of 100

using Kind = VerdictPart::Kind;

VerdictPart partOf(Kind kind, const ComparisonReport& report, size_t column) {
    VerdictPart part;
    part.kind = kind;
    part.column = column;
    part.name = report.columns[column].name;
    return part;
}

// Columns that were measured against the reference and are not it, smallest file first.
std::vector<size_t> measuredBySize(const ComparisonReport& report) {
    std::vector<size_t> columns;
    for (size_t i = 0; i < report.columns.size(); ++i)
        if (report.reference && report.columns[i].quality && !report.columns[i].quality->isReference) columns.push_back(i);
    std::stable_sort(columns.begin(), columns.end(), [&](size_t a, size_t b) { return report.columns[a].fileBytes < report.columns[b].fileBytes; });
    return columns;
}

void addAgainst(const ComparisonReport& report, std::vector<VerdictPart>& parts) {
    for (size_t i = 0; i < report.columns.size(); ++i) {
        const auto& quality = report.columns[i].quality;
        const bool isBase = i == report.baseColumn || (quality && quality->isReference);
        if (isBase && !(quality && !quality->isReference)) continue;
        const ColumnRatios ratios = ratiosOf(report, i);
        VerdictPart part = partOf(Kind::Against, report, i);
        if (report.reference) part.otherName = report.reference->name;
        else if (report.baseColumn < report.columns.size()) part.otherName = report.columns[report.baseColumn].name;
        if (quality) part.kl = quality->meanKl;
        if (i != report.baseColumn) part.memoryRatio = ratios.memoryBytes, part.speedRatio = ratios.decodeSpeed;
        if (part.kl || part.memoryRatio || part.speedRatio) parts.push_back(part);
    }
}

void addSmallest(const ComparisonReport& report, const std::vector<size_t>& bySize, std::vector<VerdictPart>& parts) {
    if (bySize.empty()) return;
    for (const size_t i : bySize) {
        if (report.columns[i].quality->meanKl >= report.goodKl) continue;
        parts.push_back(partOf(Kind::SmallestGood, report, i));
        parts.back().kl = report.columns[i].quality->meanKl;
        parts.back().limit = report.goodKl;
        return;
    }
    parts.push_back({});
    parts.back().kind = Kind::NoneGood;
    parts.back().limit = report.goodKl;
}

void addNotTellable(const ComparisonReport& report, const std::vector<size_t>& bySize, std::vector<VerdictPart>& parts) {
    for (size_t a = 0; a < bySize.size(); ++a)
        for (size_t b = a + 1; b < bySize.size(); ++b) {
            const Quality &one = *report.columns[bySize[a]].quality, &two = *report.columns[bySize[b]].quality;
            if (std::abs(one.meanKl - two.meanKl) > kSure * std::hypot(one.klError, two.klError)) continue;
            parts.push_back(partOf(Kind::NotTellable, report, bySize[a]));
            parts.back().other = bySize[b];
            parts.back().otherName = report.columns[bySize[b]].name;
        }
}

void addExpectations(const ComparisonReport& report, const std::vector<size_t>& bySize, std::vector<VerdictPart>& parts) {
    if (report.reference->isQuantized()) return; // what is published is against the original
    for (const size_t i : bySize) {
        const auto expected = expectedLossOf(report.columns[i]);
        if (!expected) continue;
        const ColumnRatios ratios = ratiosOf(report, i);
        const bool isMore = *ratios.perplexityLossPercent - kSure * *ratios.perplexityLossErrorPercent > expected->mostPercent;
        parts.push_back(partOf(isMore ? Kind::MoreThanExpected : Kind::AsExpected, report, i));
        parts.back().lossPercent = ratios.perplexityLossPercent;
        parts.back().limit = expected->mostPercent;
    }
}

// A divergence with two digits that say something, or four places.
std::string natsText(double kl) { return fixedText(kl, kl >= 0.01 ? 2 : 4) + " nats"; }

std::string memoryText(double ratio) {
    if (ratio > 0.45 && ratio < 0.55) return "half the memory";
    if (ratio > 0.22 && ratio < 0.28) return "a quarter of the memory";
    if (ratio > 0.97 && ratio < 1.03) return "the same memory";
    return ratio < 1 ? fixedText(ratio * 100, 0) + " % of the memory" : fixedText(ratio, 1) + " times the memory";
}

std::string speedText(double ratio) {
    if (ratio > 0.95 && ratio < 1.05) return "as fast";
    return fixedText(ratio, ratio < 1 ? 2 : 1) + " times as fast";
}

std::string againstText(const VerdictPart& part) {
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    if (part.kl) add(natsText(*part.kl) + " from " + part.otherName);
    if (part.memoryRatio) add(memoryText(*part.memoryRatio) + (part.kl ? "" : " of " + part.otherName));
    if (part.speedRatio) add(speedText(*part.speedRatio) + (text.empty() ? " as " + part.otherName : ""));
    return part.name + ": " + text + ".";
}

std::string perplexityText(const VerdictPart& part) {
    return part.name + ": perplexity is " + fixedText(std::abs(*part.lossPercent), 2) + " % " + (*part.lossPercent < 0 ? "lower" : "higher") + " than the reference's";
}

} // namespace

std::vector<VerdictPart> verdictOf(const ComparisonReport& report) {
    std::vector<VerdictPart> parts;
    const auto bySize = measuredBySize(report);
    addSmallest(report, bySize, parts);
    addAgainst(report, parts);
    if (report.reference) {
        addNotTellable(report, bySize, parts);
        addExpectations(report, bySize, parts);
        if (report.reference->isQuantized()) {
            VerdictPart part;
            part.kind = Kind::ReferenceQuantized;
            part.name = report.reference->name;
            part.otherName = report.reference->quantization;
            parts.push_back(part);
        }
        if (report.text && report.text->tokens < kShortText) {
            VerdictPart part;
            part.kind = Kind::ShortText;
            part.limit = static_cast<double>(report.text->tokens);
            parts.push_back(part);
        }
    }
    for (size_t i = 0; i < report.columns.size(); ++i)
        if (!report.columns[i].problem.empty()) {
            parts.push_back(partOf(Kind::Failed, report, i));
            parts.back().otherName = report.columns[i].problem;
        }
    return parts;
}

std::string sentenceOf(const VerdictPart& part) {
    switch (part.kind) {
    case Kind::Against: return againstText(part);
    case Kind::SmallestGood: return part.name + " is the smallest level below " + exactText(*part.limit) + " nats.";
    case Kind::NoneGood: return "No level stays below " + exactText(*part.limit) + " nats.";
    case Kind::NotTellable:
        return part.name + " and " + part.otherName + " cannot be told apart on this text: their divergences differ by less than the errors of the figures.";
    case Kind::MoreThanExpected:
        return perplexityText(part) + ", more than the " + exactText(*part.limit) + " % that are published as the most for its level.";
    case Kind::AsExpected: return perplexityText(part) + "; up to " + exactText(*part.limit) + " % are published for its level.";
    case Kind::ReferenceQuantized: return "The reference " + part.name + " is itself quantized (" + part.otherName + "): the losses come on top of its own.";
    case Kind::ShortText: return "Only " + fixedText(*part.limit, 0) + " tokens were scored: the figures are rough.";
    case Kind::Failed: return part.name + " could not be compared: " + part.otherName;
    }
    return {};
}

} // namespace steelyard
