#include "engine/evaluate/column_engines.h"

#include "engine/evaluate/comparison.h"

#include <algorithm>
#include <cassert>

namespace steelyard {

namespace {

Result<LoadRequest> windowsRequest(const ComparisonColumn& column, uint32_t context) {
    LoadRequest request = column.load;
    if (request.contextLength > 0 && request.contextLength < context)
        return Error{"Its context of " + std::to_string(request.contextLength) + " tokens is shorter than the windows of " + std::to_string(context) +
                     " tokens that are measured."};
    request.contextLength = context;
    request.parallel = 1;
    request.draft.clear(); // guesses change no probability
    request.predictor = false;
    request.prefillDevice.clear();
    return request;
}

} // namespace

ColumnEngines::ColumnEngines(std::vector<ComparisonColumn> columns, LogSink log) : m_columns(std::move(columns)), m_log(std::move(log)), m_places(m_columns.size()) {
    assert(!m_columns.empty() && m_columns.size() <= kMostColumns);
}

const ComparisonPlan& ColumnEngines::plan() {
    if (!m_plan) m_plan = planComparison(m_columns);
    return *m_plan;
}

Result<void> ColumnEngines::makeRoomFor(const Place& place, size_t column) {
    if (!plan().columns[column].problem.empty()) return Error{plan().columns[column].problem};
    m_beside.engine.reset();
    for (auto& other : m_places)
        if (&other != &place && !isTogether()) other.engine.reset();
    return {};
}

Result<WaitingEngine*> ColumnEngines::load(Place& place, const LoadRequest& request, bool forWindows, const std::function<void(float)>& loading,
                                           const std::atomic<bool>& cancelled) {
    if (!place.engine) place.engine = std::make_unique<WaitingEngine>(m_log);
    if (const auto loaded = place.engine->load(request, loading, &cancelled); !loaded) {
        place.engine.reset();
        return loaded.error();
    }
    place.forWindows = forWindows;
    return place.engine.get();
}

Result<WaitingEngine*> ColumnEngines::ready(size_t column, const std::function<void(float)>& loading, const std::atomic<bool>& cancelled) {
    Place& place = m_places[column];
    if (auto room = makeRoomFor(place, column); !room) return room.error();
    if (place.isReady() && !place.forWindows) return place.engine.get();
    return load(place, m_columns[column].load, false, loading, cancelled);
}

Result<WaitingEngine*> ColumnEngines::readyForWindows(size_t column, uint32_t context, const std::function<void(float)>& loading,
                                                      const std::atomic<bool>& cancelled) {
    Place& place = m_places[column];
    const auto request = windowsRequest(m_columns[column], context);
    if (!request) return request.error();
    if (auto room = makeRoomFor(place, column); !room) return room.error();
    if (place.isReady() && place.engine->facts().contextLength >= context) return place.engine.get();
    return load(place, *request, true, loading, cancelled);
}

Result<WaitingEngine*> ColumnEngines::readyBeside(const ComparisonColumn& other, uint32_t context, const std::function<void(float)>& loading,
                                                  const std::atomic<bool>& cancelled) {
    const auto request = windowsRequest(other, context);
    if (!request) return request.error();
    unload();
    return load(m_beside, *request, true, loading, cancelled);
}

void ColumnEngines::unload() {
    for (auto& place : m_places) place.engine.reset();
    m_beside.engine.reset();
}

std::vector<size_t> ColumnEngines::inOrder(const std::vector<size_t>& wanted) {
    std::vector<size_t> order;
    const auto isWanted = [&](size_t column) { return wanted.empty() || std::find(wanted.begin(), wanted.end(), column) != wanted.end(); };
    for (const bool loaded : {true, false})
        for (size_t column = 0; column < m_columns.size(); ++column)
            if (isWanted(column) && (!isTogether() && m_places[column].isReady()) == loaded) order.push_back(column);
    return order;
}

} // namespace steelyard
