// The parser's part for what stands behind a value: attributes, items, calls, filters and tests.
#include "engine/template/builtins.h"
#include "engine/template/parser.h"

namespace steelyard::jinja {

ExpressionPtr Parser::withStep(ExpressionPtr base, Postfix step) const {
    if (base->kind != Expression::Kind::Postfix) base = chain(Expression::Kind::Postfix, std::move(base));
    base->steps.push_back(std::move(step));
    return base;
}

// What may stand behind a value: attributes, items and calls; behind filters and tests no attributes and items, but
// filters, tests and calls.
ExpressionPtr Parser::parsePostfix(ExpressionPtr base) {
    while (true) {
        if (current().isOperator("."))
            base = withStep(std::move(base), parseDot());
        else if (current().isOperator("["))
            base = withStep(std::move(base), parseBrackets());
        else if (current().isOperator("("))
            base = withStep(std::move(base), parseCallStep());
        else
            return base;
    }
}

ExpressionPtr Parser::parseFilters(ExpressionPtr base) {
    while (true) {
        if (current().isOperator("|"))
            base = withStep(std::move(base), parseFilter());
        else if (current().isName("is"))
            base = withStep(std::move(base), parseTest());
        else if (current().isOperator("("))
            base = withStep(std::move(base), parseCallStep());
        else
            return base;
    }
}

Postfix Parser::step(Postfix::Kind kind) const {
    return {kind, current().line, {}, {}, {}, {}, {}, {}};
}

Postfix Parser::parseCallStep() {
    Postfix call = step(Postfix::Kind::Call);
    call.arguments = parseArguments();
    return call;
}

Postfix Parser::parseDot() {
    Postfix found = step(Postfix::Kind::Attribute);
    take();
    if (current().kind == Token::Kind::Name) {
        found.name = take().text;
    } else if (current().kind == Token::Kind::Integer) {
        found.kind = Postfix::Kind::Item;
        found.index = parsePrimary();
    } else {
        fail("a name or number should stand behind '.'.");
    }
    return found;
}

Postfix Parser::parseBrackets() {
    Postfix found = step(Postfix::Kind::Item);
    take();
    const auto ends = [&] { return current().isOperator(":") || current().isOperator("]"); };
    if (!ends()) found.index = parseExpression();
    if (current().isOperator(",")) {
        auto tuple = chain(Expression::Kind::Tuple, std::move(found.index));
        while (skipOperator(",") && !current().isOperator("]"))
            tuple->operands.push_back(parseExpression());
        found.index = std::move(tuple);
    } else if (skipOperator(":")) {
        found.kind = Postfix::Kind::Slice;
        found.from = std::move(found.index);
        if (!ends()) found.to = parseExpression();
        if (skipOperator(":") && !ends()) found.step = parseExpression();
    } else if (!found.index) {
        fail("an index is missing between '[' and ']'.");
    }
    expectOperator("]");
    return found;
}

std::string Parser::parseDottedName() {
    std::string name = expectAnyName();
    while (skipOperator("."))
        name += "." + expectAnyName();
    return name;
}

Postfix Parser::parseFilter() {
    Postfix found = step(Postfix::Kind::Filter);
    take();
    found.name = parseDottedName();
    if (m_conditions == 0 && !findFilter(found.name)) fail("there is no filter named '" + found.name + "'.");
    if (current().isOperator("(")) found.arguments = parseArguments();
    return found;
}

Postfix Parser::parseTest() {
    Postfix found = step(Postfix::Kind::Test);
    take();
    if (skipName("not")) found.kind = Postfix::Kind::NotTest;
    found.name = parseDottedName();
    if (m_conditions == 0 && !findTest(found.name)) fail("there is no test named '" + found.name + "'.");
    const Token& token = current();
    if (token.isOperator("(")) {
        found.arguments = parseArguments();
    } else if (token.isName("is")) {
        fail("tests cannot follow one another with 'is'.");
    } else if (token.kind == Token::Kind::String || token.kind == Token::Kind::Integer ||
               token.kind == Token::Kind::Float || token.isOperator("[") || token.isOperator("{") ||
               (token.kind == Token::Kind::Name && token.text != "else" && token.text != "or" && token.text != "and" &&
                token.text != "if" && token.text != "in" && token.text != "not" && token.text != "recursive")) {
        const Nested nested(*this);
        found.arguments.positional.push_back(parsePostfix(parsePrimary()));
    }
    return found;
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
