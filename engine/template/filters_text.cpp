// Filters that make a text of a text. What is no text is turned into one first.
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"
#include "engine/template/string_operations.h"

#include <algorithm>
#include <cmath>

namespace steelyard::jinja {

namespace {

bool isMarkup(const Value& value) {
    return value.string() && value.string()->markup;
}

Value made(Interpreter& interpreter, const Value& input, Text text) {
    return interpreter.string(std::move(text), isMarkup(input));
}

Value capitalizeFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return made(interpreter, input, capitalized(interpreter.textOf(input)));
}
Value lowerFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return made(interpreter, input, mapped(interpreter.textOf(input), lowerCase));
}
Value upperFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return made(interpreter, input, mapped(interpreter.textOf(input), upperCase));
}

Value stringFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return input.string() ? input : interpreter.string(interpreter.textOf(input));
}
Value safeFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return interpreter.string(interpreter.textOf(input), true);
}

Value escapeFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return isMarkup(input) ? input : interpreter.string(escapedText(interpreter.textOf(input)), true);
}
Value forceEscapeFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    return interpreter.string(escapedText(interpreter.textOf(input)), true);
}

Value trimFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("trim", arguments, {"chars"});
    const auto characters = reader.optionalText(0);
    return made(interpreter, input,
                stripped(interpreter.textOf(input), characters ? &*characters : nullptr, true, true));
}

Value replaceFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("replace", arguments, {"old", "new", "count"});
    const int64_t count = reader[2] && !reader[2]->isNone() ? reader.integer(2, -1) : -1;
    return made(interpreter, input,
                replaced(interpreter, interpreter.textOf(input), interpreter.textOf(reader.required(0)),
                         interpreter.textOf(reader.required(1)), count));
}

Value centerFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("center", arguments, {"width"});
    return made(interpreter, input,
                centered(interpreter, interpreter.textOf(input), reader.integer(0, 80), Text(" ", true)));
}

// A word begins behind blanks, '-' and opening brackets.
Value titleFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    const Text text = interpreter.textOf(input);
    const std::string_view bytes = text.bytes();
    Text result;
    bool begins = true;
    forEachCharacter(bytes, [&](size_t from, size_t) {
        const uint32_t code = codePoint(bytes.substr(from));
        result.appendLike(begins ? upperCase(code) : lowerCase(code), text, from);
        begins = isSpace(code) || code == '-' || code == '(' || code == '{' || code == '[' || code == '<';
    });
    return made(interpreter, input, std::move(result));
}

Value indentFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("indent", arguments, {"width", "first", "blank"});
    const bool first = reader.flag(1, false), blank = reader.flag(2, false);
    Text indent;
    if (reader[0] && reader[0]->string()) {
        indent = reader.text(0);
    } else {
        const int64_t width = std::max<int64_t>(reader.integer(0, 4), 0);
        interpreter.checkSize(static_cast<size_t>(width));
        indent.append(std::string(static_cast<size_t>(width), ' '), true);
    }
    Text source = interpreter.textOf(input);
    source.append("\n", true); // a line end at the end stays one
    Text result;
    bool isFirst = true;
    for (const auto& line : splitLines(source, false)) {
        if (!isFirst) result.append("\n", true);
        if (isFirst ? first : blank || !line.empty()) result.append(indent);
        result.append(line);
        interpreter.checkSize(result.size());
        isFirst = false;
    }
    return made(interpreter, input, std::move(result));
}

Value truncateFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("truncate", arguments, {"length", "killwords", "end", "leeway"});
    const int64_t length = reader.integer(0, 255),
                  leeway = reader[3] && !reader[3]->isNone() ? reader.integer(3, 5) : 5;
    const Text end = reader[2] ? reader.text(2) : Text("...", true);
    const auto endLength = static_cast<int64_t>(characterCount(end.bytes()));
    if (length < endLength || leeway < 0)
        throw TemplateError{"'truncate' needs a length of at least its end's and a leeway of at least zero."};
    const Text text = interpreter.textOf(input);
    if (static_cast<int64_t>(characterCount(text.bytes())) <= length + leeway) return made(interpreter, input, text);
    Text result = text.slice(0, byteOfCharacter(text.bytes(), static_cast<size_t>(length - endLength)));
    const size_t blank = result.bytes().rfind(' ');
    if (!reader.flag(1, false) && blank != std::string::npos) result = result.slice(0, blank);
    result.append(end);
    return made(interpreter, input, std::move(result));
}

Value wordCountFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    const Text text = interpreter.textOf(input);
    int64_t words = 0;
    bool inWord = false;
    forEachCharacter(text.bytes(), [&](size_t from, size_t) {
        const bool word = isWordCharacter(codePoint(std::string_view(text.bytes()).substr(from)));
        words += word && !inWord ? 1 : 0;
        inWord = word;
    });
    return Value(words);
}

// One paragraph in lines of at most `width` characters.
void wrapParagraph(Interpreter& interpreter, const Text& paragraph, size_t width, bool breakLong, const Text& separator,
                   Text& result) {
    Text line;
    const auto put = [&](bool last) {
        const Text trimmed = stripped(line, nullptr, false, true);
        result.append(trimmed);
        if (!last) result.append(separator);
        interpreter.checkSize(result.size());
        line = Text();
    };
    const auto lengthOfText = [](const Text& text) { return characterCount(text.bytes()); };
    const std::string_view bytes = paragraph.bytes();
    for (size_t at = 0; at < bytes.size();) {
        const bool blanks = bytes[at] == ' ';
        size_t end = at;
        while (end < bytes.size() && (bytes[end] == ' ') == blanks)
            ++end;
        Text chunk = paragraph.slice(at, end);
        at = end;
        if (blanks) {
            if (!line.empty() && lengthOfText(line) + lengthOfText(chunk) <= width)
                line.append(chunk);
            else if (!line.empty())
                put(false);
            else if (result.empty() || line.empty()) {
                if (at == end && result.empty()) line.append(chunk);
            }
            continue;
        }
        if (!line.empty() && lengthOfText(line) + lengthOfText(chunk) > width) put(false);
        while (breakLong && lengthOfText(chunk) > width) {
            const size_t cut = byteOfCharacter(chunk.bytes(), width);
            line = chunk.slice(0, cut);
            chunk = chunk.slice(cut, chunk.size());
            put(false);
        }
        line.append(chunk);
    }
    put(true);
}

