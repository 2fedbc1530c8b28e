// Comparisons of columns as the window sees them: the calls of steelyard::Comparison, and the making of levels, behind an
// interface, so that the client and the page can be tested with answers by script.
//
// Invariant: every call waits for its answer. Knows nothing of Qt and adds no meaning of its own: each function is the function of
// the same name in engine/evaluate/comparison.h, measurement.h or engine/engine.h.
#pragma once

#include "gui/engine_client/engine_port.h"

#include "engine/evaluate/answer_differences.h"
#include "engine/evaluate/comparison.h"
#include "engine/evaluate/comparison_report.h"
#include "engine/evaluate/report_files.h"

namespace steelyard {

class ComparisonPort {
public:
    virtual ~ComparisonPort() = default;

    // --- Any thread.
    virtual ComparisonPlan plan(const std::vector<ComparisonColumn>& columns) const = 0;
    virtual Result<MeasurePlan> planMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request) const = 0;
    virtual Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& path) const = 0;
    virtual Result<QuantizeResult> quantize(const QuantizeRequest& request, const std::function<void(float)>& progress,
                                            const std::atomic<bool>& cancelled) const = 0;

    // --- One thread at a time.
    // The columns of the calls that follow; what is loaded stays where they are the same as before.
    virtual void setColumns(const std::vector<ComparisonColumn>& columns) = 0;
    virtual Result<std::vector<ColumnAnswer>> answer(const AnswerRequest& request, const ComparisonCallbacks& callbacks,
                                                     const std::atomic<bool>& cancelled) = 0;
    virtual Result<SameText> sameText(const SameTextRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) = 0;
    virtual Result<std::vector<ColumnSpeed>> measureSpeed(const SpeedRequest& request, const ComparisonCallbacks& callbacks,
                                                          const std::atomic<bool>& cancelled) = 0;
    virtual Result<Measurement> measure(const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled) = 0;
    virtual void unload() = 0;
};

using ComparisonFactory = std::function<std::unique_ptr<ComparisonPort>()>;

// The factory of the real comparison.
ComparisonFactory realComparison(LogSink log);

} // namespace steelyard
