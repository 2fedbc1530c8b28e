#include "engine/template/interpreter_depth.h"

#include <algorithm>
#include <utility>

namespace steelyard::jinja {

const Value* Scope::findHere(std::string_view name) const {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == name; });
    return found == names.end() ? nullptr : &found->second;
}

void Scope::set(const std::string& name, Value value) {
    if (auto* found = const_cast<Value*>(findHere(name)))
        *found = std::move(value);
    else
        names.emplace_back(name, std::move(value));
}

Interpreter::Interpreter(Dict variables, int64_t nowSeconds, int64_t steps)
    : m_nowSeconds(nowSeconds), m_scope(std::make_shared<Scope>()) {
    m_budget.steps = steps;
    for (auto& entry : variables.entries)
        if (const auto* name = entry.first.string()) m_scope->set(name->text.bytes(), std::move(entry.second));
    // Assignments of the program stand apart from the variables.
    auto top = std::make_shared<Scope>();
    top->parent = m_scope;
    m_scope = std::move(top);
}

// Objects and scopes may hold each other in circles.
Interpreter::~Interpreter() {
    for (const auto& object : m_objects)
        object->attributes.clear();
    for (const auto& scope : m_capturedScopes)
        scope->names.clear();
}

Text Interpreter::run(const Block& program) {
    Text output;
    m_output = &output;
    try {
        execute(program);
    } catch (TemplateError& error) {
        if (m_line > 0) error.sentence = "Line " + std::to_string(m_line) + " of the template: " + error.sentence;
        throw;
    }
    return output;
}

void Interpreter::charge(int64_t steps) {
    m_steps += steps;
    if (m_steps > m_budget.steps)
        throw TemplateError{"The template's budget is exceeded: it takes more than " + std::to_string(m_budget.steps) +
                            " steps."};
}

void Interpreter::checkSize(size_t bytes) const {
    if (bytes > m_budget.textBytes)
        throw TemplateError{"The template's budget is exceeded: a text grows beyond " +
                            std::to_string(m_budget.textBytes) + " bytes."};
}

Value Interpreter::string(Text text, bool markup) {
    checkSize(text.size());
    charge(static_cast<int64_t>(text.size() / 8));
    return Value(String{std::move(text), markup});
}

std::shared_ptr<Object> Interpreter::makeObject(std::string kind) {
    m_objects.push_back(std::make_shared<Object>());
    m_objects.back()->kind = std::move(kind);
    return m_objects.back();
}

void Interpreter::write(const Text& text) {
    checkSize(m_output->size() + text.size());
    charge(static_cast<int64_t>(text.size() / 8));
    m_output->append(text);
}

Interpreter::Flow Interpreter::execute(const Block& block) {
    const Deeper deeper(*this);
    for (const auto& statement : block)
        if (const Flow flow = execute(*statement); flow != Flow::Normal) return flow;
    return Flow::Normal;
}

Interpreter::Flow Interpreter::execute(const Statement& statement) {
    charge(1);
    m_line = statement.line;
    switch (statement.kind) {
    case Statement::Kind::Text:
        write(Text(statement.text, true));
        break;
    case Statement::Kind::Print:
        write(textOf(evaluate(*statement.expression)));
        break;
    case Statement::Kind::If:
        return executeIf(statement);
    case Statement::Kind::For:
        executeFor(statement);
        break;
    case Statement::Kind::Set:
    case Statement::Kind::SetBlock:
        executeSet(statement);
        break;
    case Statement::Kind::Macro:
        m_scope->set(statement.macro->name, defineMacro(statement.macro));
        break;
    case Statement::Kind::Call:
        executeCall(statement);
        break;
    case Statement::Kind::Filter:
        write(textOf(filtered(string(captured(statement.body)), statement.filterSteps)));
        break;
    case Statement::Kind::With:
        executeWith(statement);
        break;
    case Statement::Kind::Scope:
        write(captured(statement.body));
        break;
    case Statement::Kind::Break:
        return Flow::Break;
    case Statement::Kind::Continue:
        return Flow::Continue;
    case Statement::Kind::Refuse:
        throw TemplateError{statement.text};
    }
    return Flow::Normal;
}

Interpreter::Flow Interpreter::executeIf(const Statement& statement) {
    for (const auto& branch : statement.branches)
        if (truth(evaluate(*branch.first))) return execute(branch.second);
    return execute(statement.otherwise);
}

void Interpreter::executeSet(const Statement& statement) {
    if (statement.kind == Statement::Kind::Set) return assign(statement.target, evaluate(*statement.expression));
    assign(statement.target, filtered(string(captured(statement.body)), statement.filterSteps));
}

void Interpreter::executeWith(const Statement& statement) {
    auto scope = std::make_shared<Scope>();
    scope->parent = m_scope;
    std::vector<Value> values;
    for (const auto& assignment : statement.assignments)
        values.push_back(evaluate(*assignment.second)); // none sees another
    std::swap(m_scope, scope);
    for (size_t i = 0; i < values.size(); ++i)
        assign(statement.assignments[i].first, values[i]);
    execute(statement.body);
    std::swap(m_scope, scope);
}

Text Interpreter::captured(const Block& block) {
    auto scope = std::make_shared<Scope>();
    scope->parent = m_scope;
    Text text;
    Text* output = std::exchange(m_output, &text);
    std::swap(m_scope, scope);
    execute(block);
    std::swap(m_scope, scope);
    m_output = output;
    return text;
}

Value Interpreter::filtered(Value value, const std::vector<Postfix>& steps) {
    for (const auto& step : steps) {
        Arguments arguments = evaluateArguments(step.arguments);
        value = filter(step.name, value, arguments);
    }
    return value;
}

void Interpreter::assign(const Target& target, Value value) {
    if (!target.parts.empty()) {
        const auto items = itemsOf(value);
        if (items.size() != target.parts.size())
            throw TemplateError{"There are " + std::to_string(items.size()) + " values for " +
                                std::to_string(target.parts.size()) + " names."};
        for (size_t i = 0; i < items.size(); ++i)
            assign(target.parts[i], items[i]);
        return;
    }
    if (target.attribute.empty()) return m_scope->set(target.name, std::move(value));
    Expression name;
    name.kind = Expression::Kind::Name;
    name.name = target.name;
    Value holder = evaluateName(name);
    Object* object = holder.object();
    if (!object || object->kind != "namespace")
        throw TemplateError{"'" + target.name + "' is no namespace, so '" + target.attribute +
                            "' cannot be set on it."};
    object->set(target.attribute, std::move(value));
}

} // namespace steelyard::jinja