Value wordWrapFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("wordwrap", arguments, {"width", "break_long_words", "wrapstring", "break_on_hyphens"});
    const int64_t width = reader.integer(0, 79);
    if (width <= 0) throw TemplateError{"'wordwrap' needs a width above zero."};
    const Text separator = reader.optionalText(2).value_or(Text("\n", true));
    const auto paragraphs = splitLines(interpreter.textOf(input), false);
    Text result;
    for (size_t i = 0; i < paragraphs.size(); ++i) {
        if (i > 0) result.append(separator);
        Text wrapped;
        wrapParagraph(interpreter, paragraphs[i], static_cast<size_t>(width), reader.flag(1, true), separator, wrapped);
        result.append(wrapped);
    }
    return made(interpreter, input, std::move(result));
}

// Without tags and comments, blanks in runs as one.
Value stripTagsFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    const Text text = interpreter.textOf(input);
    const std::string& bytes = text.bytes();
    Text plain;
    for (size_t at = 0; at < bytes.size();) {
        const size_t open = std::min(bytes.find('<', at), bytes.size());
        plain.append(text, at, open);
        if (open == bytes.size()) break;
        const bool comment = bytes.compare(open, 4, "<!--") == 0;
        const size_t close = bytes.find(comment ? "-->" : ">", open);
        if (close == std::string::npos) {
            plain.append(text, open, bytes.size());
            break;
        }
        at = close + (comment ? 3 : 1);
    }
    Text result;
    for (const auto& word : splitText(plain, nullptr, -1, false)) {
        if (!result.empty()) result.append(" ", true);
        result.append(word);
    }
    return interpreter.string(std::move(result));
}

// As part of an address, or of its query ("a=b+c").
std::string urlEncoded(std::string_view bytes, bool inQuery) {
    constexpr char kHex[] = "0123456789ABCDEF";
    std::string result;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '_' || c == '.' || c == '~' || (!inQuery && c == '/');
        if (plain)
            result += c;
        else if (inQuery && c == ' ')
            result += '+';
        else
            result += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
    return result;
}

Value urlEncodeFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    if (input.string() || !(input.list() || input.dict()))
        return interpreter.string(Text(urlEncoded(interpreter.textOf(input).bytes(), false), false));
    std::string result;
    const auto add = [&](const Value& key, const Value& value) {
        if (!result.empty()) result += '&';
        result += urlEncoded(interpreter.textOf(key).bytes(), true) + "=" +
                  urlEncoded(interpreter.textOf(value).bytes(), true);
        interpreter.checkSize(result.size());
    };
    if (const auto* dict = input.dict()) {
        for (const auto& entry : dict->entries)
            add(entry.first, entry.second);
    } else {
        for (const auto& pair : itemsOf(input)) {
            const auto parts = itemsOf(pair);
            if (parts.size() != 2) throw TemplateError{"'urlencode' needs pairs."};
            add(parts[0], parts[1]);
        }
    }
    return interpreter.string(Text(result, false));
}

Value formatFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    Value values = makeList(arguments.positional, Flavor::Tuple);
    if (!arguments.named.empty()) {
        if (!arguments.positional.empty())
            throw TemplateError{"'format' takes values with names or without, not both."};
        Dict dict;
        for (const auto& entry : arguments.named)
            dict.set(Value::text(entry.first), entry.second);
        values = Value(std::move(dict));
    }
    return made(interpreter, input, formatPercent(interpreter, interpreter.textOf(input), values));
}

Value xmlAttributesFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("xmlattr", arguments, {"autospace"});
    if (!input.dict()) throw TemplateError{"'xmlattr' needs a dict."};
    Text text;
    for (const auto& entry : input.dict()->entries) {
        if (entry.second.isNone() || entry.second.isUndefined()) continue;
        if (!text.empty() || reader.flag(0, true)) text.append(" ", true);
        text.append(escapedText(interpreter.textOf(entry.first)));
        text.append("=\"", true);
        text.append(escapedText(interpreter.textOf(entry.second)));
        text.append("\"", true);
        interpreter.checkSize(text.size());
    }
    return interpreter.string(std::move(text));
}

constexpr NamedRow<Filter> kFilters[] = {
    {"capitalize", capitalizeFilter},
    {"center", centerFilter},
    {"e", escapeFilter},
    {"escape", escapeFilter},
    {"forceescape", forceEscapeFilter},
    {"format", formatFilter},
    {"indent", indentFilter},
    {"lower", lowerFilter},
    {"replace", replaceFilter},
    {"safe", safeFilter},
    {"string", stringFilter},
    {"striptags", stripTagsFilter},
    {"title", titleFilter},
    {"trim", trimFilter},
    {"truncate", truncateFilter},
    {"upper", upperFilter},
    {"urlencode", urlEncodeFilter},
    {"wordcount", wordCountFilter},
    {"wordwrap", wordWrapFilter},
    {"xmlattr", xmlAttributesFilter},
};

} // namespace

std::span<const NamedRow<Filter>> textFilters() {
    return kFilters;
}

} // namespace steelyard::jinja
