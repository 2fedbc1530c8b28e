// The tests of the language: `x is defined`, `n is divisibleby 3` and so on.
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

const Value& operand(const char* name, const Arguments& arguments) {
    if (arguments.positional.size() != 1 || !arguments.named.empty())
        throw TemplateError{std::string("The test '") + name + "' needs one value to compare with."};
    return arguments.positional[0];
}

int64_t integerOf(const Value& value) {
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    const auto integer = value.asInteger();
    if (!integer) throw TemplateError{"A whole number is needed, not a " + typeName(value) + "."};
    return *integer;
}

bool isDefined(Interpreter&, const Value& input, Arguments&) {
    return !input.isUndefined();
}
bool isUndefinedTest(Interpreter&, const Value& input, Arguments&) {
    return input.isUndefined();
}
bool isNoneTest(Interpreter&, const Value& input, Arguments&) {
    return input.isNone();
}
bool isBoolean(Interpreter&, const Value& input, Arguments&) {
    return input.isBool();
}
bool isTrue(Interpreter&, const Value& input, Arguments&) {
    return input.isBool() && input.boolean();
}
bool isFalse(Interpreter&, const Value& input, Arguments&) {
    return input.isBool() && !input.boolean();
}
bool isIntegerTest(Interpreter&, const Value& input, Arguments&) {
    return input.isInteger();
}
bool isFloatTest(Interpreter&, const Value& input, Arguments&) {
    return input.isFloat();
}
bool isNumberTest(Interpreter&, const Value& input, Arguments&) {
    return input.isNumber();
}
bool isStringTest(Interpreter&, const Value& input, Arguments&) {
    return input.isString();
}
bool isMapping(Interpreter&, const Value& input, Arguments&) {
    return input.isDict();
}
bool isCallable(Interpreter&, const Value& input, Arguments&) {
    return input.callable() != nullptr;
}
bool isEscaped(Interpreter&, const Value& input, Arguments&) {
    return input.string() && input.string()->markup;
}
bool isIterable(Interpreter&, const Value& input, Arguments&) {
    return input.isUndefined() || input.string() || input.list() || input.dict();
}

bool isSequence(Interpreter&, const Value& input, Arguments&) {
    if (input.isUndefined() || input.string() || input.dict()) return true;
    const auto* list = input.list();
    return list && (list->flavor == Flavor::List || list->flavor == Flavor::Tuple || list->flavor == Flavor::Group ||
                    list->flavor == Flavor::Range);
}

bool isOdd(Interpreter&, const Value& input, Arguments&) {
    return integerOf(input) % 2 != 0;
}
bool isEven(Interpreter&, const Value& input, Arguments&) {
    return integerOf(input) % 2 == 0;
}

bool isDivisible(Interpreter&, const Value& input, Arguments& arguments) {
    const int64_t by = integerOf(operand("divisibleby", arguments));
    if (by == 0) throw TemplateError{"Division by zero."};
    return by == -1 || integerOf(input) % by == 0;
}

// All letters with case are of the wanted one, and there is at least one.
template <bool upper>
bool isCase(Interpreter& interpreter, const Value& input, Arguments&) {
    const Text text = interpreter.textOf(input);
    bool some = false, all = true;
    forEachCharacter(text.bytes(), [&](size_t from, size_t) {
        const uint32_t code = codePoint(std::string_view(text.bytes()).substr(from));
        some = some || (upper ? isUpper(code) : isLower(code));
        all = all && !(upper ? isLower(code) : isUpper(code));
    });
    return some && all;
}

template <Operator op>
bool comparesTo(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    return interpreter.compared(op, input, operand("comparison", arguments));
}

bool isSame(Interpreter&, const Value& input, Arguments& arguments) {
    return input.sameAs(operand("sameas", arguments));
}

bool isFilter(Interpreter&, const Value& input, Arguments&) {
    return input.string() && findFilter(input.string()->text.bytes());
}
bool isTest(Interpreter&, const Value& input, Arguments&) {
    return input.string() && findTest(input.string()->text.bytes());
}

constexpr NamedRow<Test> kTests[] = {
    {"!=", comparesTo<Operator::NotEqual>},
    {"<", comparesTo<Operator::Less>},
    {"<=", comparesTo<Operator::LessEqual>},
    {"==", comparesTo<Operator::Equal>},
    {">", comparesTo<Operator::Greater>},
    {">=", comparesTo<Operator::GreaterEqual>},
    {"boolean", isBoolean},
    {"callable", isCallable},
    {"defined", isDefined},
    {"divisibleby", isDivisible},
    {"eq", comparesTo<Operator::Equal>},
    {"equalto", comparesTo<Operator::Equal>},
    {"escaped", isEscaped},
    {"even", isEven},
    {"false", isFalse},
    {"filter", isFilter},
    {"float", isFloatTest},
    {"ge", comparesTo<Operator::GreaterEqual>},
    {"greaterthan", comparesTo<Operator::Greater>},
    {"gt", comparesTo<Operator::Greater>},
    {"in", comparesTo<Operator::In>},
    {"integer", isIntegerTest},
    {"iterable", isIterable},
    {"le", comparesTo<Operator::LessEqual>},
    {"lessthan", comparesTo<Operator::Less>},
    {"lower", isCase<false>},
    {"lt", comparesTo<Operator::Less>},
    {"mapping", isMapping},
    {"ne", comparesTo<Operator::NotEqual>},
    {"none", isNoneTest},
    {"number", isNumberTest},
    {"odd", isOdd},
    {"sameas", isSame},
    {"sequence", isSequence},
    {"string", isStringTest},
    {"test", isTest},
    {"true", isTrue},
    {"undefined", isUndefinedTest},
    {"upper", isCase<true>},
};

} // namespace

Test findTest(std::string_view name) {
    const auto row = std::find_if(std::begin(kTests), std::end(kTests), [&](const auto& r) { return r.name == name; });
    return row == std::end(kTests) ? nullptr : row->function;
}

} // namespace steelyard::jinja
