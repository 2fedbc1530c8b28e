#include "gui/engine_client/comparison_port.h"

#include <sstream>
#include <utility>

namespace steelyard {
namespace {

// What a column's engine is loaded by, and what its requests carry.
std::string keyOf(const std::vector<ComparisonColumn>& columns) {
    std::ostringstream key;
    for (const ComparisonColumn& column : columns) {
        const LoadRequest& load = column.load;
        key << load.path.u8string().size() << ' ' << load.path.string() << ' ' << load.device << ' ' << load.contextLength << ' ' << int(load.kvTypeK) << ' '
            << int(load.kvTypeV) << ' ' << load.kvRotation << ' ' << load.threads << ' ' << load.maxRows << ' ' << load.draft.string() << ' ' << load.predictor
            << ' ' << load.parallel << ' ' << load.memoryLimitBytes << ' ' << column.speculation.lookup << column.speculation.draft << ' '
            << column.speculation.mostTokens << ' ' << column.fillerTokens << '\n';
    }
    return key.str();
}

class RealComparison final : public ComparisonPort {
public:
    explicit RealComparison(LogSink log) : m_log(std::move(log)) {}

    ComparisonPlan plan(const std::vector<ComparisonColumn>& columns) const override { return planComparison(columns); }
    Result<MeasurePlan> planMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request) const override {
        return steelyard::planMeasurement(columns, request);
    }
    Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& path) const override { return Engine::quantizedSizes(path); }
    Result<QuantizeResult> quantize(const QuantizeRequest& request, const std::function<void(float)>& progress,
                                    const std::atomic<bool>& cancelled) const override {
        return Engine::quantize(request, progress, cancelled);
    }
    void setColumns(const std::vector<ComparisonColumn>& columns) override {
        const std::string key = keyOf(columns);
        if (m_comparison && key == m_key) return;
        m_comparison.reset(); // before the next ones are loaded
        m_comparison = std::make_unique<Comparison>(columns, m_log);
        m_key = key;
    }
    Result<std::vector<ColumnAnswer>> answer(const AnswerRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) override {
        return m_comparison->answer(request, callbacks, cancelled);
    }
    Result<SameText> sameText(const SameTextRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) override {
        return m_comparison->sameText(request, callbacks, cancelled);
    }
    Result<std::vector<ColumnSpeed>> measureSpeed(const SpeedRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) override {
        return m_comparison->measureSpeed(request, callbacks, cancelled);
    }
    Result<Measurement> measure(const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled) override {
        return m_comparison->measure(request, progress, cancelled);
    }
    void unload() override { m_comparison.reset(); }

private:
    LogSink m_log;
    std::unique_ptr<Comparison> m_comparison;
    std::string m_key;
};

} // namespace

ComparisonFactory realComparison(LogSink log) {
    return [log = std::move(log)]() -> std::unique_ptr<ComparisonPort> { return std::make_unique<RealComparison>(log); };
}

} // namespace steelyard
