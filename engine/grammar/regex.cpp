// Regular expressions of JSON schemas, as far as grammars go: no look-around, no back references, no word borders.
// Source: ECMA-262, the syntax of patterns.
#include "engine/core/utf8.h"
#include "engine/grammar/schema_compiler.h"

#include <cctype>

namespace steelyard::grammar {

namespace {

constexpr int kDeepestGroup = 100;
constexpr uint32_t kMostRepetitions = 10000;
constexpr size_t kLongestPattern = 10000;

const CharacterSet kDigits{{'0', '9'}};
const CharacterSet kWord{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const CharacterSet kBlanks{{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

class Pattern {
public:
    Pattern(Rules& rules, const std::string& text) : m_rules(rules), m_text(text) {}

    // Each alternative may be tied to the beginning and the end of the string; where it is not, anything may stand there.
    ExpressionId content() {
        if (m_text.size() > kLongestPattern) fail("is too long");
        std::vector<ExpressionId> choices;
        do {
            std::vector<ExpressionId> parts;
            if (peek() == '^') ++m_at;
            else parts.push_back(anything());
            parts.push_back(sequence(0));
            if (peek() == '$') ++m_at;
            else parts.push_back(anything());
            choices.push_back(m_rules.sequence(std::move(parts)));
        } while (taken('|'));
        if (m_at < m_text.size()) fail(std::string("has \"") + peek() + "\" at a place that is not supported");
        return m_rules.choice(std::move(choices));
    }

private:
    char peek(size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool taken(char c) {
        if (m_at >= m_text.size() || peek() != c) return false;
        ++m_at;
        return true;
    }
    [[noreturn]] void fail(const std::string& what) const { throw SchemaRefusal{"The pattern \"" + m_text.substr(0, 100) + "\" " + what + "."}; }

    ExpressionId anything() { return m_rules.repeat(stringCharacters(m_rules, complement({})), 0, std::nullopt); }

    ExpressionId alternatives(int depth) {
        std::vector<ExpressionId> choices{sequence(depth)};
        while (taken('|')) choices.push_back(sequence(depth));
        return m_rules.choice(std::move(choices));
    }

    ExpressionId sequence(int depth) {
        std::vector<ExpressionId> parts;
        while (m_at < m_text.size() && peek() != '|' && peek() != ')') {
            if (peek() == '$' || peek() == '^') {
                if (depth == 0 && peek() == '$' && (peek(1) == '\0' || peek(1) == '|')) break;
                fail("has \"^\" or \"$\" at a place that is not supported");
            }
            parts.push_back(repeated(atom(depth)));
        }
        return m_rules.sequence(std::move(parts));
    }

    ExpressionId atom(int depth) {
        const char c = peek();
        if (c == '(') {
            if (depth >= kDeepestGroup) fail("is nested too deep");
            ++m_at;
            if (peek() == '?') {
                if (peek(1) != ':') fail("looks ahead, behind or names a group, which is not supported");
                m_at += 2;
            }
            const ExpressionId inner = alternatives(depth + 1);
            if (!taken(')')) fail("has a \"(\" that is not closed");
            return inner;
        }
        if (c == '[') return stringCharacters(m_rules, characterClass());
        if (c == '.') {
            ++m_at;
            return stringCharacters(m_rules, complement({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}));
        }
        if (c == '*' || c == '+' || c == '?' || c == '{') fail("repeats nothing");
        return stringCharacters(m_rules, c == '\\' ? escape(false) : single());
    }

    CharacterSet single() {
        const auto rest = std::string_view(m_text).substr(m_at);
        const size_t length = utf8Length(rest);
        if (length == 0) fail("is not valid UTF-8");
        const uint32_t code = utf8Code(rest, length);
        m_at += length;
        return {{code, code}};
    }

    // An escape with its "\"; what it stands for.
    CharacterSet escape(bool inClass) {
        const char kind = peek(1);
        m_at += 2;
        const auto one = [](uint32_t code) { return CharacterSet{{code, code}}; };
        switch (kind) {
        case 'd': return kDigits;
        case 'D': return complement(kDigits);
        case 'w': return kWord;
        case 'W': return complement(kWord);
        case 's': return kBlanks;
        case 'S': return complement(kBlanks);
        case 'n': return one('\n');
        case 'r': return one('\r');
        case 't': return one('\t');
        case 'f': return one('\f');
        case 'v': return one('\v');
        case 'x': return one(hex(2));
        case 'u': return one(hex(4));
        case 'b':
            if (inClass) return one('\b');
            break;
        default:
            if (kind > 0x20 && kind < 0x7F && !std::isalnum(static_cast<unsigned char>(kind))) return one(static_cast<uint32_t>(kind));
        }
        fail("has an escape that is not supported");
    }

    uint32_t hex(int digits) {
        uint32_t value = 0;
        for (int i = 0; i < digits; ++i, ++m_at) {
            const char c = peek();
            if (!std::isxdigit(static_cast<unsigned char>(c))) fail("has an escape that is not supported");
            value = value * 16 + static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        }
        return value;
    }

    CharacterSet characterClass() {
        ++m_at;
        const bool negated = taken('^');
        std::vector<CharacterRange> ranges;
        while (!taken(']')) {
            if (m_at >= m_text.size()) fail("has a \"[\" that is not closed");
            const CharacterSet from = peek() == '\\' ? escape(true) : single();
            if (peek() != '-' || peek(1) == ']') {
                ranges.insert(ranges.end(), from.begin(), from.end());
                continue;
            }
            ++m_at;
            if (m_at >= m_text.size()) fail("has a \"[\" that is not closed");
            const CharacterSet to = peek() == '\\' ? escape(true) : single();
            const bool isRange = from.size() == 1 && from[0].first == from[0].last && to.size() == 1 && to[0].first == to[0].last && from[0].first <= to[0].first;
            if (!isRange) fail("has a range that is not supported");
            ranges.push_back({from[0].first, to[0].first});
        }
        const CharacterSet set = normalized(std::move(ranges));
        return negated ? complement(set) : set;
    }

    ExpressionId repeated(ExpressionId part) {
        for (;;) {
            if (taken('*')) part = m_rules.repeat(part, 0, std::nullopt);
            else if (taken('+')) part = m_rules.repeat(part, 1, std::nullopt);
            else if (taken('?')) part = m_rules.optional(part);
            else if (taken('{')) part = counted(part);
            else return part;
            (void)taken('?'); // a lazy repetition matches the same texts
        }
    }

    ExpressionId counted(ExpressionId part) {
        const auto least = number();
        std::optional<uint32_t> most = least;
        if (taken(',')) most = number();
        if (!least || !taken('}') || (most && *most < *least)) fail("has a repetition that is not supported");
        return m_rules.repeat(part, *least, most);
    }

    std::optional<uint32_t> number() {
        if (!std::isdigit(static_cast<unsigned char>(peek()))) return std::nullopt;
        uint32_t value = 0;
        for (; std::isdigit(static_cast<unsigned char>(peek())); ++m_at) {
            value = value * 10 + static_cast<uint32_t>(peek() - '0');
            if (value > kMostRepetitions) fail("repeats a part too often");
        }
        return value;
    }

    Rules& m_rules;
    const std::string& m_text;
    size_t m_at = 0;
};

} // namespace

ExpressionId patternContent(Rules& rules, const std::string& pattern) { return Pattern(rules, pattern).content(); }

} // namespace steelyard::grammar
