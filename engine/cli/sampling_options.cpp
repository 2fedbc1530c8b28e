#include "engine/cli/sampling_options.h"

#include "engine/cli/files.h"

#include <limits>
#include <stdexcept>

namespace steelyard::cli {

namespace {

// One real option of the chain, with its range.
void addReal(CLI::App& app, const char* name, float& value, const char* description, double low, double high) {
    app.add_option(name, value, description)->check(CLI::Range(low, high));
}
void addWhole(CLI::App& app, const char* name, int32_t& value, const char* description, int low) {
    app.add_option(name, value, description)->check(CLI::Range(low, 1 << 30));
}

// "ID=BIAS"; a bias of "-inf" or "false" bans the token.
LogitBias biasOf(const std::string& text) {
    const size_t middle = text.find('=');
    LogitBias bias;
    try {
        size_t end = 0;
        bias.token = std::stoi(text, &end);
        const std::string value = middle == std::string::npos ? "" : text.substr(middle + 1);
        if (end != middle || value.empty()) throw std::invalid_argument(text);
        if (value == "false" || value == "-inf") {
            bias.bias = -std::numeric_limits<float>::infinity();
        } else {
            bias.bias = std::stof(value, &end);
            if (end != value.size()) throw std::invalid_argument(text);
        }
    } catch (const std::exception&) {
        throw CLI::ValidationError("--logit-bias", "\"" + text + "\" is not of the form ID=BIAS, as in 1678=-100 or 1678=false");
    }
    return bias;
}

Overflow overflowOf(const std::string& name) {
    constexpr std::pair<const char*, Overflow> kNames[] = {
        {"stop", Overflow::Stop}, {"drop-oldest", Overflow::DropOldest}, {"error", Overflow::Error}, {"shift", Overflow::Shift}};
    for (const auto& [known, overflow] : kNames)
        if (name == known) return overflow;
    throw CLI::ValidationError("--overflow", "there is no '" + name + "'; stop, drop-oldest, error and shift are possible");
}

// The stages that few people need.
void addFurtherStages(CLI::App& app, SamplingOptions& sampling) {
    addReal(app, "--typical-p", sampling.typicalP, "Keep tokens whose surprise is the expected one, up to this sum; 1 = off", 0, 1);
    addReal(app, "--top-n-sigma", sampling.topNSigma, "Drop logits more than n standard deviations below the best; 0 = off", 0, 1000);
    addReal(app, "--xtc-probability", sampling.xtcProbability, "How often the top choices are left out; 0 = off", 0, 1);
    addReal(app, "--xtc-threshold", sampling.xtcThreshold, "What counts as a top choice; above 0.5 = off", 0, 1);
    addWhole(app, "--min-keep", sampling.minKeep, "Tokens that typical, top-p, min-p and xtc keep at least", 1);
    addReal(app, "--temperature-range", sampling.temperatureRange, "The temperature moves by this with how sure the model is; 0 = off", 0, 100);
    addReal(app, "--temperature-exponent", sampling.temperatureExponent, "Shape of that move", 0.01, 100);
    addReal(app, "--frequency-penalty", sampling.frequencyPenalty, "Taken from a logit for each time the token stands in the reply; 0 = off", -100, 100);
    addReal(app, "--presence-penalty", sampling.presencePenalty, "Taken from a logit once when the token stands in the reply; 0 = off", -100, 100);
    addReal(app, "--dry-multiplier", sampling.dryMultiplier, "Makes long repetitions less likely; 0 = off", 0, 100);
    addReal(app, "--dry-base", sampling.dryBase, "How fast that grows with the length of the repetition", 1, 100);
    addWhole(app, "--dry-allowed-length", sampling.dryAllowedLength, "Tokens that may repeat freely", 1);
    addWhole(app, "--dry-last-n", sampling.dryLastN, "Tokens that are searched for repetitions; -1 = all", -1);
    app.add_option("--dry-breaker", sampling.dryBreakers, "No repetition reaches over this text; may be given several times")->take_all()->allow_extra_args(false);
    addReal(app, "--mirostat-tau", sampling.mirostatTau, "The surprise that mirostat keeps, in bits; 0 = off", 0, 100);
    addReal(app, "--mirostat-eta", sampling.mirostatEta, "How fast mirostat follows", 0, 1);
    app.add_option_function<std::vector<std::string>>("--logit-bias", [&sampling](const std::vector<std::string>& given) {
        for (const auto& text : given) sampling.logitBias.push_back(biasOf(text));
    }, "ID=BIAS is added to the logit of a token, ID=false bans it; may be given several times")->take_all()->allow_extra_args(false);
    app.add_option("--samplers", sampling.order, "The stages in their order, with commas between: penalties,dry,top_n_sigma,top_k,typical,top_p,min_p,xtc,temperature")->delimiter(',');
}

} // namespace

void addGenerationOptions(CLI::App& app, GenerationOptions& options) {
    app.add_option_function<std::string>(
           "--overflow", [&options](const std::string& name) { options.overflow = overflowOf(name); },
           "When the context is full: stop; drop-oldest turns of --messages and read the rest again; error; or shift, which reads nothing again and is approximate")
        ->option_text("stop|drop-oldest|error|shift");
    SamplingOptions& sampling = options.sampling;
    app.add_option("--max-tokens", options.maxTokens, "Most tokens of the reply; -1 = until the context is full")
        ->check(CLI::Range(-1, 1 << 30));
    app.add_option("--temperature", sampling.temperature, "0 = always the most probable token")
        ->check(CLI::Range(0.0, 100.0))
        ->each([&options](const std::string&) { options.temperatureGiven = true; });
    app.add_option("--top-k", sampling.topK, "Keep the k most probable tokens; 0 = off")
        ->check(CLI::Range(0, 1 << 30))
        ->each([&options](const std::string&) { options.topKGiven = true; });
    app.add_option("--top-p", sampling.topP, "Keep the most probable tokens up to this sum; 1 = off")
        ->check(CLI::Range(0.0, 1.0))
        ->each([&options](const std::string&) { options.topPGiven = true; });
    app.add_option("--min-p", sampling.minP, "Drop tokens below this share of the best; 0 = off")
        ->check(CLI::Range(0.0, 1.0))
        ->each([&options](const std::string&) { options.minPGiven = true; });
    app.add_option("--repeat-penalty", sampling.repeatPenalty, "Above 1 makes repetition less likely; 1 = off")
        ->check(CLI::Range(0.01, 100.0));
    app.add_option("--repeat-last-n", sampling.repeatLastN, "Tokens that the penalty looks at; -1 = all")
        ->check(CLI::Range(-1, 1 << 30));
    addFurtherStages(app, sampling);
    app.add_option("--grammar-file", options.grammarFile, "A grammar in GBNF that the reply follows; - is stdin");
    app.add_option("--json-schema-file", options.jsonSchemaFile, "A JSON schema that the reply follows; - is stdin")->excludes("--grammar-file");
    app.add_option("--seed", sampling.seed, "Makes the choice repeatable");
    // One value for each mention; a stop string may hold commas and begin with a dash.
    app.add_option("--stop", options.stop, "End the reply at this text; may be given several times")
        ->take_all()
        ->allow_extra_args(false);
}

Result<void> readForm(const GenerationOptions& options, GenerateRequest& request) {
    const std::pair<const std::string&, std::string&> places[] = {{options.grammarFile, request.grammar}, {options.jsonSchemaFile, request.jsonSchema}};
    for (const auto& [file, target] : places) {
        if (file.empty()) continue;
        auto text = readFile(file);
        if (!text) return text.error();
        if (text->find_first_not_of(" \t\r\n") == std::string::npos) return Error{"The file \"" + file + "\" is empty."};
        target = std::move(*text);
    }
    return {};
}

SamplingOptions samplingFor(const GenerationOptions& options, const std::optional<SamplingOptions>& advised) {
    SamplingOptions sampling = options.sampling;
    if (!advised) return sampling;
    if (!options.temperatureGiven) sampling.temperature = advised->temperature;
    if (!options.topKGiven) sampling.topK = advised->topK;
    if (!options.topPGiven) sampling.topP = advised->topP;
    if (!options.minPGiven) sampling.minP = advised->minP;
    return sampling;
}

} // namespace steelyard::cli
