// What a measurement will do, from its request and the heads of the files: windows, reference, settings, the keys of its files, and why a
// column cannot be measured. The same for the plan that is shown and for the work. Knows nothing of engines at work.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/evaluate/compact_distribution.h"
#include "engine/evaluate/measurement.h"
#include "engine/evaluate/text_windows.h"

namespace steelyard {

struct MeasurementSetup {
    TextWindows windows;                // as the reference reads the text
    ComparisonColumn reference;
    std::optional<size_t> referenceColumn;
    uint32_t vocabulary = 0;            // logits in a row
    CompactOptions compact;
    CacheKey referenceKey;
    std::vector<CacheKey> columnKeys;
    std::vector<std::string> problems;  // of each column
    std::vector<bool> wanted;

    uint64_t scoredTokens() const { return uint64_t(windows.ids.size()) * windows.scoredRows(); }
    bool isMeasured(size_t column) const { return wanted[column] && problems[column].empty() && referenceColumn != column; }
};

Result<MeasurementSetup> setUpMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request);

} // namespace steelyard
