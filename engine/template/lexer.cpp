#include "engine/template/lexer.h"

#include "engine/template/characters.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace steelyard::jinja {

namespace {

bool isNameStart(std::string_view text) {
    const uint32_t code = codePoint(text);
    return code == '_' || isLetter(code);
}

// The source with every kind of line end as \n, without a byte-order mark and without one line end at its end.
std::string normalized(std::string_view source) {
    if (source.substr(0, 3) == "\xEF\xBB\xBF") source.remove_prefix(3);
    std::string text;
    text.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            text += '\n';
            if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
        } else {
            text += source[i];
        }
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : m_source(normalized(source)), m_text(m_source) {}

    std::vector<Token> run() {
        while (m_at < m_text.size())
            readText();
        push(Token::Kind::End, {});
        return std::move(m_tokens);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw TemplateError{"Line " + std::to_string(m_line) + ", column " + std::to_string(column(m_at)) + ": " +
                            what};
    }
    int column(size_t at) const { return static_cast<int>(at - m_lineStart) + 1; }

    void push(Token::Kind kind, std::string text) {
        Token token;
        token.kind = kind;
        token.text = std::move(text);
        token.line = m_line;
        token.column = column(m_at);
        m_tokens.push_back(std::move(token));
    }

    // Moves on, counting lines.
    void advance(size_t to) {
        for (; m_at < to; ++m_at) {
            if (m_text[m_at] != '\n') continue;
            ++m_line;
            m_lineStart = m_at + 1;
        }
    }
    bool next(std::string_view wanted) const { return m_text.substr(m_at, wanted.size()) == wanted; }

    // Text up to the next tag, then the tag.
    void readText() {
        size_t open = m_at;
        while (true) {
            open = m_text.find('{', open);
            if (open == std::string_view::npos || open + 1 >= m_text.size()) open = m_text.size();
            if (open == m_text.size() || m_text[open + 1] == '{' || m_text[open + 1] == '%' || m_text[open + 1] == '#')
                break;
            ++open;
        }
        const bool tag = open < m_text.size();
        const char sign = open + 2 < m_text.size() ? m_text[open + 2] : '\0';
        size_t end = open;
        if (tag && sign == '-') {
            while (end > m_at && std::isspace(static_cast<unsigned char>(m_text[end - 1])))
                --end;
        } else if (tag && sign != '+' && m_text[open + 1] != '{') {
            end = withoutIndent(open);
        }
        if (end > m_at) push(Token::Kind::Text, std::string(m_text.substr(m_at, end - m_at)));
        advance(open);
        if (tag) readTag(sign);
    }

    // lstrip_blocks: blanks between the line's start and a block tag vanish.
    size_t withoutIndent(size_t open) const {
        size_t start = open;
        while (start > m_at && m_text[start - 1] != '\n' && std::isspace(static_cast<unsigned char>(m_text[start - 1])))
            --start;
        // Only where the line begins inside this text; the text may begin behind a tag that ended a line by itself.
        const bool lineStart = start == 0 || m_text[start - 1] == '\n';
        return lineStart && start >= m_at ? start : open;
    }

    void readTag(char sign) {
        const char kind = m_text[m_at + 1];
        const size_t length = sign == '-' || sign == '+' ? 3 : 2;
        if (kind == '#') return readComment(m_at + 2);
        if (kind == '%' && readRaw(m_at + length)) return;
        push(kind == '{' ? Token::Kind::PrintBegin : Token::Kind::BlockBegin, {});
        advance(m_at + length);
        readExpression(kind == '{');
    }

    void readComment(size_t from) {
        const size_t end = m_text.find("#}", from);
        if (end == std::string_view::npos) fail("the comment is not closed with '#}'.");
        const char sign = end > from ? m_text[end - 1] : '\0';
        advance(end + 2);
        afterBlock(sign);
    }

