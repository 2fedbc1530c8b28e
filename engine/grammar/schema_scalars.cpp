// Strings and numbers of a JSON schema.
#include "engine/grammar/schema_compiler.h"

#include <algorithm>
#include <cmath>

namespace steelyard::grammar {

namespace {

const CharacterSet kControls{{0, 0x1F}, {0x7F, 0x7F}};
constexpr uint32_t kLongestString = 50000;

CharacterSet hexDigits() { return {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}; }

// Any character by its number, without halves of pairs.
ExpressionId numberedCharacter(Rules& rules) {
    const ExpressionId hex = rules.characters(hexDigits());
    const ExpressionId plain = rules.sequence({rules.characters({{'0', '9'}, {'A', 'C'}, {'E', 'F'}, {'a', 'c'}, {'e', 'f'}}), rules.repeat(hex, 3, 3)});
    const ExpressionId belowPairs = rules.sequence({rules.characters({{'D', 'D'}, {'d', 'd'}}), rules.characters({{'0', '7'}}), rules.repeat(hex, 2, 2)});
    return rules.sequence({rules.text("\\u"), rules.choice({plain, belowPairs})});
}

// A whole number of a schema, as far as 64 bits go.
std::optional<int64_t> wholeLimit(const SchemaJson& schema, const char* key, bool roundsUp) {
    const auto found = schema.find(key);
    if (found == schema.end()) return std::nullopt;
    if (found->is_number_unsigned() && found->get<uint64_t>() > INT64_MAX) throw SchemaRefusal{std::string("The number of \"") + key + "\" is too large."};
    if (found->is_number_integer()) return found->get<int64_t>();
    if (!found->is_number()) throw SchemaRefusal{std::string("\"") + key + "\" must be a number."};
    const double value = roundsUp ? std::ceil(found->get<double>()) : std::floor(found->get<double>());
    if (!(std::fabs(value) < 9e15)) throw SchemaRefusal{std::string("The number of \"") + key + "\" is too large."};
    return static_cast<int64_t>(value);
}

std::optional<NumberLimit> decimalLimit(const SchemaJson& schema, const char* key, bool exclusive) {
    const auto found = schema.find(key);
    if (found == schema.end()) return std::nullopt;
    if (!found->is_number()) throw SchemaRefusal{std::string("\"") + key + "\" must be a number."};
    std::string text = found->dump();
    if (text.find('e') != std::string::npos) throw SchemaRefusal{std::string("The number of \"") + key + "\" has too many digits."};
    return NumberLimit{std::move(text), exclusive};
}

} // namespace

ExpressionId stringCharacters(Rules& rules, const CharacterSet& set) {
    static constexpr struct {
        char character, letter;
    } kEscapes[] = {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};
    const auto has = [&](uint32_t code) { return !intersection(set, {{code, code}}).empty(); };
    std::vector<CharacterRange> escaped(kControls);
    escaped.push_back({'"', '"'});
    escaped.push_back({'\\', '\\'});
    std::vector<ExpressionId> choices{rules.characters(intersection(set, complement(normalized(std::move(escaped)))))};
    std::vector<CharacterRange> letters;
    for (const auto& escape : kEscapes)
        if (has(static_cast<uint32_t>(escape.character))) letters.push_back({static_cast<uint32_t>(escape.letter), static_cast<uint32_t>(escape.letter)});
    if (!letters.empty()) choices.push_back(rules.sequence({rules.text("\\"), rules.characters(normalized(std::move(letters)))}));
    for (uint32_t high = 0; high < 2; ++high) { // what is left of the controls goes by its number
        std::vector<CharacterRange> digits;
        for (uint32_t low = 0; low < 16; ++low) {
            const uint32_t code = high * 16 + low;
            const bool hasLetter = code == '\b' || code == '\f' || code == '\n' || code == '\r' || code == '\t';
            const auto digit = static_cast<uint32_t>(low < 10 ? '0' + low : 'a' + low - 10);
            if (!hasLetter && has(code)) digits.push_back({digit, digit});
        }
        if (!digits.empty()) choices.push_back(rules.sequence({rules.text(high == 0 ? "\\u000" : "\\u001"), rules.characters(normalized(std::move(digits)))}));
    }
    if (has(0x7F)) choices.push_back(rules.text("\\u007f"));
    return rules.choice(std::move(choices));
}

ExpressionId SchemaCompiler::makeCharacter() {
    return m_rules.choice({stringCharacters(m_rules, complement({})), numberedCharacter(m_rules)});
}

ExpressionId SchemaCompiler::makeString() { return quoted(m_rules.repeat(character(), 0, std::nullopt)); }

ExpressionId SchemaCompiler::makeInteger() { return wholeNumbers(m_rules, std::nullopt, std::nullopt); }

ExpressionId SchemaCompiler::makeNumber() {
    const ExpressionId digit = m_rules.characters({{'0', '9'}});
    const ExpressionId fraction = m_rules.sequence({m_rules.text("."), m_rules.repeat(digit, 1, 16)});
    // Two digits keep the number within what all readers can hold.
    const ExpressionId exponent = m_rules.sequence(
        {m_rules.characters({{'E', 'E'}, {'e', 'e'}}), m_rules.optional(m_rules.characters({{'+', '+'}, {'-', '-'}})), m_rules.repeat(digit, 1, 2)});
    const ExpressionId whole = m_rules.choice({m_rules.text("0"), m_rules.sequence({m_rules.characters({{'1', '9'}}), m_rules.repeat(digit, 0, 15)})});
    return m_rules.sequence({m_rules.optional(m_rules.text("-")), whole, m_rules.optional(fraction), m_rules.optional(exponent)});
}

ExpressionId SchemaCompiler::string(const SchemaJson& schema) {
    const auto least = countOf(schema, "minLength"), most = countOf(schema, "maxLength");
    const bool hasPattern = schema.contains("pattern"), hasFormat = schema.contains("format"), hasLength = least || most;
    if (hasPattern + hasFormat + hasLength > 1) throw SchemaRefusal{"\"pattern\", \"format\" and a length of a string are not supported together."};
    if (hasPattern) {
        if (!schema["pattern"].is_string()) throw SchemaRefusal{"\"pattern\" must be a text."};
        return quoted(patternContent(m_rules, schema["pattern"].get<std::string>()));
    }
    if (hasFormat) {
        if (!schema["format"].is_string()) throw SchemaRefusal{"\"format\" must be a text."};
        return quoted(format(schema["format"].get<std::string>()));
    }
    if (!hasLength) return anyString();
    if (most.value_or(0) > kLongestString || least.value_or(0) > kLongestString)
        throw SchemaRefusal{"A length of a string beyond " + std::to_string(kLongestString) + " is not supported."};
    return quoted(m_rules.repeat(character(), least.value_or(0), most));
}

// Days beyond the end of a month are possible; the form is what counts.
ExpressionId SchemaCompiler::format(const std::string& name) {
    static const char* const kDate = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
    static const char* const kTime = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])";
    static const std::string kByte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    const std::map<std::string, std::string> patterns = {
        {"date", kDate},
        {"time", kTime},
        {"date-time", std::string(kDate) + "T" + kTime},
        {"uuid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"},
        {"email", "[A-Za-z0-9_+-]{1,32}(\\.[A-Za-z0-9_+-]{1,32}){0,3}@([A-Za-z0-9]{1,32}\\.){1,4}[A-Za-z]{2,16}"},
        {"ipv4", kByte + "(\\." + kByte + "){3}"},
    };
    const auto found = patterns.find(name);
    if (found == patterns.end()) throw SchemaRefusal{"The format \"" + name.substr(0, 60) + "\" is not supported."};
    return patternContent(m_rules, "^(" + found->second + ")$");
}

