// The methods of strings, as Python has them.
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"
#include "engine/template/string_operations.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

const Text& textOf(const Value& self) {
    return self.string()->text;
}

Value made(Interpreter& interpreter, const Value& self, Text text) {
    return interpreter.string(std::move(text), self.string()->markup);
}

Value listOf(Interpreter& interpreter, const Value& self, std::vector<Text> texts, Flavor flavor = Flavor::List) {
    std::vector<Value> items;
    items.reserve(texts.size());
    interpreter.charge(static_cast<int64_t>(texts.size()));
    for (auto& text : texts)
        items.push_back(made(interpreter, self, std::move(text)));
    return makeList(std::move(items), flavor);
}

void requireNone(const char* name, const Arguments& arguments) {
    const ArgumentReader reader(name, arguments, {});
}

template <std::string (*change)(uint32_t)>
Value mapMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    requireNone("upper or lower", arguments);
    return made(interpreter, self, mapped(textOf(self), change));
}

Value capitalizeMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    requireNone("capitalize", arguments);
    return made(interpreter, self, capitalized(textOf(self)));
}

// A word begins at each letter that follows none.
Value titleMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    requireNone("title", arguments);
    const Text& text = textOf(self);
    Text result;
    bool inWord = false;
    forEachCharacter(text.bytes(), [&](size_t from, size_t) {
        const uint32_t code = codePoint(std::string_view(text.bytes()).substr(from));
        const bool cased = isUpper(code) || isLower(code);
        result.appendLike(inWord ? lowerCase(code) : titleCase(code), text, from);
        inWord = cased;
    });
    return made(interpreter, self, std::move(result));
}

std::string swappedCase(uint32_t code) {
    return isUpper(code) ? lowerCase(code) : upperCase(code);
}

template <bool left, bool right>
Value stripMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("strip", arguments, {"chars"});
    const auto characters = reader.optionalText(0);
    return made(interpreter, self, stripped(textOf(self), characters ? &*characters : nullptr, left, right));
}

template <bool fromRight>
Value splitMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("split", arguments, {"sep", "maxsplit"});
    const auto separator = reader.optionalText(0);
    return listOf(interpreter, self,
                  splitText(textOf(self), separator ? &*separator : nullptr, reader.integer(1, -1), fromRight));
}

Value splitLinesMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("splitlines", arguments, {"keepends"});
    return listOf(interpreter, self, splitLines(textOf(self), reader.flag(0, false)));
}

template <bool fromRight>
Value partitionMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("partition", arguments, {"sep"});
    const Text& text = textOf(self);
    const Text& separator = reader.text(0);
    if (separator.empty()) throw TemplateError{"A text cannot be cut at an empty separator."};
    const size_t found = fromRight ? text.bytes().rfind(separator.bytes()) : text.bytes().find(separator.bytes());
    std::vector<Text> parts =
        fromRight ? std::vector<Text>{Text(), Text(), text} : std::vector<Text>{text, Text(), Text()};
    if (found != std::string::npos)
        parts = {text.slice(0, found), text.slice(found, found + separator.size()),
                 text.slice(found + separator.size(), text.size())};
    return listOf(interpreter, self, std::move(parts), Flavor::Tuple);
}

// The bytes [from, to) that the arguments 'start' and 'end' (in characters) leave of a text.
std::string_view searched(const Text& text, const ArgumentReader& reader, size_t& from) {
    const std::string_view bytes = text.bytes();
    const auto count = static_cast<int64_t>(characterCount(bytes));
    const auto place = [&](size_t argument, int64_t standard) {
        if (reader[argument] && reader[argument]->isNone()) return standard;
        const int64_t value = reader.integer(argument, standard);
        return std::clamp<int64_t>(value < 0 ? value + count : value, 0, count);
    };
    const int64_t start = place(1, 0), end = place(2, count);
    if (reader[1] && reader[1]->asInteger() && *reader[1]->asInteger() > count) {
        from = bytes.size();
        return {nullptr, 0}; // beyond the end not even the empty text is found
    }
    from = byteOfCharacter(bytes, static_cast<size_t>(start));
    const size_t to = byteOfCharacter(bytes, static_cast<size_t>(end));
    return from <= to ? bytes.substr(from, to - from) : std::string_view(nullptr, 0);
}

int64_t findText(const Value& self, Arguments& arguments, bool fromRight) {
    const ArgumentReader reader("find", arguments, {"sub", "start", "end"});
    size_t from = 0;
    const std::string_view part = searched(textOf(self), reader, from);
    if (part.data() == nullptr) return -1;
    const size_t found = fromRight ? part.rfind(reader.text(0).bytes()) : part.find(reader.text(0).bytes());
    if (found == std::string_view::npos) return -1;
    return static_cast<int64_t>(characterCount(std::string_view(textOf(self).bytes()).substr(0, from + found)));
}

