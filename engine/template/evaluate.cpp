#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

Value Interpreter::evaluate(const Expression& expression) {
    charge(1);
    switch (expression.kind) {
    case Expression::Kind::Constant:
        return expression.constant;
    case Expression::Kind::Name:
        return evaluateName(expression);
    case Expression::Kind::List:
    case Expression::Kind::Tuple:
        return evaluateList(expression);
    case Expression::Kind::Dict:
        return evaluateDict(expression);
    case Expression::Kind::Postfix:
        return evaluatePostfix(expression);
    case Expression::Kind::Negate:
    case Expression::Kind::Plus:
        return evaluateSign(expression);
    case Expression::Kind::Not:
        return Value(!truth(evaluate(*expression.operands[0])));
    case Expression::Kind::Arithmetic:
        return evaluateArithmetic(expression);
    case Expression::Kind::Concatenate:
        return evaluateConcatenation(expression);
    case Expression::Kind::Compare:
        return evaluateCompare(expression);
    case Expression::Kind::And:
    case Expression::Kind::Or:
        return evaluateLogic(expression);
    case Expression::Kind::Condition:
        return evaluateCondition(expression);
    }
    return {};
}

Value Interpreter::evaluateName(const Expression& expression) {
    for (const Scope* scope = m_scope.get(); scope; scope = scope->parent.get())
        if (const Value* found = scope->findHere(expression.name)) return *found;
    if (auto global = findGlobal(expression.name)) return *global;
    return Value(Undefined{"'" + expression.name + "' is undefined"});
}

Value Interpreter::evaluateList(const Expression& expression) {
    std::vector<Value> items;
    items.reserve(expression.operands.size());
    for (const auto& operand : expression.operands)
        items.push_back(evaluate(*operand));
    return makeList(std::move(items), expression.kind == Expression::Kind::Tuple ? Flavor::Tuple : Flavor::List);
}

Value Interpreter::evaluateDict(const Expression& expression) {
    Dict dict;
    for (size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
        Value key = evaluate(*expression.operands[i]);
        dict.set(std::move(key), evaluate(*expression.operands[i + 1]));
    }
    return Value(std::move(dict));
}

Value Interpreter::evaluatePostfix(const Expression& expression) {
    Value value = evaluate(*expression.operands[0]);
    for (const auto& step : expression.steps)
        value = evaluateStep(value, step);
    return value;
}

Value Interpreter::evaluateStep(const Value& value, const Postfix& step) {
    charge(1);
    switch (step.kind) {
    case Postfix::Kind::Attribute:
        return attribute(value, step.name);
    case Postfix::Kind::Item:
        return item(value, evaluate(*step.index));
    case Postfix::Kind::Slice: {
        std::optional<Value> from, to, stride;
        if (step.from) from = evaluate(*step.from);
        if (step.to) to = evaluate(*step.to);
        if (step.step) stride = evaluate(*step.step);
        return slice(value, from ? &*from : nullptr, to ? &*to : nullptr, stride ? &*stride : nullptr);
    }
    case Postfix::Kind::Call: {
        Arguments arguments = evaluateArguments(step.arguments);
        return call(value, arguments);
    }
    case Postfix::Kind::Filter: {
        Arguments arguments = evaluateArguments(step.arguments);
        return filter(step.name, value, arguments);
    }
    case Postfix::Kind::Test:
    case Postfix::Kind::NotTest: {
        Arguments arguments = evaluateArguments(step.arguments);
        return Value(test(step.name, value, arguments) == (step.kind == Postfix::Kind::Test));
    }
    }
    return {};
}

Arguments Interpreter::evaluateArguments(const CallArguments& syntax) {
    Arguments arguments;
    for (const auto& argument : syntax.positional)
        arguments.positional.push_back(evaluate(*argument));
    for (const auto& argument : syntax.named)
        arguments.named.emplace_back(argument.first, evaluate(*argument.second));
    if (syntax.spread)
        for (auto& extra : itemsOf(evaluate(*syntax.spread)))
            arguments.positional.push_back(std::move(extra));
    if (syntax.namedSpread) {
        const Value extra = evaluate(*syntax.namedSpread);
        if (!extra.dict()) throw TemplateError{"'**' needs a dict, not a " + typeName(extra) + "."};
        for (const auto& entry : extra.dict()->entries) {
            if (!entry.first.string()) throw TemplateError{"'**' needs names as keys."};
            arguments.named.emplace_back(entry.first.string()->text.bytes(), entry.second);
        }
    }
    charge(static_cast<int64_t>(arguments.positional.size() + arguments.named.size()));
    return arguments;
}

Value Interpreter::evaluateArithmetic(const Expression& expression) {
    Value left = evaluate(*expression.operands[0]);
    for (size_t i = 0; i < expression.operators.size(); ++i)
        left = arithmetic(expression.operators[i], left, evaluate(*expression.operands[i + 1]));
    return left;
}

Value Interpreter::evaluateConcatenation(const Expression& expression) {
    Text text;
    for (const auto& operand : expression.operands) {
        text.append(textOf(evaluate(*operand)));
        checkSize(text.size());
    }
    return string(std::move(text));
}

Value Interpreter::evaluateCompare(const Expression& expression) {
    Value left = evaluate(*expression.operands[0]);
    for (size_t i = 0; i < expression.operators.size(); ++i) {
        Value right = evaluate(*expression.operands[i + 1]);
        if (!compared(expression.operators[i], left, right)) return Value(false);
        left = std::move(right);
    }
    return Value(true);
}

// As in Python, the value that decided, not its truth.
Value Interpreter::evaluateLogic(const Expression& expression) {
    const bool wanted = expression.kind == Expression::Kind::Or;
    Value value;
    for (const auto& operand : expression.operands) {
        value = evaluate(*operand);
        if (truth(value) == wanted) break;
    }
    return value;
}

Value Interpreter::evaluateCondition(const Expression& expression) {
    if (truth(evaluate(*expression.operands[1]))) return evaluate(*expression.operands[0]);
    if (expression.operands[2]) return evaluate(*expression.operands[2]);
    return Value(Undefined{"The condition is false and there is no 'else'"});
}

Value Interpreter::evaluateSign(const Expression& expression) {
    const Value value = evaluate(*expression.operands[0]);
    const bool negate = expression.kind == Expression::Kind::Negate;
    if (const auto integer = value.asInteger()) {
        if (negate && *integer == INT64_MIN) throw TemplateError{"A number is too large."};
        return Value(negate ? -*integer : *integer);
    }
    if (value.isFloat()) return Value(negate ? -value.real() : value.real());
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    throw TemplateError{"A " + typeName(value) + " has no sign."};
}

Value Interpreter::call(const Value& callable, Arguments& arguments) {
    if (const auto* function = callable.callable()) return function->call(*this, arguments);
    if (callable.isUndefined()) throw TemplateError{callable.undefined()->what + "."};
    throw TemplateError{"A " + typeName(callable) + " cannot be called."};
}

Value Interpreter::filter(const std::string& name, const Value& input, Arguments& arguments) {
    const Filter function = findFilter(name);
    if (!function) throw TemplateError{"There is no filter named '" + name + "'."};
    charge(weightOf(input));
    return function(*this, input, arguments);
}

bool Interpreter::test(const std::string& name, const Value& input, Arguments& arguments) {
    const Test function = findTest(name);
    if (!function) throw TemplateError{"There is no test named '" + name + "'."};
    charge(1);
    return function(*this, input, arguments);
}

} // namespace steelyard::jinja
