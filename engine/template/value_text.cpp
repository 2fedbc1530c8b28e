// Values as text: Python's str() and repr().
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"

#include <charconv>
#include <cmath>

namespace steelyard::jinja {

namespace {

std::string hexEscape(char kind, uint32_t code, int digits) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string text = {'\\', kind};
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        text += kHex[code >> shift & 0xF];
    return text;
}

// A character as repr() writes it between quotes; empty when it stands for itself.
std::string reprEscape(uint32_t code, char quote) {
    if (code == static_cast<uint32_t>(quote) || code == '\\') return {'\\', static_cast<char>(code)};
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    if (isPrintable(code)) return {};
    return code < 0x100 ? hexEscape('x', code, 2) : code < 0x10000 ? hexEscape('u', code, 4) : hexEscape('U', code, 8);
}

void appendStringRepr(Text& out, const Text& text) {
    const std::string_view bytes = text.bytes();
    const char quote =
        bytes.find('\'') != std::string_view::npos && bytes.find('"') == std::string_view::npos ? '"' : '\'';
    out.append({&quote, 1}, true);
    forEachCharacter(bytes, [&](size_t from, size_t to) {
        const std::string escape = reprEscape(codePoint(bytes.substr(from)), quote);
        if (escape.empty())
            out.append(text, from, to);
        else
            out.appendLike(escape, text, from);
    });
    out.append({&quote, 1}, true);
}

struct Brackets {
    const char *open, *close;
};

Brackets bracketsOf(Flavor flavor) {
    switch (flavor) {
    case Flavor::List:
    case Flavor::Generator:
        return {"[", "]"};
    case Flavor::Tuple:
    case Flavor::Group:
        return {"(", ")"};
    case Flavor::Range:
        return {"range(", ")"};
    case Flavor::Keys:
        return {"dict_keys([", "])"};
    case Flavor::Values:
        return {"dict_values([", "])"};
    case Flavor::Items:
        return {"dict_items([", "])"};
    }
    return {"[", "]"};
}

} // namespace

std::string floatText(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    std::string_view text(buffer, static_cast<size_t>(end - buffer));
    std::string result;
    if (text.front() == '-') {
        result = "-";
        text.remove_prefix(1);
    }
    const size_t mark = text.find('e');
    std::string digits(text.substr(0, mark));
    if (digits.size() > 1) digits.erase(1, 1); // the point
    int exponent = 0;
    const size_t sign = text[mark + 1] == '+' ? 1 : 0;
    std::from_chars(text.data() + mark + 1 + sign, text.data() + text.size(), exponent);
    const auto count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        result += digits.substr(0, 1);
        if (count > 1) result += "." + digits.substr(1);
        const std::string power = std::to_string(std::abs(exponent));
        return result + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
    }
    if (exponent < 0) return result + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
    if (count <= exponent + 1)
        return result + digits + std::string(static_cast<size_t>(exponent + 1 - count), '0') + ".0";
    return result + digits.substr(0, static_cast<size_t>(exponent + 1)) + "." +
           digits.substr(static_cast<size_t>(exponent + 1));
}

Text Interpreter::textOf(const Value& value) {
    if (value.isUndefined()) return {};
    if (const auto* string = value.string()) return string->text;
    return reprOf(value);
}

Text Interpreter::reprOf(const Value& value) {
    Text text;
    charge(weightOf(value));
    appendRepr(text, value);
    return text;
}

void Interpreter::appendRepr(Text& text, const Value& value) {
    checkSize(text.size());
    const auto plain = [&](std::string_view bytes) { text.append(bytes, true); };
    if (value.isNone()) return plain("None");
    if (value.isUndefined()) return plain("Undefined");
    if (value.isBool()) return plain(value.boolean() ? "True" : "False");
    if (value.isInteger()) return plain(std::to_string(value.integer()));
    if (value.isFloat()) return plain(floatText(value.real()));
    if (const auto* string = value.string()) return appendStringRepr(text, string->text);
    if (const auto* callable = value.callable()) return plain("<function " + callable->name + ">");
    if (const auto* object = value.object()) return plain("<" + object->kind + ">");
    if (const auto* dict = value.dict()) {
        plain("{");
        for (size_t i = 0; i < dict->entries.size(); ++i) {
            if (i > 0) plain(", ");
            appendRepr(text, dict->entries[i].first);
            plain(": ");
            appendRepr(text, dict->entries[i].second);
        }
        return plain("}");
    }
    const List& list = *value.list();
    if (list.shown) return plain(*list.shown);
    if (list.flavor == Flavor::Generator) return plain("<generator object>");
    const Brackets brackets = bracketsOf(list.flavor);
    plain(brackets.open);
    for (size_t i = 0; i < list.items.size(); ++i) {
        if (i > 0) plain(", ");
        appendRepr(text, list.items[i]);
    }
    if (list.items.size() == 1 && (list.flavor == Flavor::Tuple || list.flavor == Flavor::Group)) plain(",");
    plain(brackets.close);
}

Text escapedText(const Text& text) {
    Text result;
    const std::string_view bytes = text.bytes();
    size_t from = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
        const char* entity = bytes[i] == '&'    ? "&amp;"
                             : bytes[i] == '<'  ? "&lt;"
                             : bytes[i] == '>'  ? "&gt;"
                             : bytes[i] == '\'' ? "&#39;"
                             : bytes[i] == '"'  ? "&#34;"
                                                : nullptr;
        if (!entity) continue;
        result.append(text, from, i);
        result.appendLike(entity, text, i);
        from = i + 1;
    }
    result.append(text, from, bytes.size());
    return result;
}

} // namespace steelyard::jinja
