#include "engine/cli/files.h"
#include "engine/cli/messages.h"
#include "engine/cli/session.h"
#include "engine/cli/terminal.h"
#include "engine/evaluate/comparison.h"
#include "engine/evaluate/report_files.h"

#include <ctime>
#include <iostream>

namespace steelyard::cli {

namespace {

constexpr uint32_t kWindow = 512;

struct Options {
    std::vector<std::string> models, kvTypes, guesses;
    std::vector<uint32_t> fillers;
    std::string promptFile, messages, text, report, reference, keep, draft, title;
    uint32_t context = 0;
    int32_t maxTokens = 256;
    uint64_t seed = 1, memoryLimit = 0, keepBytes = MeasureRequest().mostBytes;
    float temperature = 0;
    bool atOnce = false;
};

template <class Value>
std::vector<Value> orOne(const std::vector<Value>& given, Value usual) {
    return given.empty() ? std::vector<Value>{usual} : given;
}

// A file's name without its folders.
std::string nameIn(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

LoadRequest loadOf(const Options& options, const CommonOptions& common, const std::string& model, const std::string& kvType) {
    ModelOptions own;
    own.model = model;
    own.kvType = kvType;
    own.context = options.context;
    own.memoryLimit = options.memoryLimit;
    return loadRequestOf(own, common);
}

// Each model with each type of cache, each history and each way to guess.
std::vector<ComparisonColumn> columnsOf(const Options& options, const CommonOptions& common) {
    std::vector<ComparisonColumn> columns;
    for (const auto& model : options.models)
        for (const auto& kvType : orOne<std::string>(options.kvTypes, "f16"))
            for (const uint32_t filler : orOne<uint32_t>(options.fillers, 0))
                for (const auto& guesses : orOne<std::string>(options.guesses, "off")) {
                    ComparisonColumn& column = columns.emplace_back();
                    column.load = loadOf(options, common, model, kvType);
                    column.fillerTokens = filler;
                    column.speculation.lookup = guesses == "lookup";
                    column.speculation.draft = guesses == "draft";
                    if (column.speculation.draft) column.load.draft = pathOf(options.draft);
                }
    if (columns.size() > kMostColumns)
        throw UsageError{"These are " + std::to_string(columns.size()) + " columns, and 'compare' takes at most " + std::to_string(kMostColumns) + "."};
    return columns;
}

void checkUsage(const Options& options) {
    if (options.promptFile.empty() && options.messages.empty() && options.text.empty())
        throw UsageError{"'compare' needs --prompt-file, --messages or --text."};
    if (!options.promptFile.empty() && !options.messages.empty()) throw UsageError{"'compare' takes one of --prompt-file and --messages."};
    const auto needsDraft = std::find(options.guesses.begin(), options.guesses.end(), "draft") != options.guesses.end();
    if (needsDraft && options.draft.empty()) throw UsageError{"'--guess draft' needs --draft with a smaller model."};
    const auto ending = options.report.empty() ? std::string(".md") : options.report.substr(std::min(options.report.rfind('.'), options.report.size()));
    if (ending != ".md" && ending != ".csv" && ending != ".json") throw UsageError{"A report's name ends with .md, .csv or .json."};
}

std::string timeNow() {
    const std::time_t now = std::time(nullptr);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now)); // one thread runs here
    return text;
}

// The work, one part after the other, into one report.
class Comparing {
public:
    Comparing(const Options& options, const CommonOptions& common)
        : m_options(options), m_common(common), m_comparison(columnsOf(options, common), warningsOnly()), m_report(reportOf(m_comparison.columns(), m_comparison.plan())) {
        m_report.title = options.title;
        m_report.created = timeNow();
        std::cerr << m_comparison.plan().sentence << "\n";
    }

    Result<void> run() {
        if (m_comparison.plan().order == ComparisonPlan::Order::Nothing)
            return Error{m_comparison.plan().sentence + " " + m_comparison.plan().columns.front().problem};
        if (!m_options.text.empty())
            if (auto done = measure(); !done) return done;
        if (m_options.promptFile.empty() && m_options.messages.empty()) return speeds();
        return answers();
    }
    const ComparisonReport& report() const { return m_report; }

private:
    const std::string& nameOf(size_t column) const {
        static const std::string kReference = "the reference";
        return column < m_report.columns.size() ? m_report.columns[column].name : kReference;
    }

