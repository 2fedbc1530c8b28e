#include "engine/template/characters.h"
#include "engine/template/interpreter.h"

#include <algorithm>
#include <cmath>

namespace steelyard::jinja {

namespace {

std::string unicodeEscape(uint32_t code) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += kHex[code >> shift & 0xF];
    return text;
}

// A character as JSON writes it; empty when it stands for itself.
std::string jsonEscape(uint32_t code, bool asciiOnly) {
    switch (code) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    default:
        break;
    }
    if (code < 0x20) return unicodeEscape(code);
    if (!asciiOnly || code < 0x7F) return {};
    if (code < 0x10000) return unicodeEscape(code);
    return unicodeEscape(0xD800 + ((code - 0x10000) >> 10)) + unicodeEscape(0xDC00 + ((code - 0x10000) & 0x3FF));
}

class JsonWriter {
public:
    JsonWriter(Interpreter& interpreter, const JsonStyle& style)
        : m_interpreter(interpreter), m_style(style),
          m_itemSeparator(style.itemSeparator.value_or(style.indent ? "," : ", ")),
          m_keySeparator(style.keySeparator.value_or(": ")) {}

    Text run(const Value& value) {
        write(value, 0);
        return std::move(m_text);
    }

private:
    void plain(std::string_view bytes) { m_text.append(bytes, true); }

    void newLine(int level) {
        if (!m_style.indent) return;
        plain("\n");
        for (int i = 0; i < level; ++i) {
            plain(*m_style.indent);
            m_interpreter.checkSize(m_text.size());
        }
    }

    void write(const Value& value, int level) {
        m_interpreter.checkSize(m_text.size());
        if (value.isNone())
            plain("null");
        else if (value.isBool())
            plain(value.boolean() ? "true" : "false");
        else if (value.isInteger())
            plain(std::to_string(value.integer()));
        else if (value.isFloat())
            plain(number(value.real()));
        else if (const auto* string = value.string())
            writeString(string->text);
        else if (const auto* list = value.list();
                 list &&
                 (list->flavor == Flavor::List || list->flavor == Flavor::Tuple || list->flavor == Flavor::Group))
            writeList(*list, level);
        else if (value.dict())
            writeDict(*value.dict(), level);
        else if (value.isUndefined())
            throw TemplateError{value.undefined()->what + ", so it has no JSON."};
        else
            throw TemplateError{"A " + typeName(value) + " has no JSON."};
    }

    static std::string number(double value) {
        return std::isnan(value)   ? "NaN"
               : std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity")
                                   : floatText(value);
    }

    void writeString(const Text& text) {
        const std::string_view bytes = text.bytes();
        plain("\"");
        size_t from = 0;
        forEachCharacter(bytes, [&](size_t begin, size_t end) {
            const uint32_t code = codePoint(bytes.substr(begin));
            const bool broken = code == 0xFFFD && end - begin == 1;
            const std::string escape =
                broken ? (m_style.asciiOnly ? "\\ufffd" : "\xEF\xBF\xBD") : jsonEscape(code, m_style.asciiOnly);
            if (escape.empty()) return;
            m_text.append(text, from, begin);
            m_text.appendLike(escape, text, begin);
            from = end;
        });
        m_text.append(text, from, bytes.size());
        plain("\"");
    }

    void writeList(const List& list, int level) {
        if (list.items.empty()) return plain("[]");
        plain("[");
        for (size_t i = 0; i < list.items.size(); ++i) {
            if (i > 0) plain(m_itemSeparator);
            newLine(level + 1);
            write(list.items[i], level + 1);
        }
        newLine(level);
        plain("]");
    }

    void writeKey(const Value& key) {
        if (const auto* string = key.string()) return writeString(string->text);
        if (key.list() || key.callable() || key.object())
            throw TemplateError{"A " + typeName(key) + " cannot be a key in JSON."};
        plain("\"");
        write(key, 0);
        plain("\"");
    }

    void writeDict(const Dict& dict, int level) {
        if (dict.entries.empty()) return plain("{}");
        std::vector<const std::pair<Value, Value>*> entries;
        for (const auto& entry : dict.entries)
            entries.push_back(&entry);
        if (m_style.sortKeys)
            std::stable_sort(entries.begin(), entries.end(),
                             [](const auto* a, const auto* b) { return compare(a->first, b->first) < 0; });
        plain("{");
        for (size_t i = 0; i < entries.size(); ++i) {
            if (i > 0) plain(m_itemSeparator);
            newLine(level + 1);
            writeKey(entries[i]->first);
            plain(m_keySeparator);
            write(entries[i]->second, level + 1);
        }
        newLine(level);
        plain("}");
    }

    Interpreter& m_interpreter;
    const JsonStyle& m_style;
    const std::string m_itemSeparator, m_keySeparator;
    Text m_text;
};

} // namespace

Text jsonText(Interpreter& interpreter, const Value& value, const JsonStyle& style) {
    interpreter.charge(weightOf(value));
    return JsonWriter(interpreter, style).run(value);
}

} // namespace steelyard::jinja
