#include "engine/evaluate/measure_columns.h"

#include "engine/evaluate/measurement_folder.h"
#include "engine/evaluate/measurement_setup.h"
#include "engine/evaluate/statistics.h"
#include "engine/evaluate/token_rows.h"
#include "engine/evaluate/window_file.h"

#include <chrono>

namespace steelyard {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Tells how far the whole measurement is, and how long the rest may take at the pace of the windows so far.
class Pace {
public:
    Pace(const MeasureCallback& callback, size_t allWindows, size_t doneBefore) : m_callback(callback), m_all(allWindows), m_done(doneBefore) {}

    void loading(size_t column) { tell({MeasureProgress::Stage::Loading, column, 0, 0, 0, 0, {}}); }
    void window(MeasureProgress progress, double seconds) {
        ++m_done;
        m_seconds += seconds;
        ++m_timed;
        tell(progress);
    }

private:
    void tell(MeasureProgress progress) {
        if (!m_callback) return;
        progress.fraction = m_all ? static_cast<double>(m_done) / static_cast<double>(m_all) : 1;
        if (m_timed > 0) progress.secondsLeft = m_seconds / static_cast<double>(m_timed) * static_cast<double>(m_all - m_done);
        m_callback(progress);
    }

    const MeasureCallback& m_callback;
    size_t m_all, m_done, m_timed = 0;
    double m_seconds = 0;
};

class Measurer {
public:
    Measurer(ColumnEngines& engines, const MeasureRequest& request, MeasurementSetup setup, const std::atomic<bool>& cancelled)
        : m_engines(engines), m_request(request), m_setup(std::move(setup)), m_folder(request.folder), m_cancelled(cancelled) {}

    Result<Measurement> measure(const MeasureCallback& progress) {
        const auto start = Clock::now();
        auto file = WindowFile::open(distributionsPath(m_folder.path(), m_setup.referenceKey), m_setup.referenceKey, windows());
        if (!file) return file.error();
        m_reference.emplace(std::move(*file));
        Pace pace(progress, allWindows(), windowsDone());
        Measurement result;
        result.context = m_request.context;
        result.windows = windows();
        result.referenceColumn = m_setup.referenceColumn;
        result.referenceWasKept = m_reference->windows() == windows();
        if (auto done = readReference(pace); !done) {
            m_reference->removeIfEmpty();
            return m_cancelled ? Error{kCancelled} : Error{"The reference cannot be used. " + done.sentence()};
        }
        markUsed(distributionsPath(m_folder.path(), m_setup.referenceKey));
        if (auto done = sumUpReference(result); !done) return done.error();
        for (size_t column = 0; column < m_engines.columns().size(); ++column) {
            MeasuredColumn& own = result.columns.emplace_back();
            own.facts = m_engines.plan().columns[column].facts;
            if (m_setup.referenceColumn == column) own = result.reference;
            if (m_setup.wanted[column]) own.problem = m_setup.problems[column];
            if (!m_setup.isMeasured(column)) continue;
            auto quality = measureColumn(column, pace);
            if (m_cancelled) return Error{kCancelled};
            if (quality) own.quality = *quality;
            else own.problem = quality.sentence();
        }
        result.referenceBytes = m_reference->bytes();
        result.seconds = secondsSince(start);
        if (!m_request.folder.empty()) boundMeasurements(m_folder.path(), m_request.mostBytes, distributionsPath(m_folder.path(), m_setup.referenceKey));
        return result;
    }

private:
    static constexpr const char* kCancelled = "The measurement was cancelled.";

    size_t windows() const { return m_setup.windows.ids.size(); }
    std::filesystem::path resultsOf(size_t column) const { return resultsPath(m_folder.path(), m_setup.columnKeys[column]); }

    size_t allWindows() const {
        size_t stages = 1;
        for (size_t column = 0; column < m_engines.columns().size(); ++column) stages += m_setup.isMeasured(column) ? 1 : 0;
        return stages * windows();
    }
    size_t windowsDone() const {
        size_t done = m_reference->windows();
        for (size_t column = 0; column < m_engines.columns().size(); ++column)
            if (m_setup.isMeasured(column)) done += WindowFile::windowsIn(resultsOf(column), m_setup.columnKeys[column], windows());
        return done;
    }

    // The rows of a window that are scored, as distributions with the token that came; the error says why one cannot be used.
    Result<void> score(WaitingEngine& engine, size_t window, const std::function<Result<void>(const RowDistribution&, int32_t next)>& each) {
        const auto& ids = m_setup.windows.ids[window];
        Result<void> problem;
        const auto row = [&](uint32_t at, std::span<const float> logits) {
            if (!problem) return;
            const RowDistribution distribution(logits);
            const int32_t next = ids[at + 1];
            problem = std::isfinite(distribution.logProbability(next)) ? each(distribution, next) : Result<void>(noNumbers());
        };
        const auto done = engine.engine().score(m_setup.windows.request(window, engine.model()), row, &m_cancelled);
        return done ? problem : done;
    }

