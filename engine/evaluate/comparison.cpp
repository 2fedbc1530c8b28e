#include "engine/evaluate/comparison.h"

#include "engine/core/percentile.h"
#include "engine/evaluate/column_engines.h"
#include "engine/evaluate/column_prompt.h"
#include "engine/evaluate/measure_columns.h"
#include "engine/evaluate/same_text.h"

#include <algorithm>
#include <mutex>
#include <random>
#include <thread>

namespace steelyard {

namespace {

// The callbacks with the promise that no two run at once.
class Told {
public:
    explicit Told(const ComparisonCallbacks& callbacks) : m_callbacks(callbacks) {}

    template <class Callback, class Value>
    void tell(Callback ComparisonCallbacks::* which, size_t column, const Value& value) const {
        const auto& callback = m_callbacks.*which;
        if (!callback) return;
        std::lock_guard lock(m_mutex);
        callback(column, value);
    }

private:
    const ComparisonCallbacks& m_callbacks;
    mutable std::mutex m_mutex;
};

constexpr const char* kCancelled = "The comparison was cancelled.";

} // namespace

class Comparison::Implementation {
public:
    Implementation(std::vector<ComparisonColumn> columns, LogSink log) : engines(std::move(columns), std::move(log)) {}

    Result<WaitingEngine*> load(size_t column, const Told& told, const std::atomic<bool>& cancelled) {
        auto engine = engines.ready(column, [&](float fraction) { told.tell(&ComparisonCallbacks::loading, column, fraction); }, cancelled);
        if (engine) told.tell(&ComparisonCallbacks::loaded, column, (*engine)->facts());
        return engine;
    }

    void answerIn(size_t column, WaitingEngine& engine, const AnswerRequest& request, const Told& told, const std::atomic<bool>& cancelled, ColumnAnswer& answer) {
        answer.facts = engine.facts();
        answer.loadMs = engine.loadMs();
        auto prompt = columnPrompt(request.prompts, engines.columns()[column], column, engine);
        if (!prompt) {
            answer.problem = prompt.sentence();
            return;
        }
        GenerateRequest own;
        own.prompt = std::move(*prompt);
        own.sampling = request.sampling;
        own.maxTokens = request.maxTokens;
        own.stop = request.stop;
        own.chat = request.chat;
        own.speculation = engines.columns()[column].speculation;
        const auto each = [&](const Event& event) {
            if (const auto* progress = std::get_if<PromptProgress>(&event)) told.tell(&ComparisonCallbacks::promptProgressed, column, *progress);
            if (const auto* delta = std::get_if<TextDelta>(&event)) told.tell(&ComparisonCallbacks::textArrived, column, *delta);
        };
        auto reply = engine.generate(std::move(own), each, &cancelled);
        if (!reply) {
            answer.problem = reply.sentence();
            return;
        }
        answer.text = std::move(reply->text);
        answer.ids = std::move(reply->ids);
        answer.timesMs = std::move(reply->timesMs);
        answer.statistics = reply->finished.statistics;
        answer.reason = reply->finished.reason;
        answer.problem = reply->finished.sentence;
        answer.memory = engine.memory();
    }

    void answerAtOnce(const std::vector<size_t>& order, const AnswerRequest& request, const Told& told, const std::atomic<bool>& cancelled,
                      std::vector<ColumnAnswer>& answers) {
        std::vector<std::pair<size_t, WaitingEngine*>> loaded;
        for (const size_t column : order) {
            const auto engine = load(column, told, cancelled);
            if (engine) loaded.emplace_back(column, *engine);
            else answers[column].problem = engine.sentence();
        }
        std::vector<std::thread> threads;
        for (const auto& place : loaded)
            threads.emplace_back([&, place] {
                answerIn(place.first, *place.second, request, told, cancelled, answers[place.first]);
                answers[place.first].besideOthers = loaded.size() > 1;
                told.tell(&ComparisonCallbacks::answered, place.first, answers[place.first]);
            });
        for (auto& thread : threads) thread.join();
        for (const size_t column : order)
            if (answers[column].facts.architecture.empty()) told.tell(&ComparisonCallbacks::answered, column, answers[column]);
    }

