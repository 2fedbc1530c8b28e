#include "engine/template/interpreter.h"

#include <algorithm>
#include <cmath>

namespace steelyard::jinja {

namespace {

[[noreturn]] void refuse(const char* sign, const Value& left, const Value& right) {
    for (const auto* side : {&left, &right})
        if (side->isUndefined()) throw TemplateError{side->undefined()->what + "."};
    throw TemplateError{std::string("'") + sign + "' is not possible between a " + typeName(left) + " and a " +
                        typeName(right) + "."};
}

[[noreturn]] void tooLarge() {
    throw TemplateError{"A number is too large."};
}

constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;

int64_t sum(int64_t a, int64_t b) {
    if ((b > 0 && a > kMost - b) || (b < 0 && a < kLeast - b)) tooLarge();
    return a + b;
}

int64_t difference(int64_t a, int64_t b) {
    if ((b < 0 && a > kMost + b) || (b > 0 && a < kLeast + b)) tooLarge();
    return a - b;
}

int64_t product(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    if ((a == -1 && b == kLeast) || (b == -1 && a == kLeast)) tooLarge();
    const int64_t result = static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    if (result / b != a) tooLarge();
    return result;
}

// Python rounds down, C++ towards zero.
int64_t flooredQuotient(int64_t a, int64_t b) {
    if (b == 0) throw TemplateError{"Division by zero."};
    if (b == -1) return difference(0, a);
    const int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t flooredRemainder(int64_t a, int64_t b) {
    if (b == 0) throw TemplateError{"Division by zero."};
    if (b == -1) return 0;
    const int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

Value power(int64_t base, int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) throw TemplateError{"Zero has no negative power."};
        return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    if (base == 0 || base == 1) return Value(exponent == 0 ? int64_t(1) : base);
    if (base == -1) return Value(int64_t(exponent % 2 == 0 ? 1 : -1));
    int64_t result = 1;
    for (; exponent > 0; --exponent)
        result = product(result, base); // ends within 63 rounds
    return Value(result);
}

Value floatArithmetic(Operator op, double a, double b) {
    if ((op == Operator::Divide || op == Operator::FloorDivide || op == Operator::Modulo) && b == 0)
        throw TemplateError{"Division by zero."};
    switch (op) {
    case Operator::Add:
        return Value(a + b);
    case Operator::Subtract:
        return Value(a - b);
    case Operator::Multiply:
        return Value(a * b);
    case Operator::Divide:
        return Value(a / b);
    case Operator::FloorDivide:
        return Value(std::floor(a / b));
    case Operator::Modulo: {
        const double remainder = std::fmod(a, b);
        return Value(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
    }
    case Operator::Power: {
        const double result = std::pow(a, b);
        if (std::isnan(result) && !std::isnan(a) && !std::isnan(b)) throw TemplateError{"The power is no real number."};
        return Value(result);
    }
    case Operator::Equal:
    case Operator::NotEqual:
    case Operator::Less:
    case Operator::LessEqual:
    case Operator::Greater:
    case Operator::GreaterEqual:
    case Operator::In:
    case Operator::NotIn:
        break;
    }
    return {};
}

Value integerArithmetic(Operator op, int64_t a, int64_t b) {
    switch (op) {
    case Operator::Add:
        return Value(sum(a, b));
    case Operator::Subtract:
        return Value(difference(a, b));
    case Operator::Multiply:
        return Value(product(a, b));
    case Operator::FloorDivide:
        return Value(flooredQuotient(a, b));
    case Operator::Modulo:
        return Value(flooredRemainder(a, b));
    case Operator::Power:
        return power(a, b);
    case Operator::Divide:
    case Operator::Equal:
    case Operator::NotEqual:
    case Operator::Less:
    case Operator::LessEqual:
    case Operator::Greater:
    case Operator::GreaterEqual:
    case Operator::In:
    case Operator::NotIn:
        break;
    }
    return floatArithmetic(op, static_cast<double>(a), static_cast<double>(b));
}

const char* signOf(Operator op) {
    switch (op) {
    case Operator::Add:
        return "+";
    case Operator::Subtract:
        return "-";
    case Operator::Multiply:
        return "*";
    case Operator::Divide:
        return "/";
    case Operator::FloorDivide:
        return "//";
    case Operator::Modulo:
        return "%";
    case Operator::Power:
        return "**";
    case Operator::Equal:
        return "==";
    case Operator::NotEqual:
        return "!=";
    case Operator::Less:
        return "<";
    case Operator::LessEqual:
        return "<=";
    case Operator::Greater:
        return ">";
    case Operator::GreaterEqual:
        return ">=";
    case Operator::In:
        return "in";
    case Operator::NotIn:
        return "not in";
    }
    return "?";
}

} // namespace

Value Interpreter::addValues(const Value& left, const Value& right) {
    const auto* a = left.string();
    const auto* b = right.string();
    if (a && b) {
        const bool markup = a->markup || b->markup;
        checkSize(a->text.size() + b->text.size());
        Text text = markup && !a->markup ? escapedText(a->text) : a->text;
        text.append(markup && !b->markup ? escapedText(b->text) : b->text);
        return string(std::move(text), markup);
    }
    const auto* first = left.list();
    const auto* second = right.list();
    const auto isTuple = [](const List& list) { return list.flavor == Flavor::Tuple || list.flavor == Flavor::Group; };
    if (first && second &&
        ((first->flavor == Flavor::List && second->flavor == Flavor::List) || (isTuple(*first) && isTuple(*second)))) {
        charge(static_cast<int64_t>(first->items.size() + second->items.size()));
        std::vector<Value> items = first->items;
        items.insert(items.end(), second->items.begin(), second->items.end());
        return makeList(std::move(items), isTuple(*first) ? Flavor::Tuple : Flavor::List);
    }
    refuse("+", left, right);
}

Value Interpreter::repeated(const Value& value, int64_t times) {
    times = std::max<int64_t>(times, 0);
    if (const auto* string = value.string()) {
        const size_t size = string->text.size();
        if (size != 0 && static_cast<uint64_t>(times) > m_budget.textBytes / size) checkSize(SIZE_MAX);
        Text text;
        for (int64_t i = 0; i < times && size != 0; ++i)
            text.append(string->text);
        return this->string(std::move(text), string->markup);
    }
    const auto& items = value.list()->items;
    if (!items.empty() && times > m_budget.steps / static_cast<int64_t>(items.size())) charge(m_budget.steps + 1);
    charge(static_cast<int64_t>(items.size()) * times);
    std::vector<Value> result;
    for (int64_t i = 0; i < times && !items.empty(); ++i)
        result.insert(result.end(), items.begin(), items.end());
    return makeList(std::move(result), value.list()->flavor == Flavor::List ? Flavor::List : Flavor::Tuple);
}

Value Interpreter::multiplyValues(const Value& left, const Value& right) {
    const auto repeatable = [](const Value& value) {
        const auto* list = value.list();
        return value.string() || (list && (list->flavor == Flavor::List || list->flavor == Flavor::Tuple ||
                                           list->flavor == Flavor::Group));
    };
    if (repeatable(left) && right.asInteger()) return repeated(left, *right.asInteger());
    if (repeatable(right) && left.asInteger()) return repeated(right, *left.asInteger());
    refuse("*", left, right);
}

Value Interpreter::arithmetic(Operator op, const Value& left, const Value& right) {
    charge(1);
    const auto a = left.asInteger(), b = right.asInteger();
    if (a && b) return integerArithmetic(op, *a, *b);
    const auto x = left.asFloat(), y = right.asFloat();
    if (x && y) return floatArithmetic(op, *x, *y);
    if (op == Operator::Add) return addValues(left, right);
    if (op == Operator::Multiply) return multiplyValues(left, right);
    if (op == Operator::Modulo && left.string())
        return string(formatPercent(*this, left.string()->text, right), left.string()->markup);
    refuse(signOf(op), left, right);
}

bool Interpreter::contains(const Value& container, const Value& wanted) {
    charge(weightOf(container));
    if (const auto* string = container.string()) {
        if (wanted.isUndefined()) throw TemplateError{wanted.undefined()->what + "."};
        if (!wanted.string()) throw TemplateError{"Only a text can be in a text, not a " + typeName(wanted) + "."};
        return string->text.bytes().find(wanted.string()->text.bytes()) != std::string::npos;
    }
    if (const auto* dict = container.dict()) return dict->find(wanted) != nullptr;
    if (container.isUndefined()) return false;
    if (!container.list()) throw TemplateError{"Nothing can be in a " + typeName(container) + "."};
    const auto items = itemsOf(container);
    return std::any_of(items.begin(), items.end(), [&](const Value& entry) { return equal(entry, wanted); });
}

bool Interpreter::compared(Operator op, const Value& left, const Value& right) {
    charge(1 + std::min(weightOf(left), weightOf(right)));
    if (op == Operator::Equal) return equal(left, right);
    if (op == Operator::NotEqual) return !equal(left, right);
    if (op == Operator::In) return contains(right, left);
    if (op == Operator::NotIn) return !contains(right, left);
    const int order = compare(left, right);
    if (order == -2 && left.isNumber()) return false; // not a number
    if (op == Operator::Less) return order < 0;
    if (op == Operator::LessEqual) return order <= 0;
    if (op == Operator::Greater) return order > 0;
    return order >= 0;
}

} // namespace steelyard::jinja