    Result<void> readReference(Pace& pace) {
        if (m_reference->windows() == windows()) return {};
        pace.loading(m_setup.referenceColumn.value_or(kMostColumns));
        const auto engine = m_setup.referenceColumn ? m_engines.readyForWindows(*m_setup.referenceColumn, m_request.context, {}, m_cancelled)
                                                    : m_engines.readyBeside(m_setup.reference, m_request.context, {}, m_cancelled);
        if (!engine) return engine.error();
        double logs = 0;
        uint64_t tokens = 0;
        while (m_reference->windows() < windows()) {
            const auto start = Clock::now();
            std::vector<uint8_t> bytes;
            const auto each = [&](const RowDistribution& row, int32_t next) {
                appendBytes(compactOf(row, next, m_setup.compact), bytes);
                logs += row.logProbability(next);
                ++tokens;
                return Result<void>();
            };
            if (auto done = score(**engine, m_reference->windows(), each); !done) return done;
            if (auto added = m_reference->append(bytes); !added) return added;
            pace.window({MeasureProgress::Stage::Reference, m_setup.referenceColumn.value_or(kMostColumns), m_reference->windows(), windows(), 0,
                         std::exp(-logs / static_cast<double>(tokens)), {}},
                        secondsSince(start));
        }
        return {};
    }

    Result<void> sumUpReference(Measurement& result) {
        TokenRows rows;
        double rest = 0;
        for (size_t window = 0; window < windows(); ++window) {
            const auto bytes = m_reference->read(window);
            if (!bytes) return bytes.error();
            std::span<const uint8_t> left(*bytes);
            while (!left.empty()) {
                const auto distribution = takeDistribution(left, m_setup.vocabulary);
                if (!distribution) return distribution.error();
                rows.add(0, distribution->nextLogProbability, distribution->nextLogProbability, true);
                rest += distribution->restMass;
            }
        }
        result.keptMass = 1 - rest / static_cast<double>(rows.size());
        result.referenceName = m_setup.reference.name;
        result.reference.quality = rows.quality();
        result.reference.quality->isReference = true;
        if (m_setup.referenceColumn) {
            result.reference.facts = m_engines.plan().columns[*m_setup.referenceColumn].facts;
        } else if (const auto summary = Engine::inspect(m_setup.reference.load.path)) {
            result.reference.facts = summary->facts;
        }
        return {};
    }

    Result<TokenRows> measureWindow(WaitingEngine& engine, size_t window) {
        const auto bytes = m_reference->read(window);
        if (!bytes) return bytes.error();
        std::span<const uint8_t> left(*bytes);
        TokenRows rows;
        const auto each = [&](const RowDistribution& row, int32_t next) -> Result<void> {
            const auto reference = takeDistribution(left, m_setup.vocabulary);
            if (!reference) return reference.error();
            rows.add(static_cast<float>(reference->divergenceTo(row)), static_cast<float>(row.logProbability(next)), reference->nextLogProbability,
                     reference->top == row.top());
            return {};
        };
        if (auto done = score(engine, window, each); !done) return done.error();
        return rows;
    }

    Result<Quality> measureColumn(size_t column, Pace& pace) {
        auto file = WindowFile::open(resultsOf(column), m_setup.columnKeys[column], windows());
        if (!file) return file.error();
        auto quality = measureColumn(column, *file, pace);
        file->removeIfEmpty();
        if (quality) markUsed(resultsOf(column));
        return quality;
    }

    Result<Quality> measureColumn(size_t column, WindowFile& file, Pace& pace) {
        TokenRows rows;
        for (size_t window = 0; window < file.windows(); ++window) {
            const auto bytes = file.read(window);
            if (!bytes) return bytes.error();
            if (auto added = rows.addBytes(*bytes); !added) return added.error();
        }
        if (file.windows() < windows()) {
            pace.loading(column);
            const auto engine = m_engines.readyForWindows(column, m_request.context, {}, m_cancelled);
            if (!engine) return engine.error();
            while (file.windows() < windows()) {
                const auto start = Clock::now();
                const auto found = measureWindow(**engine, file.windows());
                if (!found) return found.error();
                if (auto added = file.append(found->bytes()); !added) return added.error();
                rows.append(*found);
                pace.window({MeasureProgress::Stage::Column, column, file.windows(), windows(), 0, rows.perplexity(), {}}, secondsSince(start));
            }
        }
        return rows.quality();
    }

    ColumnEngines& m_engines;
    const MeasureRequest& m_request;
    MeasurementSetup m_setup;
    MeasurementFolder m_folder;
    const std::atomic<bool>& m_cancelled;
    std::optional<WindowFile> m_reference;
};

} // namespace

Result<Measurement> measureColumns(ColumnEngines& engines, const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled) {
    auto setup = setUpMeasurement(engines.columns(), request);
    if (!setup) return setup.error();
    return Measurer(engines, request, std::move(*setup), cancelled).measure(progress);
}

} // namespace steelyard
