// Filters over single values, and the search through all filters.
#include "engine/template/interpreter.h"
#include "engine/template/number_format.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace steelyard::jinja {

namespace {

void requireDefined(const Value& value) {
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
}

Value absFilter(Interpreter&, const Value& input, Arguments&) {
    requireDefined(input);
    if (const auto integer = input.asInteger()) {
        if (*integer == INT64_MIN) throw TemplateError{"A number is too large."};
        return Value(*integer < 0 ? -*integer : *integer);
    }
    if (!input.isFloat()) throw TemplateError{"A " + typeName(input) + " has no absolute value."};
    return Value(std::fabs(input.real()));
}

Value attributeFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("attr", arguments, {"name"});
    // Only attributes, never the keys of a dict.
    if (input.dict() && !findDictMethod(reader.text(0).bytes()))
        return Value(Undefined{"A dict has no attribute '" + reader.text(0).bytes() + "'"});
    return interpreter.attribute(input, reader.text(0).bytes());
}

Value defaultFilter(Interpreter&, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("default", arguments, {"default_value", "boolean"});
    const bool replace = input.isUndefined() || (reader.flag(1, false) && !truth(input));
    if (!replace) return input;
    return reader[0] ? *reader[0] : Value::text("");
}

// Python's float() of a text: blanks around and single underscores between digits are allowed.
std::optional<double> floatFromText(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    std::string digits;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool between = i > 0 && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i - 1])) &&
                             std::isdigit(static_cast<unsigned char>(text[i + 1]));
        if (text[i] == '_' && between) continue;
        digits += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
    const std::string unsignedPart = digits.substr(!digits.empty() && (digits[0] == '-' || digits[0] == '+') ? 1 : 0);
    const bool word = unsignedPart == "inf" || unsignedPart == "infinity" || unsignedPart == "nan";
    if (!word && (unsignedPart.empty() || unsignedPart.find_first_not_of("0123456789.e+-") != std::string::npos))
        return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (end != digits.c_str() + digits.size()) return std::nullopt;
    return value;
}

// Python's int() of a text in a base.
std::optional<int64_t> integerFromText(std::string_view text, int base) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    const char letter = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 32) : '\0';
    const int prefixBase = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    if (prefixBase != 0 && (base == prefixBase || base == 0)) {
        text.remove_prefix(2);
        base = prefixBase;
    }
    if (base == 0) base = 10;
    std::string digits;
    for (size_t i = 0; i < text.size(); ++i)
        if (text[i] != '_' || i == 0 || i + 1 == text.size() || text[i - 1] == '_') digits += text[i];
    if (digits.empty() || !std::isalnum(static_cast<unsigned char>(digits[0]))) return std::nullopt;
    errno = 0;
    char* end = nullptr;
    const std::string number = (negative ? "-" : "") + digits;
    const long long value = std::strtoll(number.c_str(), &end, base);
    if (*end != '\0') return std::nullopt;
    if (errno == ERANGE) throw TemplateError{"A number is too large."};
    return value;
}

std::optional<int64_t> integerFromFloat(double value) {
    if (!std::isfinite(value)) return std::nullopt;
    if (std::fabs(value) >= 9.2e18) throw TemplateError{"A number is too large."};
    return static_cast<int64_t>(value);
}

Value intFilter(Interpreter&, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("int", arguments, {"default", "base"});
    requireDefined(input);
    const int64_t base = reader.integer(1, 10);
    if (base != 0 && (base < 2 || base > 36)) throw TemplateError{"'int' needs a base from 2 to 36."};
    std::optional<int64_t> value;
    if (const auto* string = input.string()) {
        value = integerFromText(string->text.bytes(), static_cast<int>(base));
        if (!value)
            if (const auto real = floatFromText(string->text.bytes())) value = integerFromFloat(*real);
    } else if (input.isFloat()) {
        value = integerFromFloat(input.real());
    } else {
        value = input.asInteger();
    }
    if (value) return Value(*value);
    return reader[0] ? *reader[0] : Value(int64_t(0));
}

Value floatFilter(Interpreter&, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("float", arguments, {"default"});
    requireDefined(input);
    const auto value = input.string() ? floatFromText(input.string()->text.bytes()) : input.asFloat();
    if (value) return Value(*value);
    return reader[0] ? *reader[0] : Value(0.0);
}

