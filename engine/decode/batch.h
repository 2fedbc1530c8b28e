// The replies that run at once: each call of advance() is one step on the device with rows of several of them.
//
// What a reply gives does not depend on who else is in the batch. When the cache has no room for all, of the lowest class the
// youngest gives its place back and reads again later. When a device runs out of memory, one reply ends and the others start again.
// Used by the engine thread, which reads its commands between two steps.
#pragma once

#include "engine/decode/reply.h"
#include "engine/scheduler/scheduler.h"
#include "engine/scheduler/waiting.h"

#include <functional>
#include <memory>
#include <vector>

namespace steelyard {

class Batch {
public:
    // Replies that may run at once: as many as have a window and a state of their own.
    void setPlaces(size_t places) { m_places = places; }
    // Asked in the middle of a step; the step ends there when all whose rows are in it were cancelled.
    void setCancelled(std::function<bool(RequestId)> cancelled) { m_cancelled = std::move(cancelled); }

    bool empty() const { return m_replies.empty() && m_aside.empty(); }
    bool full() const { return m_replies.size() >= m_places; }
    size_t size() const { return m_replies.size(); }

    void add(std::unique_ptr<Reply> reply) { m_replies.push_back(std::move(reply)); }
    // Where it is full: whether one of a lower class was put aside, or ended if it only read ahead. Those put aside go on, before others are
    // added, as soon as there is a place again.
    bool makePlace(const Claim& claim);
    // Takes up who was put aside, as far as there are places.
    void resume();
    bool anyAside() const { return !m_aside.empty(); }
    // Ends the reading ahead for a chat that now asks in earnest; what was read is reused.
    void endReadingAhead(uint64_t chat);
    // One step; replies that are done leave.
    void advance(Transformer& transformer);
    // Ends a reply; false when none has this id.
    bool cancel(RequestId id);
    void cancelAll();

    double decodeTokensPerSecond() const; // of all together
    double promptRowMs() const { return m_scheduler.promptRowMs(); }
    uint32_t contextUsed() const { return m_replies.empty() ? 0 : m_replies.back()->contextUsed(); } // of the youngest

private:
    void guessAhead(Transformer& transformer, std::vector<StepWish>& wishes);
    std::optional<size_t> givesWayTo(size_t index) const;
    bool reserve(size_t index, StepPlan& plan);
    void failStep(const StepPlan& plan, const std::string& sentence);
    void run(Transformer& transformer, const StepPlan& plan);
    bool nobodyWants(const StepPlan& plan) const;
    bool removeDone();

    std::vector<std::unique_ptr<Reply>> m_replies; // oldest first
    std::vector<std::unique_ptr<Reply>> m_aside;   // gave their places to others
    size_t m_places = kDefaultParallel;
    std::function<bool(RequestId)> m_cancelled;
    Scheduler m_scheduler;
    bool m_roomCame = true; // since those that wait were asked
};

} // namespace steelyard
