// A queue between two threads that holds at most `capacity` items. Pushing never blocks the caller unless it asks to;
// closing wakes everybody. Any number of pushers and takers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace steelyard {

template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(size_t capacity) : m_capacity(capacity) {}

    // Appends; false when full or closed (the item is then untouched).
    bool tryPush(T& item) {
        {
            std::lock_guard lock(m_mutex);
            if (m_closed || m_items.size() >= m_capacity) return false;
            m_items.push_back(std::move(item));
        }
        m_filled.notify_one();
        return true;
    }
    bool tryPush(T&& item) { return tryPush(item); }

    // Appends, waiting for room; false when the queue was closed.
    bool push(T item) {
        {
            std::unique_lock lock(m_mutex);
            m_emptied.wait(lock, [&] { return m_closed || m_items.size() < m_capacity; });
            if (m_closed) return false;
            m_items.push_back(std::move(item));
        }
        m_filled.notify_one();
        return true;
    }

    // The oldest item, waiting at most `timeout`; nothing when time ran out or the queue is closed and empty.
    std::optional<T> takeFor(std::chrono::milliseconds timeout) {
        std::unique_lock lock(m_mutex);
        m_filled.wait_for(lock, timeout, [&] { return m_closed || !m_items.empty(); });
        return takeLocked();
    }

    // The oldest item, waiting for one; nothing when the queue is closed and empty.
    std::optional<T> take() {
        std::unique_lock lock(m_mutex);
        m_filled.wait(lock, [&] { return m_closed || !m_items.empty(); });
        return takeLocked();
    }

    // All items at once, without waiting.
    std::vector<T> takeAll() {
        std::vector<T> items;
        {
            std::lock_guard lock(m_mutex);
            items.assign(std::make_move_iterator(m_items.begin()), std::make_move_iterator(m_items.end()));
            m_items.clear();
        }
        m_emptied.notify_all();
        return items;
    }

    void close() {
        {
            std::lock_guard lock(m_mutex);
            m_closed = true;
        }
        m_filled.notify_all();
        m_emptied.notify_all();
    }

private:
    std::optional<T> takeLocked() {
        if (m_items.empty()) return std::nullopt;
        std::optional<T> item(std::move(m_items.front()));
        m_items.pop_front();
        m_emptied.notify_one();
        return item;
    }

    const size_t m_capacity;
    std::mutex m_mutex;
    std::condition_variable m_filled, m_emptied;
    std::deque<T> m_items;
    bool m_closed = false;
};

} // namespace steelyard
