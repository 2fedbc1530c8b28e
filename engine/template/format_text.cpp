// Python's two ways to fill a format: '%s %5.2f' % (a, b) and '{} {x:>5}'.format(a, x=b).
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"
#include "engine/template/number_format.h"

#include <algorithm>
#include <cctype>

namespace steelyard::jinja {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw TemplateError{"A format is wrong: " + what};
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Reads digits; at most what a text may hold, checked again where it is filled.
int64_t readNumber(std::string_view text, size_t& at) {
    int64_t value = 0;
    for (; at < text.size() && isDigit(text[at]); ++at)
        value = std::min<int64_t>(value * 10 + (text[at] - '0'), INT32_MAX);
    return value;
}

// align '<', '>', '^', or '=' (fill between sign and digits).
Text padded(Interpreter& interpreter, const Text& text, int64_t width, char align, const std::string& fill) {
    const auto count = static_cast<int64_t>(characterCount(text.bytes()));
    if (width <= count) return text;
    interpreter.checkSize(text.size() + static_cast<size_t>(width - count) * fill.size());
    const int64_t missing = width - count, before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
    Text result;
    const bool signFirst =
        align == '=' && !text.empty() && (text.bytes()[0] == '-' || text.bytes()[0] == '+' || text.bytes()[0] == ' ');
    if (signFirst) result.append(text, 0, 1);
    for (int64_t i = 0; i < before; ++i)
        result.append(fill, true);
    result.append(text, signFirst ? 1 : 0, text.size());
    for (int64_t i = before; i < missing; ++i)
        result.append(fill, true);
    return result;
}

// One '%' of a format.
struct Conversion {
    NumberFormat number;
    bool left = false;
    int64_t width = 0;
    char kind = 's';
};

double floatOf(const Value& value) {
    const auto real = value.asFloat();
    if (!real) fail("a number is needed, not a " + typeName(value) + ".");
    return *real;
}

int64_t integerOf(const Value& value) {
    if (const auto integer = value.asInteger()) return *integer;
    const double real = floatOf(value);
    if (!(real > -9.2e18 && real < 9.2e18)) fail("the number is too large.");
    return static_cast<int64_t>(real);
}

Text cut(const Text& text, int precision) {
    return precision < 0 ? text : text.slice(0, byteOfCharacter(text.bytes(), static_cast<size_t>(precision)));
}

Text converted(Interpreter& interpreter, const Conversion& c, const Value& value) {
    Text text;
    switch (c.kind) {
    case 's':
        text = cut(interpreter.textOf(value), c.number.precision);
        break;
    case 'r':
    case 'a':
        text = cut(interpreter.reprOf(value), c.number.precision);
        break;
    case 'c':
        if (const auto* string = value.string())
            text = string->text;
        else
            text.append(encoded(static_cast<uint32_t>(integerOf(value))), false);
        if (characterCount(text.bytes()) != 1) fail("'%c' needs one character.");
        break;
    case 'd':
    case 'i':
    case 'u':
        text.append(formatInteger(integerOf(value), 10, false, c.number), true);
        break;
    case 'o':
        text.append(formatInteger(integerOf(value), 8, false, c.number), true);
        break;
    case 'x':
    case 'X':
        text.append(formatInteger(integerOf(value), 16, c.kind == 'X', c.number), true);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        text.append(formatFloat(floatOf(value), c.kind, c.number), true);
        break;
    default:
        fail("there is no conversion '%" + std::string(1, c.kind) + "'.");
    }
    const bool zeros = c.number.zeros && !c.left && c.kind != 's' && c.kind != 'r' && c.kind != 'a' && c.kind != 'c';
    return padded(interpreter, text, c.width, c.left ? '<' : zeros ? '=' : '>', zeros ? "0" : " ");
}

} // namespace

