#include "engine/template/builtins.h"
#include "engine/template/parser.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

struct OperatorRow {
    std::string_view text;
    Operator op;
};
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

ExpressionPtr Parser::parseOr() {
    auto left = parseAnd();
    if (!current().isName("or")) return left;
    auto node = chain(Expression::Kind::Or, std::move(left));
    while (skipName("or"))
        node->operands.push_back(parseAnd());
    return node;
}

ExpressionPtr Parser::parseAnd() {
    auto left = parseNot();
    if (!current().isName("and")) return left;
    auto node = chain(Expression::Kind::And, std::move(left));
    while (skipName("and"))
        node->operands.push_back(parseNot());
    return node;
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

ExpressionPtr Parser::parseSum() {
    auto left = parseConcatenation();
    if (!findOperator(kSums, current())) return left;
    auto node = chain(Expression::Kind::Arithmetic, std::move(left));
    while (const auto* row = findOperator(kSums, current())) {
        take();
        node->operators.push_back(row->op);
        node->operands.push_back(parseConcatenation());
    }
    return node;
}

ExpressionPtr Parser::parseConcatenation() {
    auto left = parseProduct();
    if (!current().isOperator("~")) return left;
    auto node = chain(Expression::Kind::Concatenate, std::move(left));
    while (skipOperator("~"))
        node->operands.push_back(parseProduct());
    return node;
}

ExpressionPtr Parser::parseProduct() {
    auto left = parsePower();
    if (!findOperator(kProducts, current())) return left;
    auto node = chain(Expression::Kind::Arithmetic, std::move(left));
    while (const auto* row = findOperator(kProducts, current())) {
        take();
        node->operators.push_back(row->op);
        node->operands.push_back(parsePower());
    }
    return node;
}

ExpressionPtr Parser::parsePower() {
    auto left = parseUnary(true);
    if (!findOperator(kPowers, current())) return left;
    auto node = chain(Expression::Kind::Arithmetic, std::move(left));
    while (skipOperator("**")) {
        node->operators.push_back(Operator::Power);
        node->operands.push_back(parseUnary(true));
    }
    return node;
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

ExpressionPtr Parser::withStep(ExpressionPtr base, Postfix step) const {
    if (base->kind != Expression::Kind::Postfix) base = chain(Expression::Kind::Postfix, std::move(base));
    base->steps.push_back(std::move(step));
    return base;
}

ExpressionPtr Parser::parsePostfix(ExpressionPtr base) {
    while (true) {
        if (current().isOperator(".")) {
            base = withStep(std::move(base), parseDot());
        } else if (current().isOperator("[")) {
            base = withStep(std::move(base), parseBrackets());
        } else if (current().isOperator("(")) {
            Postfix call{Postfix::Kind::Call, current().line, {}, {}, {}, {}, {}, {}};
            call.arguments = parseArguments();
            base = withStep(std::move(base), std::move(call));
        } else {
            return base;
        }
    }
}

ExpressionPtr Parser::parseFilters(ExpressionPtr base) {
    while (true) {
        if (current().isOperator("|")) {
            base = withStep(std::move(base), parseFilter());
        } else if (current().isName("is")) {
            base = withStep(std::move(base), parseTest());
        } else if (current().isOperator("(")) {
            Postfix call{Postfix::Kind::Call, current().line, {}, {}, {}, {}, {}, {}};
            call.arguments = parseArguments();
            base = withStep(std::move(base), std::move(call));
        } else {
            return base;
        }
    }
}

Postfix Parser::parseDot() {
    Postfix step{Postfix::Kind::Attribute, current().line, {}, {}, {}, {}, {}, {}};
    take();
    if (current().kind == Token::Kind::Name) {
        step.name = take().text;
    } else if (current().kind == Token::Kind::Integer) {
        step.kind = Postfix::Kind::Item;
        step.index = parsePrimary();
    } else {
        fail("a name or number should stand behind '.'.");
    }
    return step;
}

Postfix Parser::parseBrackets() {
    Postfix step{Postfix::Kind::Item, current().line, {}, {}, {}, {}, {}, {}};
    take();
    const auto ends = [&] { return current().isOperator(":") || current().isOperator("]"); };
    if (!ends()) step.index = parseExpression();
    if (current().isOperator(",")) {
        auto tuple = chain(Expression::Kind::Tuple, std::move(step.index));
        while (skipOperator(",") && !current().isOperator("]"))
            tuple->operands.push_back(parseExpression());
        step.index = std::move(tuple);
    } else if (skipOperator(":")) {
        step.kind = Postfix::Kind::Slice;
        step.from = std::move(step.index);
        if (!ends()) step.to = parseExpression();
        if (skipOperator(":") && !ends()) step.step = parseExpression();
    } else if (!step.index) {
        fail("an index is missing between '[' and ']'.");
    }
    expectOperator("]");
    return step;
}

Postfix Parser::parseFilter() {
    Postfix step{Postfix::Kind::Filter, current().line, {}, {}, {}, {}, {}, {}};
    take();
    step.name = expectAnyName();
    while (skipOperator("."))
        step.name += "." + expectAnyName();
    if (m_conditions == 0 && !findFilter(step.name)) fail("there is no filter named '" + step.name + "'.");
    if (current().isOperator("(")) step.arguments = parseArguments();
    return step;
}

Postfix Parser::parseTest() {
    Postfix step{Postfix::Kind::Test, current().line, {}, {}, {}, {}, {}, {}};
    take();
    if (skipName("not")) step.kind = Postfix::Kind::NotTest;
    step.name = expectAnyName();
    while (skipOperator("."))
        step.name += "." + expectAnyName();
    if (m_conditions == 0 && !findTest(step.name)) fail("there is no test named '" + step.name + "'.");
    const Token& token = current();
    if (token.isOperator("(")) {
        step.arguments = parseArguments();
    } else if (token.isName("is")) {
        fail("tests cannot follow one another with 'is'.");
    } else if (token.kind == Token::Kind::String || token.kind == Token::Kind::Integer ||
               token.kind == Token::Kind::Float || token.isOperator("[") || token.isOperator("{") ||
               (token.kind == Token::Kind::Name && token.text != "else" && token.text != "or" && token.text != "and" &&
                token.text != "if" && token.text != "in" && token.text != "not" && token.text != "recursive")) {
        const Nested nested(*this);
        step.arguments.positional.push_back(parsePostfix(parsePrimary()));
    }
    return step;
}

CallArguments Parser::parseArguments() {
    const Nested nested(*this);
    CallArguments arguments;
    expectOperator("(");
    for (bool first = true; !current().isOperator(")"); first = false) {
        if (!first) expectOperator(",");
        if (current().isOperator(")")) break;
        if (skipOperator("**")) {
            arguments.namedSpread = parseExpression();
        } else if (skipOperator("*")) {
            arguments.spread = parseExpression();
        } else if (current().kind == Token::Kind::Name && following().isOperator("=")) {
            std::string name = take().text;
            take();
            arguments.named.emplace_back(std::move(name), parseExpression());
        } else {
            if (!arguments.named.empty() || arguments.spread || arguments.namedSpread)
                fail("an argument without a name cannot follow one with a name.");
            arguments.positional.push_back(parseExpression());
        }
    }
    take();
    return arguments;
}

} // namespace steelyard::jinja
