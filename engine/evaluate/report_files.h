// A comparison report as Markdown, CSV (RFC 4180, points for decimals) and JSON; and from JSON back, all that it holds.
//
// What is read is checked: a text that is no report gives an error that says so. Numbers are written so that they read back as they
// were. Knows nothing of how the report came to be.
#pragma once

#include "engine/core/result.h"
#include "engine/evaluate/comparison_report.h"

#include <filesystem>
#include <string>

namespace steelyard {

std::string markdownOf(const ComparisonReport& report);
std::string csvOf(const ComparisonReport& report); // one row for each column
std::string jsonOf(const ComparisonReport& report); // with ratios and the verdict, which reading leaves out
Result<ComparisonReport> reportFromJson(const std::string& json);

// By the ending of the name: .md, .csv or .json. The error names what is possible; nothing half-written stays.
Result<void> writeReport(const ComparisonReport& report, const std::filesystem::path& path);

} // namespace steelyard