Text formatPercent(Interpreter& interpreter, const Text& format, const Value& arguments) {
    const std::string& source = format.bytes();
    const auto* list = arguments.list();
    const bool tuple = list && (list->flavor == Flavor::Tuple || list->flavor == Flavor::Group);
    size_t used = 0;
    const auto next = [&]() -> Value {
        if (tuple ? used >= list->items.size() : used > 0) fail("there are too few values for it.");
        return tuple ? list->items[used++] : (++used, arguments);
    };
    Text result;
    for (size_t at = 0; at < source.size();) {
        const size_t percent = std::min(source.find('%', at), source.size());
        result.append(format, at, percent);
        interpreter.checkSize(result.size());
        if (percent == source.size()) break;
        at = percent + 1;
        std::optional<Value> named;
        if (at < source.size() && source[at] == '(') {
            const size_t close = source.find(')', at);
            if (close == std::string::npos || !arguments.dict()) fail("a name in it needs a dict.");
            const Value* found = arguments.dict()->find(std::string_view(source).substr(at + 1, close - at - 1));
            if (!found) fail("the dict lacks '" + source.substr(at + 1, close - at - 1) + "'.");
            named = *found;
            at = close + 1;
        }
        Conversion c;
        for (; at < source.size() && std::string_view("-+ 0#").find(source[at]) != std::string_view::npos; ++at) {
            c.left = c.left || source[at] == '-';
            c.number.plus = c.number.plus || source[at] == '+';
            c.number.blank = c.number.blank || source[at] == ' ';
            c.number.zeros = c.number.zeros || source[at] == '0';
            c.number.alternate = c.number.alternate || source[at] == '#';
        }
        const auto star = [&] { return at < source.size() && source[at] == '*' ? (++at, true) : false; };
        c.width = star() ? integerOf(next()) : readNumber(source, at);
        if (c.width < 0) {
            c.left = true;
            c.width = std::max<int64_t>(-c.width, 0);
        }
        if (at < source.size() && source[at] == '.') {
            ++at;
            c.number.precision = static_cast<int>(
                std::clamp<int64_t>(star() ? integerOf(next()) : readNumber(source, at), 0, INT32_MAX));
        }
        while (at < source.size() && std::string_view("hlL").find(source[at]) != std::string_view::npos)
            ++at;
        if (at >= source.size()) fail("it ends in the middle of a conversion.");
        c.kind = source[at++];
        if (c.kind == '%')
            result.append("%", true);
        else
            result.append(converted(interpreter, c, named ? *named : next()));
    }
    if (tuple ? used < list->items.size() : used == 0 && !arguments.dict()) fail("there are more values than it uses.");
    return result;
}

namespace {

// What stands behind ':' in a field.
Text formattedField(Interpreter& interpreter, const Value& value, std::string_view spec) {
    size_t at = 0;
    std::string fill = " ";
    char align = '\0';
    const auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    if (!spec.empty()) {
        const size_t first = characterLength(spec);
        if (first < spec.size() && isAlign(spec[first])) {
            fill = spec.substr(0, first);
            align = spec[first];
            at = first + 1;
        } else if (isAlign(spec[0])) {
            align = spec[0];
            at = 1;
        }
    }
    Conversion c;
    const auto flag = [&](char wanted) { return at < spec.size() && spec[at] == wanted ? (++at, true) : false; };
    c.number.plus = flag('+');
    if (!c.number.plus && !flag('-')) c.number.blank = flag(' ');
    c.number.alternate = flag('#');
    if (flag('0') && align == '\0') {
        fill = "0";
        align = '=';
    }
    c.width = readNumber(spec, at);
    if (flag(','))
        c.number.grouping = ',';
    else if (flag('_'))
        c.number.grouping = '_';
    if (flag('.')) c.number.precision = static_cast<int>(readNumber(spec, at));
    c.kind = at < spec.size() ? spec[at++] : '\0';
    if (at < spec.size()) fail("'" + std::string(spec) + "' is no format.");
    const bool number = value.isNumber() && !(value.isBool() && c.kind == '\0');
    if (align == '\0') align = number ? '>' : '<';
    Text text;
    if (!number || c.kind == 's') {
        if (c.kind != '\0' && c.kind != 's') fail("'" + std::string(1, c.kind) + "' needs a number.");
        text = cut(interpreter.textOf(value), c.number.precision);
    } else if (c.kind == '%') {
        text.append(formatFloat(floatOf(value) * 100, 'f', c.number) + "%", true);
    } else if (value.isFloat() || std::string_view("eEfFgG").find(c.kind) != std::string_view::npos) {
        if (c.kind == '\0' && c.number.precision < 0 && c.number.grouping == '\0')
            text.append((c.number.plus && value.real() >= 0 ? "+" : "") + floatText(floatOf(value)), true);
        else
            text.append(formatFloat(floatOf(value), c.kind == '\0' || c.kind == 'n' ? 'g' : c.kind, c.number), true);
    } else {
        if (std::string_view(std::string_view("\0dnboxXc", 8)).find(c.kind) == std::string_view::npos)
            fail("there is no format '" + std::string(1, c.kind) + "' for a whole number.");
        const int base = c.kind == 'b' ? 2 : c.kind == 'o' ? 8 : (c.kind | 32) == 'x' ? 16 : 10;
        if (c.kind == 'c')
            text.append(encoded(static_cast<uint32_t>(integerOf(value))), false);
        else
            text.append(formatInteger(integerOf(value), base, c.kind == 'X', c.number), true);
    }
    return padded(interpreter, text, c.width, align, fill);
}

class BraceFormat {
public:
    BraceFormat(Interpreter& interpreter, const Text& format, const Arguments& arguments)
        : m_interpreter(interpreter), m_format(format), m_arguments(arguments) {}