template <bool fromRight>
Value findMethod(Interpreter&, const Value& self, Arguments& arguments) {
    return Value(findText(self, arguments, fromRight));
}

template <bool fromRight>
Value indexMethod(Interpreter&, const Value& self, Arguments& arguments) {
    const int64_t place = findText(self, arguments, fromRight);
    if (place < 0) throw TemplateError{"The text that 'index' looks for is not there."};
    return Value(place);
}

Value countMethod(Interpreter&, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("count", arguments, {"sub", "start", "end"});
    size_t from = 0;
    const std::string_view part = searched(textOf(self), reader, from);
    const std::string& sub = reader.text(0).bytes();
    if (part.data() == nullptr) return Value(int64_t(0));
    if (sub.empty()) return Value(static_cast<int64_t>(characterCount(part)) + 1);
    int64_t count = 0;
    for (size_t at = part.find(sub); at != std::string_view::npos; at = part.find(sub, at + sub.size()))
        ++count;
    return Value(count);
}

template <bool end>
Value startsMethod(Interpreter&, const Value& self, Arguments& arguments) {
    const ArgumentReader reader(end ? "endswith" : "startswith", arguments, {"prefix", "start", "end"});
    size_t from = 0;
    const std::string_view part = searched(textOf(self), reader, from);
    const auto matches = [&](const Value& value) {
        if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
        if (!value.string()) throw TemplateError{"'startswith' and 'endswith' need texts."};
        const std::string& wanted = value.string()->text.bytes();
        if (part.data() == nullptr || wanted.size() > part.size()) return false;
        return part.substr(end ? part.size() - wanted.size() : 0, wanted.size()) == wanted;
    };
    const auto* list = reader.required(0).list();
    if (!list) return Value(matches(reader.required(0)));
    if (list->flavor != Flavor::Tuple)
        throw TemplateError{"'startswith' and 'endswith' need a text or a tuple of texts."};
    return Value(std::any_of(list->items.begin(), list->items.end(), matches));
}

template <bool end>
Value removeMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader(end ? "removesuffix" : "removeprefix", arguments, {"text"});
    const Text& text = textOf(self);
    const std::string& wanted = reader.text(0).bytes();
    if (wanted.size() > text.size() ||
        text.bytes().compare(end ? text.size() - wanted.size() : 0, wanted.size(), wanted) != 0)
        return self;
    return made(interpreter, self,
                end ? text.slice(0, text.size() - wanted.size()) : text.slice(wanted.size(), text.size()));
}

Value replaceMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("replace", arguments, {"old", "new", "count"});
    return made(interpreter, self,
                replaced(interpreter, textOf(self), reader.text(0), reader.text(1), reader.integer(2, -1)));
}

Value joinMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("join", arguments, {"iterable"});
    Text text;
    bool first = true;
    for (const auto& item : itemsOf(reader.required(0))) {
        if (!item.string()) throw TemplateError{"'join' needs texts, not a " + typeName(item) + "."};
        if (!first) text.append(textOf(self));
        text.append(item.string()->text);
        interpreter.checkSize(text.size());
        first = false;
    }
    return made(interpreter, self, std::move(text));
}

Value formatMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    return made(interpreter, self, formatBraces(interpreter, textOf(self), arguments));
}

// ljust, rjust, center; zfill below.
template <int side>
Value justifyMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("center", arguments, {"width", "fillchar"});
    const Text fill = reader[1] ? reader.text(1) : Text(" ", true);
    if (characterCount(fill.bytes()) != 1) throw TemplateError{"The fill must be one character."};
    const int64_t width = reader.integer(0, 0);
    if (side == 0) return made(interpreter, self, centered(interpreter, textOf(self), width, fill));
    const int64_t missing = std::max<int64_t>(width - static_cast<int64_t>(characterCount(textOf(self).bytes())), 0);
    interpreter.checkSize(textOf(self).size() + static_cast<size_t>(missing) * fill.size());
    Text text = side < 0 ? textOf(self) : Text();
    for (int64_t i = 0; i < missing; ++i)
        text.append(fill);
    if (side > 0) text.append(textOf(self));
    return made(interpreter, self, std::move(text));
}

Value zeroFillMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("zfill", arguments, {"width"});
    const Text& text = textOf(self);
    const int64_t missing =
        std::max<int64_t>(reader.integer(0, 0) - static_cast<int64_t>(characterCount(text.bytes())), 0);
    interpreter.checkSize(text.size() + static_cast<size_t>(missing));
    const size_t sign = !text.empty() && (text.bytes()[0] == '-' || text.bytes()[0] == '+') ? 1 : 0;
    Text result = text.slice(0, sign);
    result.append(std::string(static_cast<size_t>(missing), '0'), true);
    result.append(text, sign, text.size());
    return made(interpreter, self, std::move(result));
}

