#include "engine/evaluate/perplexity.h"

#include "engine/evaluate/distribution.h"
#include "engine/evaluate/row_exchange.h"
#include "engine/evaluate/statistics.h"

#include <thread>

namespace steelyard {

namespace {

constexpr size_t kExchangedRows = 64; // that wait at most for the other model

// The sums over all scored tokens.
class Sums {
public:
    // Without a reference its row is empty. The error says why a row cannot be scored.
    Result<void> add(std::span<const float> row, std::span<const float> referenceRow, int32_t next) {
        const RowDistribution distribution(row);
        m_logSum += distribution.logProbability(next);
        ++m_tokens;
        if (!std::isfinite(m_logSum)) return noNumbers();
        if (referenceRow.empty()) return {};
        if (referenceRow.size() != row.size())
            return differentSizes(row.size(), referenceRow.size());
        const RowDistribution reference(referenceRow);
        m_referenceLogSum += reference.logProbability(next);
        m_divergences.push_back(reference.divergenceTo(distribution));
        if (reference.top() == distribution.top()) ++m_sameTop;
        return {};
    }

    double perplexity() const { return std::exp(-m_logSum / static_cast<double>(m_tokens)); }

    PerplexityResult result() const {
        PerplexityResult result{perplexity(), m_tokens, std::nullopt};
        if (m_divergences.empty()) return result;
        const auto count = static_cast<double>(m_tokens);
        double sum = 0;
        for (const double divergence : m_divergences) sum += divergence;
        result.divergence = {sum / count, percentile(m_divergences, 0.99), static_cast<double>(m_sameTop) / count,
                             std::exp(-m_referenceLogSum / count)};
        return result;
    }

private:
    double m_logSum = 0, m_referenceLogSum = 0;
    uint64_t m_tokens = 0, m_sameTop = 0;
    std::vector<double> m_divergences;
};

// Both models over one window, in turns.
class Window {
public:
    Window(const MeasuredModel& model, const MeasuredModel* reference, const TextWindows& windows, size_t number, Sums& sums)
        : m_model(model), m_reference(reference), m_windows(windows), m_number(number), m_sums(sums) {}

    Result<void> measure(const std::atomic<bool>& cancelled) {
        if (!m_reference) return score(nullptr, cancelled);
        RowExchange exchange(kExchangedRows);
        Result<void> referenceDone;
        std::thread producer([&] {
            const auto request = m_windows.request(m_number, m_reference->model);
            referenceDone = m_reference->engine.score(request, [&](uint32_t, std::span<const float> row) { exchange.put(row); }, &cancelled);
            exchange.finish();
        });
        exchange.waitForRows();
        const auto done = score(&exchange, cancelled);
        exchange.close();
        producer.join();
        if (!referenceDone && !cancelled) return Error{"The reference cannot be used. " + referenceDone.sentence()};
        return done;
    }

private:
    Result<void> score(RowExchange* exchange, const std::atomic<bool>& cancelled) {
        Result<void> problem;
        const auto each = [&](uint32_t row, std::span<const float> logits) {
            if (!problem) return;
            const auto referenceRow = exchange ? exchange->take() : std::span<const float>();
            if (exchange && referenceRow.empty()) problem = Error{"The reference gave too few rows."};
            else problem = m_sums.add(logits, referenceRow, m_windows.ids[m_number][row + 1]);
        };
        const auto done = m_model.engine.score(m_windows.request(m_number, m_model.model), each, &cancelled);
        return done ? problem : done;
    }

    const MeasuredModel& m_model;
    const MeasuredModel* m_reference;
    const TextWindows& m_windows;
    size_t m_number;
    Sums& m_sums;
};

} // namespace

Result<PerplexityResult> measurePerplexity(const MeasuredModel& model, const MeasuredModel* reference, const TextWindows& windows,
                                           const std::function<void(const PerplexityProgress&)>& progress,
                                           const std::atomic<bool>& cancelled) {
    Sums sums;
    for (size_t i = 0; i < windows.ids.size(); ++i) {
        Window window(model, reference, windows, i, sums);
        if (auto done = window.measure(cancelled); !done) return done.error();
        if (progress) progress({i + 1, windows.ids.size(), sums.perplexity()});
    }
    return sums.result();
}

} // namespace steelyard
