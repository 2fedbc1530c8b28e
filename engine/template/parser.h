// Tokens to the tree, by Jinja's grammar. Nesting is bounded, so that no source can exhaust the stack. Unknown filters
// and tests are errors here, except inside conditions, where they are errors only when they are reached (so templates
// may ask first). Throws TemplateError with line and column.
#pragma once

#include "engine/template/lexer.h"
#include "engine/template/syntax.h"

#include <algorithm>

namespace steelyard::jinja {

constexpr int kDeepestNesting = 128;

struct OperatorRow; // a sign and its operator

class Parser {
public:
    explicit Parser(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

    Block parseTemplate();

private:
    // Counts nesting while it lives.
    class Nested {
    public:
        explicit Nested(Parser& parser);
        ~Nested() { --m_parser.m_depth; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

    private:
        Parser& m_parser;
    };

    // Statements.
    using EndNames = std::vector<std::string_view>;
    Block parseBody(const EndNames& ends);   // stops before one of the end tags' names, behind its "{%"
    Block parseBodyTo(std::string_view end); // and takes the end tag
    std::unique_ptr<Statement> parsePrint();
    std::unique_ptr<Statement> parseStatement();
    std::unique_ptr<Statement> parseFor();
    std::unique_ptr<Statement> parseIf();
    std::unique_ptr<Statement> parseSet();
    std::unique_ptr<Statement> parseMacro();
    std::unique_ptr<Statement> parseCall();
    std::unique_ptr<Statement> parseFilterBlock();
    std::unique_ptr<Statement> parseWith();
    std::unique_ptr<Statement> parseScope(std::string_view end);
    std::unique_ptr<Statement> parseLoopControl(Statement::Kind kind);
    std::unique_ptr<Statement> parseRefused(const std::string& name);
    std::unique_ptr<Statement> statement(Statement::Kind kind) const;
    void parseParameters(MacroSyntax& macro);
    void parseMacroBody(MacroSyntax& macro, std::string_view end);
    Target parseTarget(bool attributes);
    Target parseTargets(bool attributes);

    // Expressions, from the loosest binding to the tightest.
    using Level = ExpressionPtr (Parser::*)();
    ExpressionPtr parseTuple(bool conditions);
    ExpressionPtr parseExpression(bool conditions = true);
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseCompare();
    ExpressionPtr parseSum();
    ExpressionPtr parseConcatenation();
    ExpressionPtr parseProduct();
    ExpressionPtr parsePower();
    ExpressionPtr parseFiltered();
    ExpressionPtr parseUnary(bool filters);
    ExpressionPtr parseChain(Expression::Kind kind, Level operand, bool (Parser::*skip)(std::string_view),
                             std::string_view between);
    ExpressionPtr parseArithmetic(Level operand, const OperatorRow* (*find)(const Token&));
    ExpressionPtr parsePrimary();
    ExpressionPtr parseParenthesis();
    ExpressionPtr parseListLiteral();
    ExpressionPtr parseDictLiteral();
    ExpressionPtr parsePostfix(ExpressionPtr base);
    ExpressionPtr parseFilters(ExpressionPtr base);
    ExpressionPtr withStep(ExpressionPtr base, Postfix step) const;
    Postfix step(Postfix::Kind kind) const;
    Postfix parseCallStep();
    Postfix parseDot();
    Postfix parseBrackets();
    Postfix parseFilter();
    Postfix parseTest();
    CallArguments parseArguments();
    ExpressionPtr chain(Expression::Kind kind, ExpressionPtr first) const;
    ExpressionPtr expression(Expression::Kind kind) const;
    ExpressionPtr textConstant(std::string_view text) const;

    const Token& current() const { return m_tokens[m_at]; }
    const Token& following() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
    Token take() { return m_tokens[m_at + 1 < m_tokens.size() ? m_at++ : m_at]; }
    bool skipOperator(std::string_view text);
    bool skipName(std::string_view text);
    void expectOperator(std::string_view text);
    void expectName(std::string_view text);
    void expectBlockEnd();
    std::string expectAnyName();
    std::string parseDottedName();
    [[noreturn]] void fail(const std::string& what) const;
    std::string describeCurrent() const;

    const std::vector<Token> m_tokens;
    size_t m_at = 0;
    int m_depth = 0;
    int m_conditions = 0;               // > 0 inside branches and conditional expressions
    int m_loops = 0;                    // > 0 where break and continue may stand
    std::vector<MacroSyntax*> m_macros; // being parsed
};

} // namespace steelyard::jinja
