// Quality of columns on a text, against a reference that need not be loaded beside them: perplexity, divergence, agreement, and how
// sure these figures are.
//
// The reference's distributions are computed once and kept in a file, and what was found of each window in files beside it, so that
// work that was broken off goes on where it was. A file that is damaged, or of another model, text, context or setting, is made anew.
// The rules are those of perplexity.h; divergences come from stored distributions (compact_distribution.h) and are lower bounds of
// the exact ones, by less than a hundredth where the tail allows it.
#pragma once

#include "engine/evaluate/comparison_data.h"

#include <filesystem>
#include <functional>

namespace steelyard {

struct MeasureRequest {
    std::string text;
    uint32_t context = 512;                    // tokens of a window
    size_t reference = 0;                      // a column ...
    std::optional<ComparisonColumn> otherReference; // ... or a model that is none of them, for instance the file in F16
    std::vector<size_t> columns;               // that are measured; empty = all
    std::filesystem::path folder;              // where distributions and results are kept; empty = nothing is kept beyond the call
    // Of the reference's file, where less room keeps fewer entries of each distribution; and of all that is kept in the folder, where
    // what was used longest ago leaves.
    uint64_t mostBytes = 2'000'000'000;
};

// Said before anything is loaded.
struct MeasurePlan {
    uint64_t textTokens = 0, scoredTokens = 0; // by the reference's vocabulary
    size_t windows = 0;
    uint32_t mostEntries = 0;                  // of a distribution that are kept
    uint64_t mostBytes = 0;                    // that the reference's file takes at most
    size_t referenceWindowsDone = 0;           // that an earlier run left
    std::vector<size_t> columnWindowsDone;
    std::vector<std::string> problems;         // of each column, why it cannot be measured: a vocabulary that differs and the like
};

struct MeasureProgress {
    enum class Stage { Loading, Reference, Column } stage = Stage::Loading;
    size_t column = 0;                         // of Stage::Column; with Loading, the one that is loaded, or kMostColumns for the reference
    size_t windows = 0, allWindows = 0;        // of this stage
    double fraction = 0;                       // of the whole measurement
    double perplexity = 0;                     // so far, of this stage
    std::optional<double> secondsLeft;         // of the whole measurement, about
};
using MeasureCallback = std::function<void(const MeasureProgress&)>;

// Everything in nats; errors are standard errors of the figure before them.
struct Quality {
    uint64_t tokens = 0;                       // scored
    double perplexity = 0, perplexityError = 0;
    double perplexityRatio = 1, perplexityRatioError = 0; // to the reference's, from differences token by token
    double meanKl = 0, klError = 0;            // KL(reference || column)
    double medianKl = 0, klP99 = 0, maxKl = 0;
    double sameTop = 0, sameTopError = 0;      // share of tokens at which both think the same one most probable
    double meanChange = 0, meanChangeError = 0, changeDeviation = 0; // log-probability of the token that came, column minus reference; and its standard deviation
    bool isReference = false;
};

struct MeasuredColumn {
    std::optional<Quality> quality;            // nothing where it was not asked for, or with a problem
    ModelFacts facts;
    std::string problem;
};
struct Measurement {
    std::vector<MeasuredColumn> columns;
    MeasuredColumn reference;                  // also where it is a column
    std::optional<size_t> referenceColumn;     // the column that it is
    std::string referenceName;
    uint32_t context = 0;
    size_t windows = 0;
    uint64_t referenceBytes = 0;               // of the file of its distributions
    bool referenceWasKept = false;             // all of it came from an earlier run
    double keptMass = 0;                       // mean share of the probability that the kept entries hold
    double seconds = 0;
};

// The error is one of the text or of the reference; a column's own stands in `problems`.
Result<MeasurePlan> planMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request);

// Bytes of all that is kept in a folder; removes it.
uint64_t keptMeasurementsBytes(const std::filesystem::path& folder);
void removeKeptMeasurements(const std::filesystem::path& folder);

} // namespace steelyard
