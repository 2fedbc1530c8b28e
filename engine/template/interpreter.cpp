#include "engine/template/interpreter.h"

#include <algorithm>
#include <utility>

namespace steelyard::jinja {

// Counts depth while it lives.
class Interpreter::Deeper {
public:
    explicit Deeper(Interpreter& interpreter) : m_interpreter(interpreter) {
        if (m_interpreter.m_depth >= m_interpreter.m_budget.depth)
            throw TemplateError{
                "The template is too deep: blocks, calls and brackets run within each other too often."};
        ++m_interpreter.m_depth;
    }
    ~Deeper() { --m_interpreter.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

private:
    Interpreter& m_interpreter;
};

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

Interpreter::Interpreter(Dict variables, int64_t nowSeconds)
    : m_nowSeconds(nowSeconds), m_scope(std::make_shared<Scope>()) {
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

// --- Loops.

struct Interpreter::Loop {
    std::vector<Value> items;
    size_t index = 0;
    int depth = 0;
    std::optional<Value> changed; // what `changed` saw last
};

void Interpreter::executeFor(const Statement& statement) {
    const Value walked = evaluate(*statement.expression);
    charge(weightOf(walked) / 8);
    runLoop(statement, itemsOf(walked), 0);
}

void Interpreter::runLoop(const Statement& statement, std::vector<Value> items, int depth) {
    const ScopePtr outer = m_scope;
    const auto enter = [&] {
        m_scope = std::make_shared<Scope>();
        m_scope->parent = outer;
    };
    if (statement.condition) {
        std::vector<Value> kept;
        for (auto& item : items) {
            charge(1);
            enter();
            assign(statement.target, item);
            if (truth(evaluate(*statement.condition))) kept.push_back(std::move(item));
        }
        m_scope = outer;
        items = std::move(kept);
    }
    auto loop = std::make_shared<Loop>();
    loop->items = std::move(items);
    loop->depth = depth;
    const Value variable = loopVariable(statement, loop);
    for (; loop->index < loop->items.size(); ++loop->index) {
        charge(1);
        enter();
        m_scope->set("loop", variable);
        assign(statement.target, loop->items[loop->index]);
        if (execute(statement.body) == Flow::Break) break;
    }
    m_scope = outer;
    if (loop->items.empty()) execute(statement.otherwise);
}

Value Interpreter::loopVariable(const Statement& statement, const std::shared_ptr<Loop>& loop) {
    Callable variable;
    variable.name = "loop";
    variable.attribute = [this, loop](const std::string& name) { return loopAttribute(loop, name); };
    const ScopePtr scope = m_scope;
    variable.call = [&statement, scope, depth = loop->depth](Interpreter& self, Arguments& arguments) {
        if (!statement.recursive) throw TemplateError{"The loop is not marked as recursive, so it cannot be called."};
        const ArgumentReader reader("loop", arguments, {"iterable"});
        const Deeper deeper(self);
        if (++self.m_callDepth > self.m_budget.callDepth)
            throw TemplateError{"The template is too deep: the loop calls itself too often."};
        Text text;
        Text* output = std::exchange(self.m_output, &text);
        const ScopePtr before = std::exchange(self.m_scope, scope);
        self.runLoop(statement, itemsOf(reader.required(0)), depth + 1);
        self.m_scope = before;
        self.m_output = output;
        --self.m_callDepth;
        return self.string(std::move(text));
    };
    return Value(std::move(variable));
}

Value Interpreter::loopAttribute(const std::shared_ptr<Loop>& loop, const std::string& name) {
    const auto count = static_cast<int64_t>(loop->items.size()), index = static_cast<int64_t>(loop->index);
    if (name == "index") return Value(index + 1);
    if (name == "index0") return Value(index);
    if (name == "revindex") return Value(count - index);
    if (name == "revindex0") return Value(count - index - 1);
    if (name == "first") return Value(index == 0);
    if (name == "last") return Value(index + 1 == count);
    if (name == "length") return Value(count);
    if (name == "depth") return Value(int64_t(loop->depth + 1));
    if (name == "depth0") return Value(int64_t(loop->depth));
    if (name == "previtem")
        return index == 0 ? Value(Undefined{"There is no previous item"}) : loop->items[loop->index - 1];
    if (name == "nextitem")
        return index + 1 >= count ? Value(Undefined{"There is no next item"}) : loop->items[loop->index + 1];
    if (name == "cycle")
        return Value(Callable{"cycle",
                              [loop](Interpreter&, Arguments& arguments) {
                                  if (arguments.positional.empty())
                                      throw TemplateError{"'cycle' needs something to cycle through."};
                                  return arguments.positional[loop->index % arguments.positional.size()];
                              },
                              nullptr});
    if (name == "changed")
        return Value(Callable{"changed",
                              [loop](Interpreter&, Arguments& arguments) {
                                  Value seen = makeList(arguments.positional, Flavor::Tuple);
                                  const bool changed = !loop->changed || !equal(*loop->changed, seen);
                                  loop->changed = std::move(seen);
                                  return Value(changed);
                              },
                              nullptr});
    return Value(Undefined{"The loop has no attribute '" + name + "'"});
}

// --- Macros.

Value Interpreter::defineMacro(const std::shared_ptr<MacroSyntax>& syntax) {
    if (m_capturedScopes.empty() || m_capturedScopes.back() != m_scope) m_capturedScopes.push_back(m_scope);
    Callable macro;
    macro.name = syntax->name;
    macro.call = [syntax, scope = m_scope](Interpreter& self, Arguments& arguments) {
        return self.callMacro(*syntax, scope, arguments);
    };
    macro.attribute = [syntax](const std::string& name) {
        if (name == "name") return Value::text(syntax->name);
        if (name == "caller") return Value(syntax->usesCaller);
        if (name == "catch_varargs") return Value(syntax->usesVarargs);
        if (name == "catch_kwargs") return Value(syntax->usesKwargs);
        if (name != "arguments") return Value(Undefined{"The macro has no attribute '" + name + "'"});
        std::vector<Value> names;
        for (const auto& parameter : syntax->parameters)
            names.push_back(Value::text(parameter.name));
        return makeList(std::move(names), Flavor::Tuple);
    };
    return Value(std::move(macro));
}

Value Interpreter::callMacro(const MacroSyntax& syntax, const ScopePtr& defined, Arguments& arguments) {
    const Deeper deeper(*this);
    if (m_callDepth >= m_budget.callDepth)
        throw TemplateError{"The template is too deep: the macro '" + syntax.name + "' calls itself too often."};
    ++m_callDepth;
    const int line = m_line;
    auto scope = std::make_shared<Scope>();
    scope->parent = defined;
    std::swap(m_scope, scope);
    Text text;
    Text* output = std::exchange(m_output, &text);
    bindParameters(syntax, arguments);
    execute(syntax.body);
    m_output = output;
    std::swap(m_scope, scope);
    m_line = line;
    --m_callDepth;
    return string(std::move(text));
}

// Called in the macro's own scope, so that standard values see the parameters before them.
void Interpreter::bindParameters(const MacroSyntax& syntax, Arguments& arguments) {
    const auto refuse = [&](const std::string& what) {
        throw TemplateError{"The macro '" + syntax.name + "' " + what};
    };
    const size_t count = syntax.parameters.size();
    if (arguments.positional.size() > count && !syntax.usesVarargs)
        refuse("takes at most " + std::to_string(count) + " arguments.");
    Value caller(Undefined{"No caller is defined"});
    Dict extra;
    for (auto& entry : arguments.named) {
        const auto parameter = std::find_if(syntax.parameters.begin(), syntax.parameters.end(),
                                            [&](const Parameter& p) { return p.name == entry.first; });
        if (parameter != syntax.parameters.end()) {
            if (static_cast<size_t>(parameter - syntax.parameters.begin()) < arguments.positional.size())
                refuse("got two values for '" + entry.first + "'.");
            continue;
        }
        if (entry.first == "caller") {
            if (!syntax.usesCaller) refuse("does not use a caller, so 'call' cannot be used with it.");
            caller = entry.second;
        } else if (syntax.usesKwargs) {
            extra.set(Value::text(entry.first), entry.second);
        } else {
            refuse("has no parameter '" + entry.first + "'.");
        }
    }
    for (size_t i = 0; i < count; ++i) {
        const Parameter& parameter = syntax.parameters[i];
        const auto named = std::find_if(arguments.named.begin(), arguments.named.end(),
                                        [&](const auto& entry) { return entry.first == parameter.name; });
        if (i < arguments.positional.size())
            m_scope->set(parameter.name, arguments.positional[i]);
        else if (named != arguments.named.end())
            m_scope->set(parameter.name, named->second);
        else if (parameter.standard)
            m_scope->set(parameter.name, evaluate(*parameter.standard));
        else
            m_scope->set(parameter.name, Value(Undefined{"Parameter '" + parameter.name + "' was not provided"}));
    }
    if (syntax.usesCaller) m_scope->set("caller", std::move(caller));
    if (syntax.usesKwargs) m_scope->set("kwargs", Value(std::move(extra)));
    if (syntax.usesVarargs) {
        std::vector<Value> rest;
        if (arguments.positional.size() > count)
            rest.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count), arguments.positional.end());
        m_scope->set("varargs", makeList(std::move(rest), Flavor::Tuple));
    }
}

void Interpreter::executeCall(const Statement& statement) {
    const Value caller = defineMacro(statement.macro);
    const Expression& expression = *statement.expression;
    Value value = evaluate(*expression.operands[0]);
    for (size_t i = 0; i + 1 < expression.steps.size(); ++i)
        value = evaluateStep(value, expression.steps[i]);
    Arguments arguments = evaluateArguments(expression.steps.back().arguments);
    arguments.named.emplace_back("caller", caller);
    write(textOf(call(value, arguments)));
}

} // namespace steelyard::jinja
