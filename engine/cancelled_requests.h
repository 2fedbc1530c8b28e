// The requests that somebody cancelled and the engine thread has not ended yet: the one word that reaches it within a step.
//
// Clients add from their threads, the engine thread asks while a step runs and removes when it comes to the command. Knows nothing
// of replies or devices.
#pragma once

#include "engine/request.h"

#include <mutex>
#include <unordered_set>

namespace steelyard {

class CancelledRequests {
public:
    void add(RequestId id) {
        std::lock_guard lock(m_mutex);
        m_ids.insert(id);
    }
    void remove(RequestId id) {
        std::lock_guard lock(m_mutex);
        m_ids.erase(id);
    }
    bool contains(RequestId id) const {
        std::lock_guard lock(m_mutex);
        return m_ids.count(id) > 0;
    }

private:
    mutable std::mutex m_mutex;
    std::unordered_set<RequestId> m_ids;
};

} // namespace steelyard