    Result<void> measure() {
        MeasureRequest request;
        auto text = readFile(m_options.text);
        if (!text) return text.error();
        request.text = std::move(*text);
        request.context = m_options.context ? m_options.context : kWindow;
        request.folder = pathOf(m_options.keep);
        request.mostBytes = m_options.keepBytes;
        if (!m_options.reference.empty()) {
            request.otherReference.emplace();
            request.otherReference->load = loadOf(m_options, m_common, m_options.reference, "f16");
            request.otherReference->name = nameIn(m_options.reference);
        }
        const auto plan = planMeasurement(m_comparison.columns(), request);
        if (!plan) return plan.error();
        std::cerr << plan->scoredTokens << " tokens in " << plan->windows << " windows; the reference's distributions take at most " << bytesForPeople(plan->mostBytes) << ".\n";
        ProgressLine line;
        const auto progress = [&](const MeasureProgress& told) {
            std::string text = told.stage == MeasureProgress::Stage::Loading ? "loading " + nameOf(told.column)
                                                                             : nameOf(told.column) + ": window " + std::to_string(told.windows) + " of " + std::to_string(told.allWindows);
            if (told.secondsLeft) text += ", about " + std::to_string(static_cast<uint64_t>(*told.secondsLeft + 0.5)) + " s left";
            line.show(text);
        };
        const auto found = m_comparison.measure(request, progress, m_interrupt.flag());
        if (!found) return found.error();
        addMeasurement(m_report, *found, m_options.text == "-" ? std::string() : nameIn(m_options.text));
        return {};
    }

    Result<void> answers() {
        AnswerRequest request;
        auto prompt = m_options.messages.empty() ? textPrompt(m_options.promptFile) : messagesPrompt(m_options.messages);
        if (!prompt) return prompt.error();
        request.prompts = {std::move(*prompt)};
        request.maxTokens = m_options.maxTokens;
        request.sampling.temperature = m_options.temperature;
        request.sampling.seed = m_options.seed;
        request.atOnce = m_options.atOnce;
        ProgressLine line;
        ComparisonCallbacks callbacks;
        std::vector<size_t> tokens(m_report.columns.size());
        callbacks.textArrived = [&](size_t column, const TextDelta& delta) {
            tokens[column] += delta.ids.size();
            line.show(nameOf(column) + ": " + std::to_string(tokens[column]) + " tokens");
        };
        const auto found = m_comparison.answer(request, callbacks, m_interrupt.flag());
        if (!found) return found.error();
        addAnswers(m_report, request, *found);
        return {};
    }

    Result<void> speeds() {
        ProgressLine line;
        line.show("measuring the speed");
        const auto found = m_comparison.measureSpeed(SpeedRequest{128, 32, 3, 0}, {}, m_interrupt.flag());
        if (!found) return found.error();
        addSpeeds(m_report, *found);
        return {};
    }

    const Options& m_options;
    const CommonOptions& m_common;
    Comparison m_comparison;
    ComparisonReport m_report;
    const InterruptFlag m_interrupt;
};

Result<Output> compare(const Options& options, const CommonOptions& common) {
    checkUsage(options);
    Comparing comparing(options, common);
    if (auto done = comparing.run(); !done) return done.error();
    if (!options.report.empty())
        if (auto written = writeReport(comparing.report(), pathOf(options.report)); !written) return written.error();
    Output output;
    Json report = Json::parse(jsonOf(comparing.report()));
    output.json = {{"columns", report["columns"]}, {"report", std::move(report)}};
    output.text = markdownOf(comparing.report());
    return output;
}

} // namespace

Work declareCompare(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    app.add_option("MODEL", options->models, "Model files")->required();
    app.add_option("--prompt-file", options->promptFile, "A file with a text that all continue; - is stdin");
    app.add_option("--messages", options->messages, "A JSON conversation that all answer");
    app.add_option("--text", options->text, "A text that all predict: perplexity, and divergence from the reference");
    app.add_option("--report", options->report, "Write the report to this file: .md, .csv or .json");
    app.add_option("--title", options->title, "Title of the report");
    app.add_option("--reference", options->reference, "Model to measure against, for instance the file in F16; the first MODEL where it is not given");
    app.add_option("--context", options->context, "Context length, and tokens of a window of --text (512)");
    app.add_option("--kv-type", options->kvTypes, "Types of the KV cache, each a column: f16 q8_0 q8_0,q4_0");
    app.add_option("--fill", options->fillers, "Tokens of other text before the prompt, each a column: 0 8000");
    app.add_option("--guess", options->guesses, "Ways to guess ahead, each a column: off lookup draft")->check(CLI::IsMember({"off", "lookup", "draft"}));
    app.add_option("--draft", options->draft, "The smaller model of '--guess draft'");
    app.add_option("--max-tokens", options->maxTokens, "Most tokens of an answer")->check(CLI::Range(1, 1 << 30));
    app.add_option("--temperature", options->temperature, "Temperature of the answers (0)")->check(CLI::Range(0.0f, 100.0f));
    app.add_option("--seed", options->seed, "Seed of all answers");
    app.add_flag("--at-once", options->atOnce, "Let all answer at the same time where they fit together, which slows each");
    app.add_option("--keep", options->keep, "A folder that keeps the reference's distributions and what was measured");
    app.add_option("--keep-bytes", options->keepBytes, "Bytes that this takes at most");
    app.add_option("--memory-limit", options->memoryLimit, "Bytes that the device counts as having free at most");
    return [options, &common] { return compare(*options, common); };
}

} // namespace steelyard::cli
