// Cuts a template's source into text and tokens: blank control (trim_blocks, lstrip_blocks, '-' and '+'), comments, raw
// blocks, literals. Linear in the source. Knows nothing of grammar.
#pragma once

#include "engine/template/value.h"

namespace steelyard::jinja {

struct Token {
    enum class Kind : uint8_t {
        Text,
        PrintBegin,
        PrintEnd,
        BlockBegin,
        BlockEnd,
        Name,
        String,
        Integer,
        Float,
        Operator,
        End
    } kind;
    std::string text; // of a text, name, string (unescaped) or operator
    int64_t integer = 0;
    double real = 0;
    int line = 1, column = 1;

    bool isOperator(std::string_view wanted) const { return kind == Kind::Operator && text == wanted; }
    bool isName(std::string_view wanted) const { return kind == Kind::Name && text == wanted; }
};

// All tokens, the last one End. Throws TemplateError with line and column.
std::vector<Token> tokensOf(std::string_view source);

} // namespace steelyard::jinja
