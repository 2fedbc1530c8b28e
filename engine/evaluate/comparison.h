// Two to four columns side by side: each is a way to run a model (another quantization, another model, another type of cache, another
// context, with guesses ahead or without), and all are given the same prompt, the same answer or the same text.
//
// Each column has an engine of its own. Where all fit into memory they stay loaded; else one leaves before the next is loaded, and
// nothing but what they said is kept. A column that fails says why in its own `problem`, and the others go on. The calls wait for
// their answer, on any one thread at a time; callbacks come on that thread or on another while it waits, never two at once;
// `cancelled` ends the work within a step. Knows nothing of windows and of what is stored.
#pragma once

#include "engine/engine.h"
#include "engine/evaluate/comparison_data.h"
#include "engine/evaluate/measurement.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace steelyard {

// What is told while the calls work; each may be empty.
struct ComparisonCallbacks {
    std::function<void(size_t column, float fraction)> loading;
    std::function<void(size_t column, const ModelFacts&)> loaded;
    std::function<void(size_t column, const PromptProgress&)> promptProgressed;
    std::function<void(size_t column, const TextDelta&)> textArrived; // in order within a column
    std::function<void(size_t column, const ColumnAnswer&)> answered; // the column's last
    std::function<void(size_t column, const ForcedColumn&)> forced;   // the column's last
};

// Says what the columns take and whether they fit together, from the files' heads alone. A column that cannot be loaded has a
// `problem`; the rest is planned without it.
ComparisonPlan planComparison(const std::vector<ComparisonColumn>& columns);

class Comparison {
public:
    // `columns`: at least one, at most kMostColumns; their LoadRequest::model is chosen here. Loads nothing yet.
    explicit Comparison(std::vector<ComparisonColumn> columns, LogSink log = {});
    ~Comparison(); // frees all engines

    const std::vector<ComparisonColumn>& columns() const;
    // The plan that the calls follow; made once.
    const ComparisonPlan& plan();

    // One answer of each column. The error is one of the whole request (cancelled, no column left); what columns had said until
    // then was told by the callbacks.
    Result<std::vector<ColumnAnswer>> answer(const AnswerRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled);

    // One answer forced through all columns.
    Result<SameText> sameText(const SameTextRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled);

    // Speed by the rules of `steelyard-cli bench`, one column after the other: no tokenizing or sampling in the figures.
    Result<std::vector<ColumnSpeed>> measureSpeed(const SpeedRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled);

    // Quality on a text, one column after the other. See measurement.h.
    Result<Measurement> measure(const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled);

    // Frees the engines of all columns; the next call loads again.
    void unload();

private:
    class Implementation;
    std::unique_ptr<Implementation> m_implementation;
};

} // namespace steelyard