    ColumnEngines engines;
};

Comparison::Comparison(std::vector<ComparisonColumn> columns, LogSink log)
    : m_implementation(std::make_unique<Implementation>(std::move(columns), std::move(log))) {}
Comparison::~Comparison() = default;

const std::vector<ComparisonColumn>& Comparison::columns() const { return m_implementation->engines.columns(); }
const ComparisonPlan& Comparison::plan() { return m_implementation->engines.plan(); }
void Comparison::unload() { m_implementation->engines.unload(); }

Result<std::vector<ColumnAnswer>> Comparison::answer(const AnswerRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) {
    auto& engines = m_implementation->engines;
    if (plan().order == ComparisonPlan::Order::Nothing) return Error{plan().sentence};
    AnswerRequest own = request;
    if (!own.sampling.seed) own.sampling.seed = std::random_device()();
    const Told told(callbacks);
    std::vector<ColumnAnswer> answers(columns().size());
    const auto order = engines.inOrder(request.columns);
    if (request.atOnce && engines.isTogether()) {
        m_implementation->answerAtOnce(order, own, told, cancelled, answers);
    } else {
        for (const size_t column : order) {
            if (cancelled) break;
            const auto engine = m_implementation->load(column, told, cancelled);
            if (engine) m_implementation->answerIn(column, **engine, own, told, cancelled, answers[column]);
            else answers[column].problem = engine.sentence();
            told.tell(&ComparisonCallbacks::answered, column, answers[column]);
        }
    }
    if (cancelled) return Error{kCancelled};
    return answers;
}

Result<SameText> Comparison::sameText(const SameTextRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) {
    const Told told(callbacks);
    if (request.reference >= columns().size()) return Error{"There is no such column to compare with."};
    SameTextReader reader(columns(), request);
    auto order = m_implementation->engines.inOrder({});
    std::stable_partition(order.begin(), order.end(), [&](size_t column) { return column == request.reference; });
    for (const size_t column : order) {
        if (cancelled) return Error{kCancelled};
        const auto engine = m_implementation->load(column, told, cancelled);
        if (engine) reader.read(column, **engine, cancelled);
        else reader.fail(column, engine.sentence());
        if (!cancelled) told.tell(&ComparisonCallbacks::forced, column, reader.result().columns[column]);
    }
    if (cancelled) return Error{kCancelled};
    return reader.result();
}

Result<std::vector<ColumnSpeed>> Comparison::measureSpeed(const SpeedRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) {
    const Told told(callbacks);
    std::vector<ColumnSpeed> speeds(columns().size());
    for (const size_t column : m_implementation->engines.inOrder({})) {
        ColumnSpeed& speed = speeds[column];
        const auto engine = m_implementation->load(column, told, cancelled);
        if (!engine) {
            speed.problem = engine.sentence();
            continue;
        }
        BenchmarkRequest round;
        round.model = (*engine)->model();
        // No more than the column's context has room for.
        const uint32_t room = (*engine)->facts().contextLength;
        round.generatedTokens = std::min(request.generatedTokens, std::max(1u, room / 4));
        round.depth = std::min(request.depth, room / 4);
        round.promptTokens = std::min(request.promptTokens, std::max(1u, room / 2));
        round.repetitions = 1; // so that a cancel is seen between them
        std::vector<double> prefill, decode;
        for (uint32_t i = 0; i < request.repetitions && speed.problem.empty(); ++i) {
            if (cancelled) return Error{kCancelled};
            const auto result = (*engine)->engine().benchmark(round);
            if (!result) speed.problem = result.sentence();
            else prefill.push_back(median(result->prefillTokensPerSecond)), decode.push_back(median(result->decodeTokensPerSecond));
        }
        speed.prefillTokensPerSecond = median(prefill);
        speed.decodeTokensPerSecond = median(decode);
        speed.loadMs = (*engine)->loadMs();
        speed.facts = (*engine)->facts();
        speed.memory = (*engine)->memory();
    }
    if (cancelled) return Error{kCancelled};
    return speeds;
}

Result<Measurement> Comparison::measure(const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled) {
    return measureColumns(m_implementation->engines, request, progress, cancelled);
}

} // namespace steelyard
