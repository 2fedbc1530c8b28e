// The notation of the field for grammars: rules of alternatives, groups, repetitions and classes of characters.
// Source: the guide "GBNF" of the ggml project, which describes the notation.
#include "engine/core/utf8.h"
#include "engine/grammar/grammar.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

constexpr size_t kLongestText = 1 << 20, kMostExpressions = 100000, kMostRules = 5000;
constexpr int kDeepestGroup = 200;
constexpr uint32_t kMostRepetitions = 100000;

bool isNameCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Leaves the parser from any depth; never leaves this file.
struct Fault {
    std::string what;
};

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<RootedRules> parse() {
        if (m_text.size() > kLongestText) return Error{"The grammar is longer than " + std::to_string(kLongestText) + " bytes."};
        try {
            skip(true);
            while (!atEnd()) rule();
        } catch (const Fault& fault) {
            const auto lines = std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n');
            return Error{"Line " + std::to_string(lines + 1) + " of the grammar: " + fault.what};
        }
        RootedRules result;
        result.root = m_rules.rule("root");
        if (!m_rules.isDefined(result.root)) return Error{"The grammar has no rule \"root\", with which it begins."};
        result.rules = std::move(m_rules);
        return result;
    }

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    char peek(size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    [[noreturn]] static void fail(std::string what) { throw Fault{std::move(what)}; }

    // Passes blanks and comments, and line ends where they mean nothing.
    void skip(bool lines) {
        while (!atEnd()) {
            const char c = peek();
            if (c == '#') {
                while (!atEnd() && peek() != '\n' && peek() != '\r') ++m_at;
            } else if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
                ++m_at;
            } else {
                return;
            }
        }
    }

    std::string name() {
        const size_t from = m_at;
        while (isNameCharacter(peek())) ++m_at;
        if (from == m_at) fail(atEnd() ? "the text ends where a name is expected." : std::string("there is \"") + shown() + "\" where a name is expected.");
        return std::string(m_text.substr(from, m_at - from));
    }

    // The character at hand, for a sentence.
    std::string shown() const {
        const size_t length = atEnd() ? 0 : utf8Length(m_text.substr(m_at));
        return length > 0 && static_cast<unsigned char>(peek()) >= 32 ? std::string(m_text.substr(m_at, length)) : "a line end or control character";
    }

    void rule() {
        const std::string ruleName = name();
        skip(false);
        if (m_text.substr(m_at, 3) != "::=") fail("\"::=\" is missing after \"" + ruleName + "\".");
        m_at += 3;
        skip(true);
        const RuleId id = m_rules.rule(ruleName);
        if (m_rules.isDefined(id)) fail("the rule \"" + ruleName + "\" is defined twice.");
        m_rules.define(id, alternatives(0));
        if (m_rules.ruleCount() > kMostRules) fail("there are more than " + std::to_string(kMostRules) + " rules.");
        if (!atEnd() && peek() != '\n' && peek() != '\r') fail(std::string("there is \"") + shown() + "\" where the rule should go on or end.");
        skip(true);
    }

    ExpressionId alternatives(int depth) {
        if (depth > kDeepestGroup) fail("groups are nested more than " + std::to_string(kDeepestGroup) + " deep.");
        std::vector<ExpressionId> choices{sequence(depth)};
        while (nextAlternative(depth)) {
            ++m_at;
            skip(true);
            choices.push_back(sequence(depth));
        }
        return m_rules.choice(std::move(choices));
    }

    // An alternative may also begin on a line of its own.
    bool nextAlternative(int depth) {
        if (peek() == '|') return true;
        if (depth > 0) return false;
        const size_t before = m_at;
        skip(true);
        if (peek() == '|') return true;
        m_at = before;
        return false;
    }

    ExpressionId sequence(int depth) {
        std::vector<ExpressionId> parts;
        for (;;) {
            const auto item = element(depth);
            if (!item) break;
            parts.push_back(*item);
            skip(depth > 0);
            for (;;) {
                const bool repeats = peek() == '*' || peek() == '+' || peek() == '?' || peek() == '{';
                if (!repeats) break;
                parts.back() = repetition(parts.back());
                skip(depth > 0);
            }
            if (m_rules.size() > kMostExpressions) fail("there are more than " + std::to_string(kMostExpressions) + " parts.");
        }
        return m_rules.sequence(std::move(parts));
    }

    std::optional<ExpressionId> element(int depth) {
        const char c = peek();
        if (c == '"') return literal();
        if (c == '[') return characterClass();
        if (c == '.') {
            ++m_at;
            return m_rules.characters(complement({}));
        }
        if (c == '(') {
            ++m_at;
            skip(true);
            const ExpressionId inner = alternatives(depth + 1);
            skip(true);
            if (peek() != ')') fail(atEnd() ? "a \"(\" is not closed." : std::string("there is \"") + shown() + "\" where \")\" is expected.");
            ++m_at;
            return inner;
        }
        if (c == '<' || c == '!') fail("tokens in angle brackets are not supported; write their text in quotes.");
        if (!isNameCharacter(c)) return std::nullopt;
        return m_rules.reference(m_rules.rule(name()));
    }

    ExpressionId literal() {
        ++m_at;
        std::string bytes;
        while (peek() != '"') appendUtf8(bytes, character("a text in quotes is not closed."));
        ++m_at;
        return m_rules.text(bytes);
    }

    ExpressionId characterClass() {
        ++m_at;
        const bool negated = peek() == '^';
        if (negated) ++m_at;
        std::vector<CharacterRange> ranges;
        while (peek() != ']') {
            CharacterRange range;
            range.first = range.last = character("a class of characters is not closed.");
            if (peek() == '-' && peek(1) != ']') {
                ++m_at;
                range.last = character("a class of characters is not closed.");
            }
            if (range.last < range.first) fail("a range in a class of characters runs backwards.");
            ranges.push_back(range);
        }
        ++m_at;
        const CharacterSet set = normalized(std::move(ranges));
        return m_rules.characters(negated ? complement(set) : set);
    }

    // One character, which may be written as an escape.
    uint32_t character(const char* unclosed) {
        if (atEnd() || peek() == '\n') fail(unclosed);
        if (peek() != '\\') {
            const size_t length = utf8Length(m_text.substr(m_at));
            if (length == 0) fail("the text is not valid UTF-8.");
            const uint32_t code = utf8Code(m_text.substr(m_at), length);
            m_at += length;
            return code;
        }
        ++m_at;
        if (atEnd()) fail(unclosed);
        const char kind = peek();
        ++m_at;
        switch (kind) {
        case 'x': return hex(2);
        case 'u': return hex(4);
        case 'U': return hex(8);
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case '"': case '\\': case '[': case ']': case '-': case '^': case '/': return static_cast<uint32_t>(kind);
        default: fail(std::string("there is no escape \"\\") + (kind >= 32 && kind < 127 ? std::string(1, kind) : "?") + "\".");
        }
    }

    uint32_t hex(int digits) {
        uint32_t value = 0;
        for (int i = 0; i < digits; ++i, ++m_at) {
            const int digit = hexDigit(peek());
            if (digit < 0) fail("an escape needs " + std::to_string(digits) + " hexadecimal digits.");
            value = value << 4 | static_cast<uint32_t>(digit);
        }
        if (value > kLastCharacter || (value >= 0xD800 && value <= 0xDFFF)) fail("an escape names no character.");
        return value;
    }

    ExpressionId repetition(ExpressionId part) {
        const char kind = peek();
        ++m_at;
        if (kind == '*') return m_rules.repeat(part, 0, std::nullopt);
        if (kind == '+') return m_rules.repeat(part, 1, std::nullopt);
        if (kind == '?') return m_rules.optional(part);
        skip(false);
        const auto least = number();
        skip(false);
        std::optional<uint32_t> most = least;
        if (peek() == ',') {
            ++m_at;
            skip(false);
            most = number();
            skip(false);
        } else if (!least) {
            fail("a repetition needs a number between { and }.");
        }
        if (peek() != '}') fail("a repetition is not closed with \"}\".");
        ++m_at;
        if (most && *most < least.value_or(0)) fail("a repetition has its larger number first.");
        return m_rules.repeat(part, least.value_or(0), most);
    }

    std::optional<uint32_t> number() {
        if (peek() < '0' || peek() > '9') return std::nullopt;
        uint32_t value = 0;
        for (; peek() >= '0' && peek() <= '9'; ++m_at) {
            value = value * 10 + static_cast<uint32_t>(peek() - '0');
            if (value > kMostRepetitions) fail("a part is repeated more than " + std::to_string(kMostRepetitions) + " times.");
        }
        return value;
    }

    std::string_view m_text;
    size_t m_at = 0;
    Rules m_rules;
};

} // namespace

Result<RootedRules> rulesOfGbnf(std::string_view text) { return Parser(text).parse(); }

} // namespace steelyard::grammar
