#include "engine/template/chat_format.h"

#include "engine/template/interpreter.h"
#include "engine/template/parser.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace steelyard {

namespace {

using jinja::Value;
using Json = nlohmann::ordered_json;

// Roles are words that programs choose; templates build control tokens from them ('<|' + role + '|>').
constexpr std::string_view kRoles[] = {"system",  "user",     "assistant", "tool",       "developer",
                                       "ipython", "function", "model",     "environment"};

// A JSON value as one of the language; its texts are not trusted.
Value valueOf(const Json& json, int depth) {
    if (depth > 200) throw jinja::TemplateError{"The variables are nested too deeply."};
    switch (json.type()) {
    case Json::value_t::null:
    case Json::value_t::discarded:
        return {};
    case Json::value_t::boolean:
        return Value(json.get<bool>());
    case Json::value_t::number_integer:
        return Value(json.get<int64_t>());
    case Json::value_t::number_unsigned:
        if (json.get<uint64_t>() <= INT64_MAX) return Value(json.get<int64_t>());
        return Value(json.get<double>());
    case Json::value_t::number_float:
        return Value(json.get<double>());
    case Json::value_t::string:
    case Json::value_t::binary:
        return json.is_string() ? Value(jinja::Text(json.get_ref<const std::string&>(), false)) : Value();
    case Json::value_t::array: {
        std::vector<Value> items;
        for (const auto& item : json)
            items.push_back(valueOf(item, depth + 1));
        return jinja::makeList(std::move(items));
    }
    case Json::value_t::object:
        break;
    }
    jinja::Dict dict;
    for (const auto& [key, entry] : json.items()) {
        const bool role =
            key == "role" && entry.is_string() &&
            std::find(std::begin(kRoles), std::end(kRoles), entry.get_ref<const std::string&>()) != std::end(kRoles);
        dict.set(Value(jinja::Text(key, false)),
                 role ? Value::text(entry.get_ref<const std::string&>()) : valueOf(entry, depth + 1));
    }
    return Value(std::move(dict));
}

jinja::Dict variablesOf(const Json& json) {
    jinja::Dict variables;
    if (!json.is_object()) throw jinja::TemplateError{"The variables must be an object."};
    for (const auto& [name, entry] : json.items()) {
        const bool trusted = (name == "bos_token" || name == "eos_token") && entry.is_string();
        variables.set(Value::text(name),
                      trusted ? Value::text(entry.get_ref<const std::string&>()) : valueOf(entry, 1));
    }
    return variables;
}

} // namespace

struct ChatFormat::Program {
    jinja::Block body;
};

ChatFormat::ChatFormat() = default;
ChatFormat::ChatFormat(ChatFormat&&) noexcept = default;
ChatFormat& ChatFormat::operator=(ChatFormat&&) noexcept = default;
ChatFormat::~ChatFormat() = default;

Result<ChatFormat> ChatFormat::compile(std::string_view source) {
    try {
        ChatFormat format;
        format.m_program = std::make_unique<Program>();
        format.m_program->body = jinja::Parser(jinja::tokensOf(source)).parseTemplate();
        return format;
    } catch (const jinja::TemplateError& error) {
        return Error{error.sentence};
    }
}

Result<std::vector<RenderedPiece>> ChatFormat::render(const Json& variables, int64_t nowSeconds, int64_t steps) const {
    try {
        jinja::Interpreter interpreter(variablesOf(variables), nowSeconds, steps);
        const jinja::Text text = interpreter.run(m_program->body);
        std::vector<RenderedPiece> pieces;
        size_t from = 0;
        for (const auto& run : text.runs()) {
            pieces.push_back({text.bytes().substr(from, run.end - from), run.trusted});
            from = run.end;
        }
        return pieces;
    } catch (const jinja::TemplateError& error) {
        return Error{error.sentence};
    }
}

std::string joined(const std::vector<RenderedPiece>& pieces) {
    std::string text;
    for (const auto& piece : pieces)
        text += piece.text;
    return text;
}

} // namespace steelyard
