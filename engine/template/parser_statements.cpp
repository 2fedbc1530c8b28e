#include "engine/template/builtins.h"
#include "engine/template/parser.h"

#include <algorithm>
#include <utility>

namespace steelyard::jinja {

Parser::Nested::Nested(Parser& parser) : m_parser(parser) {
    if (++m_parser.m_depth > kDeepestNesting) {
        --m_parser.m_depth; // the destructor of a throwing constructor does not run
        m_parser.fail("the template is too deep: brackets and blocks are nested more than " +
                      std::to_string(kDeepestNesting) + " times.");
    }
}

void Parser::fail(const std::string& what) const {
    throw TemplateError{"Line " + std::to_string(current().line) + ", column " + std::to_string(current().column) +
                        ": " + what};
}

std::string Parser::describeCurrent() const {
    switch (current().kind) {
    case Token::Kind::Text:
        return "text";
    case Token::Kind::PrintBegin:
        return "'{{'";
    case Token::Kind::PrintEnd:
        return "'}}'";
    case Token::Kind::BlockBegin:
        return "'{%'";
    case Token::Kind::BlockEnd:
        return "'%}'";
    case Token::Kind::End:
        return "end of the template";
    case Token::Kind::String:
        return "text in quotes";
    case Token::Kind::Integer:
    case Token::Kind::Float:
        return "number";
    case Token::Kind::Name:
    case Token::Kind::Operator:
        break;
    }
    return "'" + current().text.substr(0, 60) + "'";
}

bool Parser::skipOperator(std::string_view text) {
    if (!current().isOperator(text)) return false;
    take();
    return true;
}

bool Parser::skipName(std::string_view text) {
    if (!current().isName(text)) return false;
    take();
    return true;
}

void Parser::expectOperator(std::string_view text) {
    if (!skipOperator(text)) fail("'" + std::string(text) + "' should stand where " + describeCurrent() + " is.");
}

void Parser::expectName(std::string_view text) {
    if (!skipName(text)) fail("'" + std::string(text) + "' should stand where " + describeCurrent() + " is.");
}

void Parser::expectBlockEnd() {
    if (current().kind != Token::Kind::BlockEnd) fail("'%}' should stand where " + describeCurrent() + " is.");
    take();
}

std::string Parser::expectAnyName() {
    if (current().kind != Token::Kind::Name) fail("a name should stand where " + describeCurrent() + " is.");
    return take().text;
}

std::unique_ptr<Statement> Parser::statement(Statement::Kind kind) const {
    auto node = std::make_unique<Statement>();
    node->kind = kind;
    node->line = current().line;
    return node;
}

Block Parser::parseTemplate() {
    Block body = parseBody({});
    if (current().kind != Token::Kind::End) fail("unexpected " + describeCurrent() + ".");
    return body;
}

Block Parser::parseBody(const EndNames& ends) {
    const Nested nested(*this);
    Block body;
    while (current().kind != Token::Kind::End) {
        if (current().kind == Token::Kind::Text) {
            body.push_back(statement(Statement::Kind::Text));
            body.back()->text = take().text;
        } else if (current().kind == Token::Kind::PrintBegin) {
            body.push_back(parsePrint());
        } else {
            if (following().kind == Token::Kind::Name &&
                std::find(ends.begin(), ends.end(), following().text) != ends.end()) {
                take();
                return body;
            }
            take();
            body.push_back(parseStatement());
        }
    }
    if (!ends.empty()) fail("the template ends where '" + std::string(ends.back()) + "' should stand.");
    return body;
}

Block Parser::parseBodyTo(std::string_view end) {
    Block body = parseBody({end});
    expectName(end);
    expectBlockEnd();
    return body;
}

std::unique_ptr<Statement> Parser::parsePrint() {
    auto node = statement(Statement::Kind::Print);
    take();
    node->expression = parseTuple(true);
    if (current().kind != Token::Kind::PrintEnd) fail("'}}' should stand where " + describeCurrent() + " is.");
    take();
    return node;
}

std::unique_ptr<Statement> Parser::parseStatement() {
    if (current().kind != Token::Kind::Name) fail("the name of a tag should stand where " + describeCurrent() + " is.");
    const std::string name = current().text;
    if (name == "for") return parseFor();
    if (name == "if") return parseIf();
    if (name == "set") return parseSet();
    if (name == "macro") return parseMacro();
    if (name == "call") return parseCall();
    if (name == "filter") return parseFilterBlock();
    if (name == "with") return parseWith();
    if (name == "generation") return parseScope("endgeneration"); // marks a reply for training; only its body matters
    if (name == "autoescape") return parseScope("endautoescape");
    if (name == "block") return parseScope("endblock");
    if (name == "break") return parseLoopControl(Statement::Kind::Break);
    if (name == "continue") return parseLoopControl(Statement::Kind::Continue);
    if (name == "include" || name == "import" || name == "from" || name == "extends") return parseRefused(name);
    fail("there is no tag named '" + name + "' here.");
}

std::unique_ptr<Statement> Parser::parseFor() {
    auto node = statement(Statement::Kind::For);
    take();
    node->target = parseTargets(false);
    expectName("in");
    node->expression = parseTuple(false);
    if (skipName("if")) node->condition = parseExpression();
    node->recursive = skipName("recursive");
    expectBlockEnd();
    ++m_loops;
    node->body = parseBody({"endfor", "else"});
    --m_loops;
    if (skipName("else")) {
        expectBlockEnd();
        node->otherwise = parseBody({"endfor"});
    }
    expectName("endfor");
    expectBlockEnd();
    return node;
}

std::unique_ptr<Statement> Parser::parseIf() {
    auto node = statement(Statement::Kind::If);
    ++m_conditions;
    do {
        take();
        auto condition = parseTuple(false);
        expectBlockEnd();
        node->branches.emplace_back(std::move(condition), parseBody({"elif", "else", "endif"}));
    } while (current().isName("elif"));
    if (skipName("else")) {
        expectBlockEnd();
        node->otherwise = parseBody({"endif"});
    }
    --m_conditions;
    expectName("endif");
    expectBlockEnd();
    return node;
}

Target Parser::parseTarget(bool attributes) {
    if (skipOperator("(")) {
        Target target = parseTargets(attributes);
        expectOperator(")");
        return target;
    }
    Target target;
    target.name = expectAnyName();
    constexpr std::string_view kReserved[] = {"true", "false", "none", "True", "False", "None"};
    if (std::find(std::begin(kReserved), std::end(kReserved), target.name) != std::end(kReserved))
        fail("'" + target.name + "' cannot be assigned to.");
    if (attributes && skipOperator(".")) target.attribute = expectAnyName();
    return target;
}

Target Parser::parseTargets(bool attributes) {
    const Nested nested(*this);
    Target first = parseTarget(attributes);
    if (!current().isOperator(",")) return first;
    Target targets;
    targets.parts.push_back(std::move(first));
    while (skipOperator(",")) {
        if (current().isName("in") || current().isOperator("=") || current().isOperator(")")) break;
        targets.parts.push_back(parseTarget(attributes));
    }
    return targets;
}

std::unique_ptr<Statement> Parser::parseSet() {
    auto node = statement(Statement::Kind::Set);
    take();
    node->target = parseTargets(true);
    if (skipOperator("=")) {
        node->expression = parseTuple(true);
        expectBlockEnd();
        return node;
    }
    node->kind = Statement::Kind::SetBlock;
    while (current().isOperator("|"))
        node->filterSteps.push_back(parseFilter());
    expectBlockEnd();
    node->body = parseBodyTo("endset");
    return node;
}

void Parser::parseParameters(MacroSyntax& macro) {
    expectOperator("(");
    while (!current().isOperator(")")) {
        if (!macro.parameters.empty()) expectOperator(",");
        if (current().isOperator(")")) break;
        Parameter parameter{expectAnyName(), nullptr};
        if (skipOperator("="))
            parameter.standard = parseExpression();
        else if (!macro.parameters.empty() && macro.parameters.back().standard)
            fail("a parameter without a standard value cannot follow one with it.");
        macro.parameters.push_back(std::move(parameter));
    }
    take();
}

// "%}", body and end tag. Names used in the body decide what a call may pass.
void Parser::parseMacroBody(MacroSyntax& macro, std::string_view end) {
    expectBlockEnd();
    m_macros.push_back(&macro);
    const int loops = std::exchange(m_loops, 0);
    macro.body = parseBodyTo(end);
    m_loops = loops;
    m_macros.pop_back();
}

std::unique_ptr<Statement> Parser::parseMacro() {
    auto node = statement(Statement::Kind::Macro);
    take();
    node->macro = std::make_shared<MacroSyntax>();
    node->macro->name = expectAnyName();
    parseParameters(*node->macro);
    parseMacroBody(*node->macro, "endmacro");
    return node;
}

std::unique_ptr<Statement> Parser::parseCall() {
    auto node = statement(Statement::Kind::Call);
    take();
    node->macro = std::make_shared<MacroSyntax>();
    node->macro->name = "caller";
    if (current().isOperator("(")) parseParameters(*node->macro);
    node->expression = parseExpression();
    if (node->expression->kind != Expression::Kind::Postfix ||
        node->expression->steps.back().kind != Postfix::Kind::Call)
        fail("a call should stand behind 'call'.");
    parseMacroBody(*node->macro, "endcall");
    return node;
}

std::unique_ptr<Statement> Parser::parseFilterBlock() {
    auto node = statement(Statement::Kind::Filter);
    // The first filter stands without a bar; the tag's own name stands in for it.
    do
        node->filterSteps.push_back(parseFilter());
    while (current().isOperator("|"));
    expectBlockEnd();
    node->body = parseBodyTo("endfilter");
    return node;
}

std::unique_ptr<Statement> Parser::parseWith() {
    auto node = statement(Statement::Kind::With);
    take();
    while (current().kind != Token::Kind::BlockEnd) {
        if (!node->assignments.empty()) expectOperator(",");
        Target target = parseTarget(false);
        expectOperator("=");
        node->assignments.emplace_back(std::move(target), parseExpression());
    }
    expectBlockEnd();
    node->body = parseBodyTo("endwith");
    return node;
}

std::unique_ptr<Statement> Parser::parseScope(std::string_view end) {
    auto node = statement(Statement::Kind::Scope);
    while (current().kind != Token::Kind::BlockEnd && current().kind != Token::Kind::End)
        take(); // arguments mean nothing here
    expectBlockEnd();
    node->body = parseBody({end});
    expectName(end);
    if (current().kind == Token::Kind::Name) take(); // {% endblock name %}
    expectBlockEnd();
    return node;
}

std::unique_ptr<Statement> Parser::parseLoopControl(Statement::Kind kind) {
    if (m_loops == 0) fail("'" + current().text + "' stands outside of a loop.");
    auto node = statement(kind);
    take();
    expectBlockEnd();
    return node;
}

// There is nothing to include: an error when it is reached.
std::unique_ptr<Statement> Parser::parseRefused(const std::string& name) {
    auto node = statement(Statement::Kind::Refuse);
    node->text = "'" + name + "' is not possible: a chat template stands alone.";
    while (current().kind != Token::Kind::BlockEnd && current().kind != Token::Kind::End)
        take();
    expectBlockEnd();
    return node;
}

} // namespace steelyard::jinja
