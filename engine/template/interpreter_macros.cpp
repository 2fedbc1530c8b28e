// The interpreter's part for macros: definition, binding of arguments, call blocks.
#include "engine/template/interpreter_depth.h"

#include <algorithm>
#include <utility>

namespace steelyard::jinja {

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