Value expandTabsMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("expandtabs", arguments, {"tabsize"});
    const int64_t size = reader.integer(0, 8);
    const Text& text = textOf(self);
    Text result;
    int64_t column = 0;
    forEachCharacter(text.bytes(), [&](size_t from, size_t to) {
        const char c = text.bytes()[from];
        if (c == '\t') {
            const int64_t blanks = size > 0 ? size - column % size : 0;
            interpreter.checkSize(result.size() + static_cast<size_t>(blanks));
            result.append(std::string(static_cast<size_t>(blanks), ' '), true);
            column += blanks;
        } else {
            result.append(text, from, to);
            column = c == '\n' || c == '\r' ? 0 : column + 1;
        }
    });
    return made(interpreter, self, std::move(result));
}

template <bool (*holds)(uint32_t)>
Value allMethod(Interpreter&, const Value& self, Arguments& arguments) {
    requireNone("is...", arguments);
    const std::string_view bytes = textOf(self).bytes();
    bool all = !bytes.empty();
    forEachCharacter(bytes, [&](size_t from, size_t) { all = all && holds(codePoint(bytes.substr(from))); });
    return Value(all);
}

bool isLetterOrNumber(uint32_t code) {
    return isLetter(code) || isNumeric(code);
}

// At least one character with case, and all of those of the wanted one.
template <bool upper>
Value caseMethod(Interpreter&, const Value& self, Arguments& arguments) {
    requireNone("islower or isupper", arguments);
    const std::string_view bytes = textOf(self).bytes();
    bool some = false, all = true;
    forEachCharacter(bytes, [&](size_t from, size_t) {
        const uint32_t code = codePoint(bytes.substr(from));
        some = some || (upper ? isUpper(code) : isLower(code));
        all = all && !(upper ? isLower(code) : isUpper(code));
    });
    return Value(some && all);
}

Value asciiMethod(Interpreter&, const Value& self, Arguments&) {
    return Value(self.string()->ascii());
}

Value printableMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    return textOf(self).empty() ? Value(true) : allMethod<isPrintable>(interpreter, self, arguments);
}

Value identifierMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const bool digitFirst = !textOf(self).empty() && isNumeric(codePoint(textOf(self).bytes()));
    return digitFirst ? Value(false) : allMethod<isWordCharacter>(interpreter, self, arguments);
}

Value titleCaseMethod(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    bool some = false;
    forEachCharacter(textOf(self).bytes(), [&](size_t from, size_t) {
        const uint32_t code = codePoint(std::string_view(textOf(self).bytes()).substr(from));
        some = some || isUpper(code) || isLower(code);
    });
    return Value(some && equal(titleMethod(interpreter, self, arguments), self));
}

constexpr NamedRow<Method> kMethods[] = {
    {"capitalize", capitalizeMethod},
    {"casefold", mapMethod<lowerCase>},
    {"center", justifyMethod<0>},
    {"count", countMethod},
    {"endswith", startsMethod<true>},
    {"expandtabs", expandTabsMethod},
    {"find", findMethod<false>},
    {"format", formatMethod},
    {"index", indexMethod<false>},
    {"isalnum", allMethod<isLetterOrNumber>},
    {"isalpha", allMethod<isLetter>},
    {"isascii", asciiMethod},
    {"isdecimal", allMethod<isDecimal>},
    {"isdigit", allMethod<isDecimal>},
    {"isidentifier", identifierMethod},
    {"islower", caseMethod<false>},
    {"isnumeric", allMethod<isNumeric>},
    {"isprintable", printableMethod},
    {"isspace", allMethod<isSpace>},
    {"istitle", titleCaseMethod},
    {"isupper", caseMethod<true>},
    {"join", joinMethod},
    {"ljust", justifyMethod<-1>},
    {"lower", mapMethod<lowerCase>},
    {"lstrip", stripMethod<true, false>},
    {"partition", partitionMethod<false>},
    {"removeprefix", removeMethod<false>},
    {"removesuffix", removeMethod<true>},
    {"replace", replaceMethod},
    {"rfind", findMethod<true>},
    {"rindex", indexMethod<true>},
    {"rjust", justifyMethod<1>},
    {"rpartition", partitionMethod<true>},
    {"rsplit", splitMethod<true>},
    {"rstrip", stripMethod<false, true>},
    {"split", splitMethod<false>},
    {"splitlines", splitLinesMethod},
    {"startswith", startsMethod<false>},
    {"strip", stripMethod<true, true>},
    {"swapcase", mapMethod<swappedCase>},
    {"title", titleMethod},
    {"upper", mapMethod<upperCase>},
    {"zfill", zeroFillMethod},
};

} // namespace

Method findStringMethod(std::string_view name) {
    const auto row =
        std::find_if(std::begin(kMethods), std::end(kMethods), [&](const auto& r) { return r.name == name; });
    return row == std::end(kMethods) ? nullptr : row->function;
}

} // namespace steelyard::jinja
