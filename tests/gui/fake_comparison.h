// Comparisons that answer by script, for tests of the Compare page: no model is loaded, and a call waits where a test says so.
//
// By itself column i answers "The answer is number <i>." word by word and measures a distance that grows with i. What a test turns
// and reads is guarded, since calls run on the client's threads.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <chrono>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

namespace steelyard {

class FakeComparison : public ComparisonPort {
public:
    struct Script {
        std::mutex mutex;
        std::atomic<bool> holds = false; // calls wait until they are cancelled or let go
        ComparisonPlan::Order order = ComparisonPlan::Order::Together;
        std::vector<std::string> answers;     // of columns, instead of the usual one
        std::string answerProblem, measureProblem, makeProblem;
        std::vector<std::vector<ComparisonColumn>> columns; // that were set
        std::vector<AnswerRequest> requests;
        std::vector<SameTextRequest> sameTexts;
        std::vector<MeasureRequest> measures;
        std::vector<QuantizeRequest> made;
        std::atomic<int> speeds = 0, unloads = 0;
    };

    static ComparisonFactory factory(Script& script) {
        return [&script] { return std::make_unique<FakeComparison>(script); };
    }
    explicit FakeComparison(Script& script) : m_script(script) {}

    ComparisonPlan plan(const std::vector<ComparisonColumn>& columns) const override {
        ComparisonPlan plan;
        plan.order = m_script.order;
        for (size_t i = 0; i < columns.size(); ++i) {
            ColumnPlan column;
            column.memory.weightsBytes = weightsOf(i);
            column.memory.kvBytes = 20'000'000;
            column.memory.computeBytes = 5'000'000;
            column.memory.totalBytes = column.memory.weightsBytes + 25'000'000;
            column.facts = factsOf(i);
            plan.togetherBytes += column.memory.totalBytes;
            plan.largestBytes = std::max(plan.largestBytes, column.memory.totalBytes);
            plan.columns.push_back(column);
        }
        plan.freeBytes = 8'000'000'000;
        return plan;
    }
    Result<MeasurePlan> planMeasurement(const std::vector<ComparisonColumn>& columns, const MeasureRequest& request) const override {
        if (request.text.size() < 40) return Error{"The text has 3 tokens, and two windows of 512 need 1024. Choose a longer text or shorter windows."};
        MeasurePlan plan;
        plan.textTokens = request.text.size() / 4;
        plan.windows = std::max<size_t>(2, plan.textTokens / request.context);
        plan.scoredTokens = plan.windows * (request.context / 2 - 1);
        plan.mostBytes = 3'000'000;
        plan.columnWindowsDone.resize(columns.size());
        plan.problems.resize(columns.size());
        return plan;
    }
    Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path&) const override {
        return std::vector<QuantizedSize>{{"Q8_0", 145'000'000, 8.5, false}, {"Q4_K_M", 105'000'000, 5.9, false}, {"Q4_0", 92'000'000, 4.8, false}, {"IQ2_XS", 60'000'000, 2.9, true}};
    }
    Result<QuantizeResult> quantize(const QuantizeRequest& request, const std::function<void(float)>& progress, const std::atomic<bool>& cancelled) const override {
        {
            std::lock_guard lock(m_script.mutex);
            m_script.made.push_back(request);
        }
        progress(0.5f);
        if (!waited(cancelled)) return Error{"The work was cancelled."};
        if (!m_script.makeProblem.empty()) return Error{m_script.makeProblem};
        std::ofstream(request.output) << "made";
        QuantizeResult result;
        result.outputBytes = 92'000'000;
        return result;
    }
    void setColumns(const std::vector<ComparisonColumn>& columns) override {
        std::lock_guard lock(m_script.mutex);
        m_script.columns.push_back(columns);
        m_columns = columns;
    }
    Result<std::vector<ColumnAnswer>> answer(const AnswerRequest& request, const ComparisonCallbacks& callbacks, const std::atomic<bool>& cancelled) override {
        {
            std::lock_guard lock(m_script.mutex);
            m_script.requests.push_back(request);
        }
        std::vector<ColumnAnswer> answers;
        for (size_t i = 0; i < m_columns.size(); ++i) {
            callbacks.loading(i, 0.5f);
            callbacks.loaded(i, factsOf(i));
            PromptProgress progress;
            progress.promptTokens = progress.readTokens = 12;
            callbacks.promptProgressed(i, progress);
            ColumnAnswer answer;
            answer.text = i < m_script.answers.size() ? m_script.answers[i] : "The answer is number " + std::to_string(i) + ".";
            answer.facts = factsOf(i);
            answer.memory.weightsBytes = weightsOf(i);
            answer.memory.kvReservedBytes = 20'000'000;
            answer.memory.computeBytes = 5'000'000;
            answer.reason = StopReason::EndToken;
            answer.statistics.generatedTokens = 6;
            answer.statistics.promptTokens = 12;
            answer.statistics.ttftMs = 100 + 10.0 * double(i);
            answer.statistics.prefillTokensPerSecond = 300;
            answer.statistics.decodeTokensPerSecond = 40 + 10.0 * double(i);
            answer.statistics.itlP50Ms = 25;
            answer.statistics.itlP95Ms = 31;
            answer.statistics.seed = request.sampling.seed.value_or(0);
            for (size_t from = 0; from < answer.text.size();) {
                const size_t to = std::min(answer.text.size(), answer.text.find(' ', from + 1));
                TextDelta delta;
                delta.text = answer.text.substr(from, to - from);
                delta.ids = {int32_t(from)};
                answer.ids.push_back(int32_t(from));
                callbacks.textArrived(i, delta);
                from = to;
            }
            if (!waited(cancelled)) return Error{"The comparison was cancelled."};
            if (!m_script.answerProblem.empty() && i == m_columns.size() - 1) {
                answer.reason = StopReason::Failed;
                answer.problem = m_script.answerProblem;
            }
            callbacks.answered(i, answer);
            answers.push_back(answer);
        }
        return answers;
    }
    Result<SameText> sameText(const SameTextRequest& request, const ComparisonCallbacks&, const std::atomic<bool>& cancelled) override {
        {
            std::lock_guard lock(m_script.mutex);
            m_script.sameTexts.push_back(request);
        }
        if (!waited(cancelled)) return Error{"The comparison was cancelled."};
        SameText same;
        same.reference = request.reference;
        for (size_t i = 0; i < m_columns.size(); ++i) {
            ForcedColumn column;
            int place = 0;
            for (const std::string word : {"The", " answer", " is", " number", " one", "."}) {
                ForcedToken token;
                token.id = place;
                token.text = word;
                token.logProbability = -0.2f * float(i + 1);
                token.rank = uint32_t(1 + (place % 3) * int(i));
                token.kl = i == request.reference ? 0.0f : 0.004f * float(i) * float(1 << (2 * place));
                token.alternatives = {{token.id, token.logProbability, word}, {99, -2.5f, " other"}};
                column.tokens.push_back(token);
                ++place;
            }
            column.perplexity = 1.5;
            column.topShare = i == 0 ? 1.0 : 0.5;
            if (i != request.reference) column.meanKl = 0.1 * double(i);
            same.columns.push_back(column);
        }
        return same;
    }
    Result<std::vector<ColumnSpeed>> measureSpeed(const SpeedRequest&, const ComparisonCallbacks& callbacks, const std::atomic<bool>&) override {
        ++m_script.speeds;
        std::vector<ColumnSpeed> speeds;
        for (size_t i = 0; i < m_columns.size(); ++i) {
            callbacks.loaded(i, factsOf(i));
            ColumnSpeed speed;
            speed.prefillTokensPerSecond = 300;
            speed.decodeTokensPerSecond = 40 + 15.0 * double(i);
            speed.facts = factsOf(i);
            speed.memory.weightsBytes = weightsOf(i);
            speed.memory.kvReservedBytes = 20'000'000;
            speed.memory.computeBytes = 5'000'000;
            speed.loadMs = 120;
            speeds.push_back(speed);
        }
        return speeds;
    }
    Result<Measurement> measure(const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled) override {
        {
            std::lock_guard lock(m_script.mutex);
            m_script.measures.push_back(request);
        }
        MeasureProgress told;
        told.stage = MeasureProgress::Stage::Column;
        told.column = m_columns.size() - 1;
        told.windows = 3;
        told.allWindows = 8;
        told.fraction = 0.4;
        told.secondsLeft = 75;
        progress(told);
        if (!waited(cancelled)) return Error{"The measurement was cancelled. What was measured is kept."};
        if (!m_script.measureProblem.empty()) return Error{m_script.measureProblem};
        Measurement measurement;
        for (size_t i = 0; i < m_columns.size(); ++i) {
            MeasuredColumn column;
            column.facts = factsOf(i);
            column.quality = qualityOf(i);
            column.quality->isReference = i == request.reference;
            measurement.columns.push_back(column);
        }
        measurement.reference = measurement.columns[request.reference];
        measurement.referenceColumn = request.reference;
        measurement.referenceName = m_columns[request.reference].name;
        measurement.context = request.context;
        measurement.windows = 8;
        measurement.referenceBytes = 2'400'000;
        measurement.keptMass = 0.998;
        return measurement;
    }
    void unload() override { ++m_script.unloads; }

private:
    static uint64_t weightsOf(size_t i) { return 145'000'000 - 28'000'000 * i; }
    static ModelFacts factsOf(size_t i) {
        ModelFacts facts;
        facts.architecture = "llama";
        facts.name = "SmolLM2 135M";
        facts.quantization = std::vector<std::string>{"Q8_0", "Q4_K_M", "Q4_0", "Q2_K"}[i % 4];
        facts.bitsPerWeight = std::vector<double>{8.5, 5.9, 4.8, 3.4}[i % 4];
        facts.fileBytes = weightsOf(i);
        facts.parameters = 134'515'008;
        facts.contextLength = 2048;
        facts.kvBytesPerToken = 23'040;
        facts.hasChatTemplate = true;
        return facts;
    }
    static Quality qualityOf(size_t i) {
        Quality quality;
        quality.tokens = 2000;
        quality.perplexity = 14.5 + 0.6 * double(i * i);
        quality.perplexityError = 0.4;
        quality.perplexityRatio = quality.perplexity / 14.5;
        quality.perplexityRatioError = 0.004;
        quality.meanKl = 0.04 * double(i * i);
        quality.klError = 0.003 * double(i);
        quality.medianKl = 0.02 * double(i * i);
        quality.klP99 = 0.3 * double(i);
        quality.sameTop = 1 - 0.05 * double(i);
        return quality;
    }
    // False when it was cancelled while it was held.
    bool waited(const std::atomic<bool>& cancelled) const {
        while (m_script.holds && !cancelled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return !cancelled;
    }

    Script& m_script;
    std::vector<ComparisonColumn> m_columns;
};

} // namespace steelyard
