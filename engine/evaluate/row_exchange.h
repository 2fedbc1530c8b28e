// Rows of logits on their way from the thread of one engine to that of another, which take turns: while one fills the
// exchange the other waits, and the other way round. So both work in the bytes of a few rows, however long the window, and
// never at once on one processor. Knows nothing of models.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace steelyard {

class RowExchange {
public:
    explicit RowExchange(size_t rows) : m_rows(rows) {}

    // A copy of the row; waits while the other side takes. Rows put after close() are dropped.
    void put(std::span<const float> row) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_filling || m_closed; });
        if (m_closed) return;
        m_rows[m_count++].assign(row.begin(), row.end());
        if (m_count == m_rows.size()) hand(false);
    }

    // No more rows come.
    void finish() {
        std::lock_guard lock(m_mutex);
        m_finished = true;
        hand(false);
    }

    // The next row, valid until the next call; empty when there is none any more.
    std::span<const float> take() {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [&] { return !m_filling || m_closed; });
            if (m_closed) return {};
            if (m_taken < m_count) return m_rows[m_taken++];
            if (m_finished) return {};
            m_taken = m_count = 0;
            hand(true);
        }
    }

    // Waits until there is something to take, or nothing will come.
    void waitForRows() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return !m_filling || m_closed; });
    }

    // Wakes both sides for good.
    void close() {
        std::lock_guard lock(m_mutex);
        m_closed = true;
        m_changed.notify_all();
    }

private:
    void hand(bool filling) {
        m_filling = filling;
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::vector<float>> m_rows;
    size_t m_count = 0, m_taken = 0;
    bool m_filling = true, m_finished = false, m_closed = false;
};

} // namespace steelyard
