#include "engine/template/parser.h"

#include <algorithm>

namespace steelyard::jinja {

struct OperatorRow {
    std::string_view text;
    Operator op;
};

namespace {

constexpr OperatorRow kComparisons[] = {{"==", Operator::Equal},  {"!=", Operator::NotEqual},
                                        {"<", Operator::Less},    {"<=", Operator::LessEqual},
                                        {">", Operator::Greater}, {">=", Operator::GreaterEqual}};
constexpr OperatorRow kSums[] = {{"+", Operator::Add}, {"-", Operator::Subtract}};
constexpr OperatorRow kProducts[] = {
    {"*", Operator::Multiply}, {"/", Operator::Divide}, {"//", Operator::FloorDivide}, {"%", Operator::Modulo}};
constexpr OperatorRow kPowers[] = {{"**", Operator::Power}};

template <size_t N>
const OperatorRow* findOperator(const OperatorRow (&rows)[N], const Token& token) {
    const auto row =
        std::find_if(std::begin(rows), std::end(rows), [&](const OperatorRow& r) { return token.isOperator(r.text); });
    return row == std::end(rows) ? nullptr : row;
}

} // namespace

ExpressionPtr Parser::expression(Expression::Kind kind) const {
    auto node = std::make_unique<Expression>();
    node->kind = kind;
    node->line = current().line;
    return node;
}

ExpressionPtr Parser::textConstant(std::string_view text) const {
    auto node = expression(Expression::Kind::Constant);
    node->constant = Value::text(text);
    return node;
}

ExpressionPtr Parser::chain(Expression::Kind kind, ExpressionPtr first) const {
    auto node = expression(kind);
    node->line = first->line;
    node->operands.push_back(std::move(first));
    return node;
}

// Expressions with commas between them make a tuple.
ExpressionPtr Parser::parseTuple(bool conditions) {
    auto first = parseExpression(conditions);
    if (!current().isOperator(",")) return first;
    auto tuple = chain(Expression::Kind::Tuple, std::move(first));
    while (skipOperator(",")) {
        const auto kind = current().kind;
        if (kind == Token::Kind::PrintEnd || kind == Token::Kind::BlockEnd || current().isOperator(")") ||
            current().isName("in"))
            break;
        tuple->operands.push_back(parseExpression(conditions));
    }
    return tuple;
}

ExpressionPtr Parser::parseExpression(bool conditions) {
    const Nested nested(*this);
    auto value = parseOr();
    while (conditions && skipName("if")) {
        ++m_conditions;
        auto node = chain(Expression::Kind::Condition, std::move(value));
        node->operands.push_back(parseOr());
        node->operands.push_back(skipName("else") ? parseExpression() : nullptr);
        --m_conditions;
        value = std::move(node);
    }
    return value;
}

// A level of operands with one word or sign between them.
ExpressionPtr Parser::parseChain(Expression::Kind kind, Level operand, bool (Parser::*skip)(std::string_view),
                                 std::string_view between) {
    auto first = (this->*operand)();
    if (!(this->*skip)(between)) return first;
    auto node = chain(kind, std::move(first));
    do {
        node->operands.push_back((this->*operand)());
    } while ((this->*skip)(between));
    return node;
}

ExpressionPtr Parser::parseOr() {
    return parseChain(Expression::Kind::Or, &Parser::parseAnd, &Parser::skipName, "or");
}

ExpressionPtr Parser::parseAnd() {
    return parseChain(Expression::Kind::And, &Parser::parseNot, &Parser::skipName, "and");
}

ExpressionPtr Parser::parseNot() {
    if (!current().isName("not")) return parseCompare();
    const Nested nested(*this);
    auto node = expression(Expression::Kind::Not);
    take();
    node->operands.push_back(parseNot());
    return node;
}

ExpressionPtr Parser::parseCompare() {
    auto left = parseSum();
    ExpressionPtr node;
    while (true) {
        std::optional<Operator> op;
        if (const auto* row = findOperator(kComparisons, current())) {
            op = row->op;
            take();
        } else if (skipName("in")) {
            op = Operator::In;
        } else if (current().isName("not") && following().isName("in")) {
            take();
            take();
            op = Operator::NotIn;
        }
        if (!op) break;
        if (!node) node = chain(Expression::Kind::Compare, std::move(left));
        node->operators.push_back(*op);
        node->operands.push_back(parseSum());
    }
    return node ? std::move(node) : std::move(left);
}

// A level of operands with arithmetic signs between them.
ExpressionPtr Parser::parseArithmetic(Level operand, const OperatorRow* (*find)(const Token&)) {
    auto first = (this->*operand)();
    if (!find(current())) return first;
    auto node = chain(Expression::Kind::Arithmetic, std::move(first));
    while (const auto* row = find(current())) {
        take();
        node->operators.push_back(row->op);
        node->operands.push_back((this->*operand)());
    }
    return node;
}

ExpressionPtr Parser::parseSum() {
    return parseArithmetic(&Parser::parseConcatenation, [](const Token& token) { return findOperator(kSums, token); });
}

ExpressionPtr Parser::parseConcatenation() {
    return parseChain(Expression::Kind::Concatenate, &Parser::parseProduct, &Parser::skipOperator, "~");
}

ExpressionPtr Parser::parseProduct() {
    return parseArithmetic(&Parser::parsePower, [](const Token& token) { return findOperator(kProducts, token); });
}

ExpressionPtr Parser::parsePower() {
    return parseArithmetic(&Parser::parseFiltered, [](const Token& token) { return findOperator(kPowers, token); });
}

ExpressionPtr Parser::parseFiltered() {
    return parseUnary(true);
}

ExpressionPtr Parser::parseUnary(bool filters) {
    const Nested nested(*this);
    ExpressionPtr node;
    if (current().isOperator("-") || current().isOperator("+")) {
        node = expression(current().isOperator("-") ? Expression::Kind::Negate : Expression::Kind::Plus);
        take();
        node->operands.push_back(parseUnary(false));
    } else {
        node = parsePrimary();
    }
    node = parsePostfix(std::move(node));
    return filters ? parseFilters(std::move(node)) : std::move(node);
}

ExpressionPtr Parser::parsePrimary() {
    const Token& token = current();
    auto node = expression(Expression::Kind::Constant);
    switch (token.kind) {
    case Token::Kind::Name:
        if (token.text == "true" || token.text == "True")
            node->constant = Value(true);
        else if (token.text == "false" || token.text == "False")
            node->constant = Value(false);
        else if (token.text != "none" && token.text != "None") {
            node->kind = Expression::Kind::Name;
            node->name = token.text;
            for (auto* macro : m_macros) {
                macro->usesCaller = macro->usesCaller || token.text == "caller";
                macro->usesVarargs = macro->usesVarargs || token.text == "varargs";
                macro->usesKwargs = macro->usesKwargs || token.text == "kwargs";
            }
        }
        take();
        return node;
    case Token::Kind::String: {
        std::string text;
        while (current().kind == Token::Kind::String)
            text += take().text; // neighbours are one text
        node->constant = Value::text(text);
        return node;
    }
    case Token::Kind::Integer:
        node->constant = Value(take().integer);
        return node;
    case Token::Kind::Float:
        node->constant = Value(take().real);
        return node;
    case Token::Kind::Operator:
        if (token.text == "(") return parseParenthesis();
        if (token.text == "[") return parseListLiteral();
        if (token.text == "{") return parseDictLiteral();
        break;
    case Token::Kind::Text:
    case Token::Kind::PrintBegin:
    case Token::Kind::PrintEnd:
    case Token::Kind::BlockBegin:
    case Token::Kind::BlockEnd:
    case Token::Kind::End:
        break;
    }
    fail("unexpected " + describeCurrent() + ".");
}

ExpressionPtr Parser::parseParenthesis() {
    take();
    if (skipOperator(")")) return expression(Expression::Kind::Tuple);
    auto node = parseTuple(true);
    expectOperator(")");
    return node;
}

ExpressionPtr Parser::parseListLiteral() {
    auto node = expression(Expression::Kind::List);
    take();
    while (!current().isOperator("]")) {
        if (!node->operands.empty()) expectOperator(",");
        if (current().isOperator("]")) break;
        node->operands.push_back(parseExpression());
    }
    take();
    return node;
}

ExpressionPtr Parser::parseDictLiteral() {
    auto node = expression(Expression::Kind::Dict);
    take();
    while (!current().isOperator("}")) {
        if (!node->operands.empty()) expectOperator(",");
        if (current().isOperator("}")) break;
        node->operands.push_back(parseExpression());
        expectOperator(":");
        node->operands.push_back(parseExpression());
    }
    take();
    return node;
}

} // namespace steelyard::jinja
