#include "engine/template/string_operations.h"

#include "engine/template/characters.h"
#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

bool isLineEnd(uint32_t c) {
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

struct Span {
    size_t from, to;
};

std::vector<Span> charactersOf(std::string_view bytes) {
    std::vector<Span> spans;
    forEachCharacter(bytes, [&](size_t from, size_t to) { spans.push_back({from, to}); });
    return spans;
}

std::vector<Text> splitAtBlanks(const Text& text, int64_t limit, bool fromRight) {
    const std::string_view bytes = text.bytes();
    auto spans = charactersOf(bytes);
    const auto blank = [&](const Span& span) { return isSpace(codePoint(bytes.substr(span.from))); };
    std::vector<Text> parts;
    if (!fromRight) {
        size_t at = 0;
        while (true) {
            while (at < spans.size() && blank(spans[at]))
                ++at;
            if (at == spans.size()) break;
            if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) { // the rest keeps its blanks
                parts.push_back(text.slice(spans[at].from, spans.back().to));
                break;
            }
            size_t end = at;
            while (end < spans.size() && !blank(spans[end]))
                ++end;
            parts.push_back(text.slice(spans[at].from, spans[end - 1].to));
            at = end;
        }
        return parts;
    }
    size_t end = spans.size();
    while (true) {
        while (end > 0 && blank(spans[end - 1]))
            --end;
        if (end == 0) break;
        if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) {
            parts.push_back(text.slice(0, spans[end - 1].to));
            break;
        }
        size_t at = end;
        while (at > 0 && !blank(spans[at - 1]))
            --at;
        parts.push_back(text.slice(spans[at].from, spans[end - 1].to));
        end = at;
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
}

} // namespace

Text mapped(const Text& text, std::string (*change)(uint32_t)) {
    Text result;
    const std::string_view bytes = text.bytes();
    forEachCharacter(bytes, [&](size_t from, size_t to) {
        const uint32_t code = codePoint(bytes.substr(from));
        if (code == 0xFFFD)
            result.append(text, from, to);
        else
            result.appendLike(change(code), text, from);
    });
    return result;
}

Text capitalized(const Text& text) {
    if (text.empty()) return {};
    const size_t first = characterLength(text.bytes());
    Text result = mapped(text.slice(0, first), titleCase);
    result.append(mapped(text.slice(first, text.size()), lowerCase));
    return result;
}

Text stripped(const Text& text, const Text* characters, bool left, bool right) {
    const std::string_view bytes = text.bytes();
    const auto spans = charactersOf(bytes);
    const auto goes = [&](const Span& span) {
        if (!characters) return isSpace(codePoint(bytes.substr(span.from)));
        // A character of the set, never a part of one: UTF-8 finds whole characters only.
        return characters->bytes().find(bytes.substr(span.from, span.to - span.from)) != std::string::npos;
    };
    size_t from = 0, to = spans.size();
    while (left && from < to && goes(spans[from]))
        ++from;
    while (right && to > from && goes(spans[to - 1]))
        --to;
    return from == to ? Text() : text.slice(spans[from].from, spans[to - 1].to);
}

std::vector<Text> splitText(const Text& text, const Text* separator, int64_t limit, bool fromRight) {
    if (!separator) return splitAtBlanks(text, limit, fromRight);
    if (separator->empty()) throw TemplateError{"A text cannot be split at an empty separator."};
    const std::string& bytes = text.bytes();
    const std::string& cut = separator->bytes();
    std::vector<Text> parts;
    const auto more = [&] { return limit < 0 || static_cast<int64_t>(parts.size()) < limit; };
    if (!fromRight) {
        size_t at = 0;
        for (size_t found = 0; more() && (found = bytes.find(cut, at)) != std::string::npos; at = found + cut.size())
            parts.push_back(text.slice(at, found));
        parts.push_back(text.slice(at, bytes.size()));
        return parts;
    }
    size_t end = bytes.size();
    while (more() && end >= cut.size()) {
        const size_t found = bytes.rfind(cut, end - cut.size());
        if (found == std::string::npos) break;
        parts.push_back(text.slice(found + cut.size(), end));
        end = found;
    }
    parts.push_back(text.slice(0, end));
    std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<Text> splitLines(const Text& text, bool keepEnds) {
    const std::string_view bytes = text.bytes();
    std::vector<Text> lines;
    size_t start = 0, skip = 0;
    forEachCharacter(bytes, [&](size_t from, size_t to) {
        if (from < skip || !isLineEnd(codePoint(bytes.substr(from)))) return;
        if (bytes.substr(from, 2) == "\r\n") to = skip = from + 2;
        lines.push_back(text.slice(start, keepEnds ? to : from));
        start = to;
    });
    if (start < bytes.size()) lines.push_back(text.slice(start, bytes.size()));
    return lines;
}

Text replaced(Interpreter& interpreter, const Text& text, const Text& old, const Text& with, int64_t limit) {
    const std::string& bytes = text.bytes();
    Text result;
    size_t at = 0;
    const auto put = [&] {
        result.append(with);
        interpreter.checkSize(result.size());
        --limit;
    };
    if (old.empty()) { // between all characters
        forEachCharacter(bytes, [&](size_t from, size_t to) {
            if (limit != 0) put();
            result.append(text, from, to);
        });
        if (limit != 0) put();
        return result;
    }
    for (size_t found = 0; limit != 0 && (found = bytes.find(old.bytes(), at)) != std::string::npos;
         at = found + old.size()) {
        result.append(text, at, found);
        put();
    }
    result.append(text, at, bytes.size());
    return result;
}

Text centered(Interpreter& interpreter, const Text& text, int64_t width, const Text& fill) {
    const auto count = static_cast<int64_t>(characterCount(text.bytes()));
    if (width <= count) return text;
    interpreter.checkSize(text.size() + static_cast<size_t>(width - count) * fill.size());
    const int64_t missing = width - count, before = missing / 2 + (missing & width & 1);
    Text result;
    for (int64_t i = 0; i < before; ++i)
        result.append(fill);
    result.append(text);
    for (int64_t i = before; i < missing; ++i)
        result.append(fill);
    return result;
}

} // namespace steelyard::jinja