    Text run() {
        const std::string& source = m_format.bytes();
        Text result;
        for (size_t at = 0; at < source.size();) {
            const size_t brace = std::min(source.find_first_of("{}", at), source.size());
            result.append(m_format, at, brace);
            m_interpreter.checkSize(result.size());
            if (brace == source.size()) break;
            if (brace + 1 < source.size() && source[brace + 1] == source[brace]) {
                result.append(m_format, brace, brace + 1);
                at = brace + 2;
                continue;
            }
            const size_t close = closing(source, brace);
            result.append(field(std::string_view(source).substr(brace + 1, close - brace - 1)));
            at = close + 1;
        }
        return result;
    }

private:
    static size_t closing(const std::string& source, size_t open) {
        if (source[open] == '}') fail("a '}' stands alone.");
        int depth = 0;
        for (size_t i = open; i < source.size(); ++i) {
            depth += source[i] == '{' ? 1 : source[i] == '}' ? -1 : 0;
            if (depth == 0) return i;
        }
        fail("a '{' is not closed.");
    }

    Text field(std::string_view source) {
        const size_t end = std::min(source.find_first_of(":!"), source.size());
        Value value = lookup(source.substr(0, end));
        std::string_view rest = source.substr(end);
        if (rest.size() >= 2 && rest[0] == '!') {
            value = m_interpreter.string(rest[1] == 's' ? m_interpreter.textOf(value) : m_interpreter.reprOf(value));
            rest.remove_prefix(2);
        }
        std::string spec(rest.empty() ? rest : rest.substr(1));
        if (spec.find('{') != std::string::npos) spec = formatNested(spec);
        return formattedField(m_interpreter, value, spec);
    }

    // A specification may itself hold fields, one level deep.
    std::string formatNested(const std::string& spec) {
        if (m_nested) fail("fields are nested too deeply.");
        m_nested = true;
        std::string result;
        for (size_t at = 0; at < spec.size();) {
            const size_t open = std::min(spec.find('{', at), spec.size());
            result += spec.substr(at, open - at);
            if (open == spec.size()) break;
            const size_t close = closing(spec, open);
            result += m_interpreter.textOf(lookup(std::string_view(spec).substr(open + 1, close - open - 1))).bytes();
            at = close + 1;
        }
        m_nested = false;
        return result;
    }

    Value lookup(std::string_view name) {
        size_t end = std::min(name.find_first_of(".["), name.size());
        const std::string_view first = name.substr(0, end);
        Value value = first.empty()       ? positional(m_next++)
                      : isDigit(first[0]) ? positional(static_cast<size_t>(number(first)))
                                          : named(first);
        while (end < name.size()) {
            const bool dot = name[end] == '.';
            const size_t stop = dot ? std::min(name.find_first_of(".[", end + 1), name.size()) : name.find(']', end);
            if (stop == std::string_view::npos) fail("a '[' is not closed.");
            const std::string key(name.substr(end + 1, stop - end - 1));
            const bool index = !dot && !key.empty() && std::all_of(key.begin(), key.end(), isDigit);
            value = dot ? m_interpreter.attribute(value, key)
                        : m_interpreter.item(value, index ? Value(number(key)) : Value::text(key));
            end = dot ? stop : stop + 1;
        }
        return value;
    }

    static int64_t number(std::string_view text) {
        size_t at = 0;
        return readNumber(text, at);
    }

    Value positional(size_t place) const {
        if (place >= m_arguments.positional.size()) fail("there are too few values for it.");
        return m_arguments.positional[place];
    }

    Value named(std::string_view name) const {
        const auto found = std::find_if(m_arguments.named.begin(), m_arguments.named.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        if (found == m_arguments.named.end()) fail("the value '" + std::string(name) + "' is missing.");
        return found->second;
    }

    Interpreter& m_interpreter;
    const Text& m_format;
    const Arguments& m_arguments;
    size_t m_next = 0;
    bool m_nested = false;
};

} // namespace

Text formatBraces(Interpreter& interpreter, const Text& format, const Arguments& arguments) {
    return BraceFormat(interpreter, format, arguments).run();
}

} // namespace steelyard::jinja
