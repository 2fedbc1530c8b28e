// The window's side of a comparison: its calls wait, so they run on a thread of their own, and what they tell comes back as signals.
//
// Invariant: every signal and callback arrives on the thread that made the client (the GUI thread), in the order in which it was
// told, at most one batch a frame; text of one column is gathered within a batch. One call on columns and one making of a level
// run at a time; asked while busy, a call does nothing and says so. The last signal of a call comes when the client is free again.
// Knows nothing of pages, of the store and of what columns stand for.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <mutex>

namespace steelyard {

class ComparisonClient : public QObject {
    Q_OBJECT

public:
    explicit ComparisonClient(const ComparisonFactory& factory, QObject* parent = nullptr);
    ~ComparisonClient() override; // cancels what runs, then joins

    // --- From the heads of files alone, while calls run. The callback comes unless `context` is gone by then.
    void plan(std::vector<ComparisonColumn> columns, QObject* context, std::function<void(ComparisonPlan)> done);
    void planMeasurement(std::vector<ComparisonColumn> columns, MeasureRequest request, QObject* context, std::function<void(Result<MeasurePlan>)> done);

    // What a model could be made into, and how large each would be.
    void levelsOf(const QString& path, QObject* context, std::function<void(Result<std::vector<QuantizedSize>>)> done);

    // --- Calls on columns; false while one runs.
    bool answer(std::vector<ComparisonColumn> columns, AnswerRequest request);
    bool sameText(std::vector<ComparisonColumn> columns, SameTextRequest request);
    // Quality, then speed where it is asked for.
    bool measure(std::vector<ComparisonColumn> columns, MeasureRequest request, std::optional<SpeedRequest> speed);
    void cancel();
    bool busy() const { return m_busy; }

    // Frees the engines of all columns, after the call that runs.
    void unload();
    bool loaded() const { return m_loaded; }

    // --- Making a level; false while one is made.
    bool make(QuantizeRequest request);
    void cancelMaking();
    bool making() const { return m_making; }

signals:
    void busyChanged();
    void loadedChanged();
    void makingChanged();
    void columnLoading(int column, double fraction);
    void columnLoaded(int column, const steelyard::ModelFacts& facts);
    void promptProgressed(int column, const steelyard::PromptProgress& progress);
    void textArrived(int column, const QString& text, int tokens);
    void columnAnswered(int column, const steelyard::ColumnAnswer& answer);
    void columnForced(int column, const steelyard::ForcedColumn& forced);
    void answersFinished(const QString& problem); // empty = all columns were asked
    void sameTextFinished(const steelyard::SameText& sameText, const QString& problem);
    void measureProgressed(const steelyard::MeasureProgress& progress);
    void speedProgressed(int column); // whose speed is measured now
    // What there is of both; with a problem they may be empty.
    void measured(const steelyard::Measurement& measurement, const std::vector<steelyard::ColumnSpeed>& speeds, const QString& problem);
    void makingProgressed(double fraction);
    void made(const steelyard::QuantizeResult& result, const QString& problem);

private:
    using Event = std::function<void()>;

    // Any thread.
    void post(Event event);
    void postText(int column, const TextDelta& delta);
    void closeText(); // under the lock
    void wake();      // under the lock
    ComparisonCallbacks callbacks();

    void drain();
    bool start(std::vector<ComparisonColumn> columns, std::function<Event()> work); // work returns its last signal
    template <class T>
    void runPlan(QObject* context, std::function<T()> work, std::function<void(T)> done);
    void setLoaded(bool loaded);

    std::unique_ptr<ComparisonPort> m_port;
    std::atomic<bool> m_cancelled = false, m_makingCancelled = false;
    bool m_busy = false, m_making = false, m_loaded = false;

    std::mutex m_mutex;
    std::vector<Event> m_events; // told, not yet a signal
    bool m_wakePending = false;
    int m_textColumn = -1, m_textTokens = 0;
    std::string m_text;
    QElapsedTimer m_sinceDrain;
    QTimer m_drainTimer;
    QThreadPool m_plans, m_calls, m_maker;
};

} // namespace steelyard