Value roundFilter(Interpreter&, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("round", arguments, {"precision", "method"});
    requireDefined(input);
    const std::string method = reader[1] ? reader.text(1).bytes() : "common";
    const int64_t precision = std::clamp<int64_t>(reader.integer(0, 0), -330, 330);
    const auto real = input.asFloat();
    if (!real) throw TemplateError{"A " + typeName(input) + " cannot be rounded."};
    if (method == "ceil" || method == "floor") {
        const double scale = std::pow(10.0, static_cast<double>(precision)), scaled = *real * scale;
        return Value((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
    }
    if (method != "common") throw TemplateError{"'round' knows the methods common, ceil and floor."};
    if (input.asInteger() && precision >= 0) return Value(*input.asInteger());
    if (!std::isfinite(*real)) return input;
    if (precision < 0) {
        const double scale = std::pow(10.0, static_cast<double>(-precision)),
                     rounded = std::nearbyint(*real / scale) * scale;
        return input.asInteger() ? Value(static_cast<int64_t>(rounded)) : Value(rounded);
    }
    // The decimal digits of the exact value, ties to even, as Python rounds.
    NumberFormat format;
    format.precision = static_cast<int>(precision);
    return Value(std::strtod(formatFloat(*real, 'f', format).c_str(), nullptr));
}

Value toJsonFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonStyle style;
    style.asciiOnly = reader.flag(0, false);
    style.sortKeys = reader.flag(3, false);
    if (reader[1] && reader[1]->string()) {
        style.indent = reader.text(1).bytes();
    } else if (reader[1] && !reader[1]->isNone()) {
        const int64_t width = std::max<int64_t>(reader.integer(1, 0), 0);
        interpreter.checkSize(static_cast<size_t>(width));
        style.indent = std::string(static_cast<size_t>(width), ' ');
    }
    if (reader[2] && !reader[2]->isNone()) {
        const auto separators = itemsOf(*reader[2]);
        if (separators.size() != 2) throw TemplateError{"'tojson' needs two separators."};
        style.itemSeparator = interpreter.textOf(separators[0]).bytes();
        style.keySeparator = interpreter.textOf(separators[1]).bytes();
    }
    return interpreter.string(jsonText(interpreter, input, style));
}

Value fileSizeFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("filesizeformat", arguments, {"binary"});
    const bool binary = reader.flag(0, false);
    const auto bytes = input.string() ? floatFromText(input.string()->text.bytes()) : input.asFloat();
    if (!bytes) throw TemplateError{"'filesizeformat' needs a number."};
    const double base = binary ? 1024 : 1000;
    constexpr const char* kPrefixes[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
    std::string text;
    if (*bytes == 1) {
        text = "1 Byte";
    } else if (*bytes < base) {
        text = std::to_string(static_cast<int64_t>(*bytes)) + " Bytes";
    } else {
        double unit = base;
        size_t prefix = 0;
        while (prefix + 1 < std::size(kPrefixes) && *bytes >= unit * base) {
            unit *= base;
            ++prefix;
        }
        NumberFormat format;
        format.precision = 1;
        const std::string name = binary ? (prefix == 0 ? std::string("Ki") : std::string(kPrefixes[prefix]) + "i")
                                        : std::string(kPrefixes[prefix]);
        text = formatFloat(*bytes / unit, 'f', format) + " " + name + "B";
    }
    return interpreter.string(Text(text, true));
}

Value prettyFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return interpreter.string(interpreter.reprOf(input));
}

constexpr NamedRow<Filter> kFilters[] = {
    {"abs", absFilter},         {"attr", attributeFilter},          {"d", defaultFilter},
    {"default", defaultFilter}, {"filesizeformat", fileSizeFilter}, {"float", floatFilter},
    {"int", intFilter},         {"pprint", prettyFilter},           {"round", roundFilter},
    {"tojson", toJsonFilter},
};

} // namespace

std::span<const NamedRow<Filter>> valueFilters() {
    return kFilters;
}

Filter findFilter(std::string_view name) {
    for (const auto& table : {textFilters(), sequenceFilters(), selectionFilters(), valueFilters()})
        for (const auto& row : table)
            if (row.name == name) return row.function;
    return nullptr;
}

} // namespace steelyard::jinja
