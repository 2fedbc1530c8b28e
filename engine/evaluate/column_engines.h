// The engines of a comparison's columns: which is loaded, and who has to leave before the next one comes.
//
// One call at a time. An engine that is given out stays loaded until the next call. Knows nothing of what columns are asked.
#pragma once

#include "engine/evaluate/comparison_data.h"
#include "engine/waiting_engine.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace steelyard {

class ColumnEngines {
public:
    ColumnEngines(std::vector<ComparisonColumn> columns, LogSink log);

    const std::vector<ComparisonColumn>& columns() const { return m_columns; }
    const ComparisonPlan& plan();

    // The column with its model loaded as it says.
    Result<WaitingEngine*> ready(size_t column, const std::function<void(float)>& loading, const std::atomic<bool>& cancelled);
    // The column with its model loaded for windows of `context` tokens, one sequence at a time.
    Result<WaitingEngine*> readyForWindows(size_t column, uint32_t context, const std::function<void(float)>& loading, const std::atomic<bool>& cancelled);
    // The same of a model that is no column; all columns leave before.
    Result<WaitingEngine*> readyBeside(const ComparisonColumn& other, uint32_t context, const std::function<void(float)>& loading,
                                       const std::atomic<bool>& cancelled);
    void unload();

    // `wanted` (empty = all), those first that need no load.
    std::vector<size_t> inOrder(const std::vector<size_t>& wanted);
    bool isTogether() { return plan().order == ComparisonPlan::Order::Together; }

private:
    struct Place {
        std::unique_ptr<WaitingEngine> engine;
        bool forWindows = false;
        bool isReady() const { return engine && engine->isLoaded(); }
    };
    Result<WaitingEngine*> load(Place& place, const LoadRequest& request, bool forWindows, const std::function<void(float)>& loading,
                                const std::atomic<bool>& cancelled);
    Result<void> makeRoomFor(const Place& place, size_t column);

    std::vector<ComparisonColumn> m_columns;
    LogSink m_log;
    std::optional<ComparisonPlan> m_plan;
    std::vector<Place> m_places;
    Place m_beside;
};

} // namespace steelyard