    // trim_blocks: a line end directly behind a block vanishes; '-' takes all blanks, '+' keeps the line end.
    void afterBlock(char sign) {
        size_t end = m_at;
        if (sign == '-')
            while (end < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[end])))
                ++end;
        else if (sign != '+' && end < m_text.size() && m_text[end] == '\n')
            ++end;
        advance(end);
    }

    // {% raw %} ... {% endraw %}; false when the tag is another.
    bool readRaw(size_t from) {
        const auto skipBlanks = [&](size_t at) {
            while (at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[at])))
                ++at;
            return at;
        };
        size_t at = skipBlanks(from);
        if (m_text.substr(at, 3) != "raw") return false;
        at = skipBlanks(at + 3);
        const char sign = at < m_text.size() ? m_text[at] : '\0';
        if (sign == '-' || sign == '+') ++at;
        if (m_text.substr(at, 2) != "%}") return false;
        advance(at + 2);
        if (sign == '-') afterBlock(sign); // the line end behind a plain 'raw' stays
        const size_t start = m_at;
        for (size_t open = m_text.find("{%", start); open != std::string_view::npos;
             open = m_text.find("{%", open + 2)) {
            const char openSign = open + 2 < m_text.size() ? m_text[open + 2] : '\0';
            size_t close = skipBlanks(open + (openSign == '-' || openSign == '+' ? 3 : 2));
            if (m_text.substr(close, 6) != "endraw") continue;
            close = skipBlanks(close + 6);
            const char closeSign = close < m_text.size() ? m_text[close] : '\0';
            if (closeSign == '-' || closeSign == '+') ++close;
            if (m_text.substr(close, 2) != "%}") continue;
            size_t end = openSign == '-' || openSign == '+' ? open : withoutIndent(open);
            if (openSign == '-')
                while (end > start && std::isspace(static_cast<unsigned char>(m_text[end - 1])))
                    --end;
            if (end > start) push(Token::Kind::Text, std::string(m_text.substr(start, end - start)));
            advance(close + 2);
            afterBlock(closeSign);
            return true;
        }
        fail("'raw' is not closed with 'endraw'.");
    }

    // Tokens up to and with the closing delimiter.
    void readExpression(bool print) {
        const std::string_view close = print ? "}}" : "%}";
        int braces = 0;
        while (true) {
            if (m_at >= m_text.size()) fail(print ? "'}}' is missing." : "'%}' is missing.");
            const char c = m_text[m_at];
            if (std::isspace(static_cast<unsigned char>(c))) {
                advance(m_at + 1);
                continue;
            }
            const char sign = (c == '-' || c == '+') && m_text.substr(m_at + 1, 2) == close ? c : '\0';
            if (braces == 0 && (sign != '\0' || next(close))) {
                push(print ? Token::Kind::PrintEnd : Token::Kind::BlockEnd, {});
                advance(m_at + close.size() + (sign != '\0' ? 1 : 0));
                if (!print || sign == '-') afterBlock(sign);
                return;
            }
            readToken(c, braces);
        }
    }

    void readToken(char c, int& braces) {
        if (isNameStart(m_text.substr(m_at))) {
            size_t end = m_at;
            while (end < m_text.size() && isWordCharacter(codePoint(m_text.substr(end))))
                end += characterLength(m_text.substr(end));
            push(Token::Kind::Name, std::string(m_text.substr(m_at, end - m_at)));
            return advance(end);
        }
        if (std::isdigit(static_cast<unsigned char>(c))) return readNumber();
        if (c == '\'' || c == '"') return readString(c);
        constexpr std::string_view kOperators[] = {"**", "//", "==", "!=", ">=", "<=", "+", "-", "*",
                                                   "/",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                   ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
        const auto found =
            std::find_if(std::begin(kOperators), std::end(kOperators), [&](std::string_view o) { return next(o); });
        if (found == std::end(kOperators))
            fail("unexpected character '" + std::string(m_text.substr(m_at, characterLength(m_text.substr(m_at)))) +
                 "'.");
        if (c == '{') ++braces;
        if (c == '}' && --braces < 0) fail("unexpected '}'.");
        push(Token::Kind::Operator, std::string(*found));
        advance(m_at + found->size());
    }

    void readNumber() {
        size_t end = m_at;
        std::string digits;
        const auto take = [&](auto accepts) {
            const size_t start = end;
            while (end < m_text.size() && (accepts(static_cast<unsigned char>(m_text[end])) ||
                                           (m_text[end] == '_' && end > start && end + 1 < m_text.size() &&
                                            accepts(static_cast<unsigned char>(m_text[end + 1]))))) {
                if (m_text[end] != '_') digits += m_text[end];
                ++end;
            }
            return end > start;
        };
        const auto isDigit = [](unsigned char c) { return std::isdigit(c) != 0; };
        const char prefix =
            m_text[m_at] == '0' && m_at + 1 < m_text.size() ? static_cast<char>(m_text[m_at + 1] | 32) : '\0';
        const int base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 10;
        if (base != 10) {
            end = m_at + 2;
            if (!take([&](unsigned char c) {
                    return std::isxdigit(c) && (std::isdigit(c) ? c - '0' : (c | 32) - 'a' + 10) < base;
                }))
                fail("the number is malformed.");
            return pushInteger(digits, base, end);
        }
        take(isDigit);
        bool real = false;
        const bool afterDot = !m_tokens.empty() && m_tokens.back().isOperator("."); // x.0.1 has no fraction
        if (!afterDot && end + 1 < m_text.size() && m_text[end] == '.' &&
            isDigit(static_cast<unsigned char>(m_text[end + 1]))) {
            real = true;
            digits += '.';
            ++end;
            take(isDigit);
        }
        if (!afterDot && end < m_text.size() && (m_text[end] | 32) == 'e') {
            size_t exponent = end + 1;
            if (exponent < m_text.size() && (m_text[exponent] == '+' || m_text[exponent] == '-')) ++exponent;
            if (exponent < m_text.size() && isDigit(static_cast<unsigned char>(m_text[exponent]))) {
                real = true;
                digits += m_text.substr(end, exponent - end);
                end = exponent;
                take(isDigit);
            }
        }
        if (!real) return pushInteger(digits, 10, end);
        push(Token::Kind::Float, {});
        m_tokens.back().real = std::strtod(digits.c_str(), nullptr);
        advance(end);
    }

    void pushInteger(const std::string& digits, int base, size_t end) {
        errno = 0;
        const long long value = std::strtoll(digits.c_str(), nullptr, base);
        if (errno == ERANGE) fail("the number " + digits.substr(0, 40) + " is too large.");
        push(Token::Kind::Integer, {});
        m_tokens.back().integer = value;
        advance(end);
    }

    void readString(char quote) {
        size_t end = m_at + 1;
        std::string text;
        while (end < m_text.size() && m_text[end] != quote) {
            if (m_text[end] != '\\')
                text += m_text[end++];
            else
                end = unescape(end, text);
        }
        if (end >= m_text.size()) fail("the text is not closed with " + std::string(1, quote) + ".");
        push(Token::Kind::String, std::move(text));
        advance(end + 1);
    }

    // Appends what the escape at a place stands for; gives the place behind it.
    size_t unescape(size_t at, std::string& text) {
        if (at + 1 >= m_text.size()) return at + 1;
        const char c = m_text[at + 1];
        constexpr std::string_view kLetters = "ntr\\'\"abfv", kMeanings = "\n\t\r\\'\"\a\b\f\v";
        if (const size_t known = kLetters.find(c); known != std::string_view::npos) {
            text += kMeanings[known];
            return at + 2;
        }
        if (c == '\n') return at + 2;
        if (c >= '0' && c <= '7') {
            uint32_t code = 0;
            size_t end = at + 1;
            for (; end < m_text.size() && end < at + 4 && m_text[end] >= '0' && m_text[end] <= '7'; ++end)
                code = code * 8 + static_cast<uint32_t>(m_text[end] - '0');
            text += encoded(code);
            return end;
        }
        const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits == 0) {
            text += '\\';
            return at + 1;
        }
        return unescapeHex(at, digits, text);
    }

    size_t unescapeHex(size_t at, size_t digits, std::string& text) {
        const auto hexAt = [&](size_t from) -> uint32_t {
            const std::string hex(m_text.substr(from, digits));
            if (hex.size() != digits ||
                !std::all_of(hex.begin(), hex.end(), [](unsigned char x) { return std::isxdigit(x); }))
                fail("the escape in the text is malformed.");
            return static_cast<uint32_t>(std::strtoul(hex.c_str(), nullptr, 16));
        };
        uint32_t code = hexAt(at + 2);
        size_t end = at + 2 + digits;
        // Two halves of a pair stand for one character.
        if (code >= 0xD800 && code < 0xDC00 && m_text.substr(end, 2) == "\\u") {
            const uint32_t low = hexAt(end + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                end += 6;
            }
        }
        text += encoded(code);
        return end;
    }

    const std::string m_source;
    const std::string_view m_text;
    std::vector<Token> m_tokens;
    size_t m_at = 0, m_lineStart = 0;
    int m_line = 1;
};

} // namespace

std::vector<Token> tokensOf(std::string_view source) {
    return Lexer(source).run();
}

} // namespace steelyard::jinja
