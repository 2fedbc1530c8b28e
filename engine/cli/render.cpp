#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/cli/messages.h"
#include "engine/template/tool_calls.h"
#include "engine/tokenizer/tokenizer.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace steelyard::cli {

namespace {

struct Options {
    std::string source, messages, variables, now;
    std::optional<std::string> bos, eos;
};

// Days since 1970 of a date of the Gregorian calendar.
int64_t daysOf(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2 ? 1 : 0;
    const int64_t era = (year >= 0 ? year : year - 399) / 400, eraYear = year - era * 400;
    const int64_t yearDay = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + eraYear * 365 + eraYear / 4 - eraYear / 100 + yearDay - 719468;
}

// Seconds of "2026-11-30" or "2026-11-30T12:00:00"; the local clock's time now when empty.
int64_t secondsOf(const std::string& iso) {
    int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    if (iso.empty()) {
        const std::time_t now = std::time(nullptr);
        const std::tm local = *std::localtime(&now); // one thread runs here
        return daysOf(local.tm_year + 1900, local.tm_mon + 1, local.tm_mday) * 86400 + local.tm_hour * 3600 +
               local.tm_min * 60 + local.tm_sec;
    }
    const int read =
        std::sscanf(iso.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second);
    if (read < 3 || month < 1 || month > 12 || day < 1 || day > 31)
        throw UsageError{"'" + iso + "' is no time like 2026-11-30T12:00:00."};
    return daysOf(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
}

// The template and the texts of its begin and end tokens.
struct Source {
    std::string text, bos, eos;
};

// Of a model with a template for conversations with tools, that one where there are some.
Result<Source> readSource(const std::string& name, bool hasTools) {
    auto bytes = readFile(name);
    if (!bytes) return bytes.error();
    if (bytes->compare(0, 4, "GGUF") != 0) return Source{std::move(*bytes), {}, {}};
    const auto file = GgufFile::open(pathOf(name));
    if (!file) return file.error();
    auto text = file->stringValue("tokenizer.chat_template");
    if (const auto own = file->stringValue("tokenizer.chat_template.tool_use"); hasTools && own && *own) text = own;
    if (!text) return text.error();
    if (!*text) return Error{"The model has no chat template: it is a base model that continues text."};
    Source source{**text, {}, {}};
    if (const auto tokenizer = Tokenizer::fromFile(*file)) {
        const auto& special = (*tokenizer)->special();
        if (special.bos) source.bos = (*tokenizer)->bytes(*special.bos, true);
        if (special.eos) source.eos = (*tokenizer)->bytes(*special.eos, true);
    }
    return source;
}

Result<Output> render(const Options& options) {
    if (options.messages.empty() == options.variables.empty())
        throw UsageError{"'render' needs either --messages or --variables."};
    const int64_t now = secondsOf(options.now);
    const auto json = readJson(options.messages.empty() ? options.variables : options.messages);
    if (!json) return json.error();
    auto variables = options.messages.empty() ? Result<Json>(*json) : templateVariables(*json);
    if (!variables) return variables.error();
    if (!variables->is_object()) return Error{"The variables must be a JSON object."};
    const auto tools = variables->find("tools");
    const auto source = readSource(options.source, tools != variables->end() && tools->is_array() && !tools->empty());
    if (!source) return source.error();
    // Given variables are all there is, unless an option adds to them.
    const auto setToken = [&](const char* name, const std::optional<std::string>& given, const std::string& ofModel) {
        if (given || (options.variables.empty() && !variables->contains(name)))
            (*variables)[name] = given.value_or(ofModel);
    };
    setToken("bos_token", options.bos, source->bos);
    setToken("eos_token", options.eos, source->eos);
    const auto format = ChatFormat::compile(source->text);
    if (!format) return format.error();
    if (!options.messages.empty()) *variables = withToolArguments(*format, *variables, now);
    const auto pieces = format->render(*variables, now);
    if (!pieces) return pieces.error();
    Output output;
    output.text = joined(*pieces);
    output.json["text"] = output.text;
    return output;
}

} // namespace

Work declareRender(CLI::App& app, const CommonOptions&) {
    auto options = std::make_shared<Options>();
    app.add_option("MODEL-OR-TEMPLATE", options->source, "A model file, or a file with a template")->required();
    app.add_option("--messages", options->messages,
                   "A JSON conversation: an array of messages or an object with \"messages\"");
    app.add_option("--variables", options->variables, "A JSON object with any variables");
    app.add_option("--bos", options->bos, "Text of the begin token");
    app.add_option("--eos", options->eos, "Text of the end token");
    app.add_option("--now", options->now, "The time for the template: 2026-11-30T12:00:00");
    return [options] { return render(*options); };
}

} // namespace steelyard::cli