ExpressionId SchemaCompiler::integer(const SchemaJson& schema) {
    auto least = wholeLimit(schema, "minimum", true), most = wholeLimit(schema, "maximum", false);
    const auto above = wholeLimit(schema, "exclusiveMinimum", false), below = wholeLimit(schema, "exclusiveMaximum", true);
    if (above && *above < INT64_MAX) least = std::max(least.value_or(INT64_MIN), *above + 1);
    if (below && *below > INT64_MIN) most = std::min(most.value_or(INT64_MAX), *below - 1);
    if (!least && !most) return anyInteger();
    if (least && most && *least > *most) throw SchemaRefusal{"The minimum of a number is above its maximum."};
    return wholeNumbers(m_rules, least, most);
}

ExpressionId SchemaCompiler::number(const SchemaJson& schema) {
    const auto least = decimalLimit(schema, "minimum", false), most = decimalLimit(schema, "maximum", false);
    const auto above = decimalLimit(schema, "exclusiveMinimum", true), below = decimalLimit(schema, "exclusiveMaximum", true);
    if ((least && above) || (most && below)) throw SchemaRefusal{"Two minima or two maxima of one number are not supported."};
    if (!least && !above && !most && !below) return anyNumber();
    const auto value = [&](const char* a, const char* b) { return schema.contains(a) ? schema[a].get<double>() : schema.contains(b) ? schema[b].get<double>() : NAN; };
    const double low = value("minimum", "exclusiveMinimum"), high = value("maximum", "exclusiveMaximum");
    if (low > high || (low == high && (above || below))) throw SchemaRefusal{"The minimum of a number is above its maximum."};
    return decimalNumbers(m_rules, least ? least : above, most ? most : below);
}

} // namespace steelyard::grammar
