// Events on their way to the client. Text that is not fetched is joined and progress replaced, so that the box stays
// small however slowly the client reads. Any thread.
#pragma once

#include "engine/event.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <mutex>
#include <vector>

namespace steelyard {

class EventOutbox {
public:
    explicit EventOutbox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    void push(Event event) {
        {
            std::lock_guard lock(m_mutex);
            if (m_events.empty() || !joined(m_events.back(), event)) m_events.push_back(std::move(event));
        }
        m_filled.notify_all();
        if (m_wake) m_wake();
    }

    std::vector<Event> takeAll() {
        std::lock_guard lock(m_mutex);
        return std::move(m_events);
    }

    std::vector<Event> waitFor(std::chrono::milliseconds timeout) {
        std::unique_lock lock(m_mutex);
        m_filled.wait_for(lock, timeout, [&] { return !m_events.empty(); });
        return std::move(m_events);
    }

private:
    // Puts `event` into `last` where both are of one kind and one request.
    static bool joined(Event& last, Event& event) {
        if (auto *a = std::get_if<TextDelta>(&last), *b = std::get_if<TextDelta>(&event); a && b && a->id == b->id) {
            a->text += b->text;
            a->ids.insert(a->ids.end(), b->ids.begin(), b->ids.end());
            a->timesMs.insert(a->timesMs.end(), b->timesMs.begin(), b->timesMs.end());
            std::move(b->logprobs.begin(), b->logprobs.end(), std::back_inserter(a->logprobs));
            return true;
        }
        if (auto *a = std::get_if<PromptProgress>(&last), *b = std::get_if<PromptProgress>(&event); a && b && a->id == b->id) {
            *a = *b;
            return true;
        }
        if (auto *a = std::get_if<LoadProgress>(&last), *b = std::get_if<LoadProgress>(&event); a && b && a->model == b->model) {
            *a = *b;
            return true;
        }
        return false;
    }

    std::function<void()> m_wake;
    std::mutex m_mutex;
    std::condition_variable m_filled;
    std::vector<Event> m_events;
};

} // namespace steelyard
