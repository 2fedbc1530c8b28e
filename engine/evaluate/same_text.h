// One answer forced through the columns, one after the other: what each thinks of every token, and how far it is from the reference
// where the vocabularies are one. The reference is read first. Knows nothing of who is loaded when.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/evaluate/comparison_data.h"
#include "engine/evaluate/compact_distribution.h"
#include "engine/waiting_engine.h"

#include <atomic>

namespace steelyard {

class SameTextReader {
public:
    // Both must outlive it.
    SameTextReader(const std::vector<ComparisonColumn>& columns, const SameTextRequest& request);

    // Reads a column whose model is loaded; a failure becomes its problem.
    void read(size_t column, WaitingEngine& engine, const std::atomic<bool>& cancelled);
    void fail(size_t column, const std::string& sentence) { m_result.columns[column].problem = sentence; }

    const SameText& result() const { return m_result; }

private:
    struct Text {
        std::vector<int32_t> ids; // prompt and answer
        size_t answerFrom = 0;
    };
    Result<Text> textOf(size_t column, WaitingEngine& engine) const;
    Result<void> readRows(size_t column, WaitingEngine& engine, const std::atomic<bool>& cancelled);
    ForcedToken tokenOf(const RowDistribution& row, int32_t next) const;
    static void sumUp(ForcedColumn& column);

    const std::vector<ComparisonColumn>& m_columns;
    const SameTextRequest& m_request;
    SameText m_result;
    std::vector<int32_t> m_referenceIds; // of the answer
    CacheKey m_referenceWords, m_idsWords;
    std::vector<CompactDistribution> m_reference; // of each token of the answer
};

} // namespace steelyard
