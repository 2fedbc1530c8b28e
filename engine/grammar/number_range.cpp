// The numbers between two limits, as texts: digit by digit along the limits.
#include "engine/grammar/schema_compiler.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

// More digits than this are never needed, and keep a reply from counting without end.
constexpr uint32_t kMostDigits = 16;

ExpressionId digits(Rules& rules, char first, char last) { return rules.characters({{static_cast<uint32_t>(first), static_cast<uint32_t>(last)}}); }
ExpressionId anyDigits(Rules& rules, size_t count) {
    return rules.repeat(digits(rules, '0', '9'), static_cast<uint32_t>(count), static_cast<uint32_t>(count));
}

// Numbers of as many digits as both limits have, between them.
ExpressionId sameLength(Rules& rules, const std::string& low, const std::string& high) {
    if (low.find_first_not_of('0') == std::string::npos && high.find_first_not_of('9') == std::string::npos) return anyDigits(rules, low.size());
    const std::string lowRest = low.substr(1), highRest = high.substr(1);
    if (low[0] == high[0]) return rules.sequence({rules.text(low.substr(0, 1)), sameLength(rules, lowRest, highRest)});
    const std::string nines(lowRest.size(), '9'), zeros(lowRest.size(), '0');
    std::vector<ExpressionId> choices{rules.sequence({rules.text(low.substr(0, 1)), sameLength(rules, lowRest, nines)})};
    if (low[0] + 1 < high[0])
        choices.push_back(rules.sequence({digits(rules, static_cast<char>(low[0] + 1), static_cast<char>(high[0] - 1)), anyDigits(rules, lowRest.size())}));
    choices.push_back(rules.sequence({rules.text(high.substr(0, 1)), sameLength(rules, zeros, highRest)}));
    return rules.choice(std::move(choices));
}

// Numbers from low to high without a sign; nothing for high = as many digits as there may be.
ExpressionId between(Rules& rules, const std::string& low, const std::optional<std::string>& high) {
    std::vector<ExpressionId> choices;
    const size_t longest = high ? high->size() : std::max<size_t>(kMostDigits, low.size());
    for (size_t length = low.size(); length <= longest; ++length) {
        std::string from = length == low.size() ? low : "1" + std::string(length - 1, '0');
        const std::string to = high && length == high->size() ? *high : std::string(length, '9');
        if (length == 1 && from == "0" && low != "0") from = "1";
        if (from <= to) choices.push_back(sameLength(rules, from, to));
    }
    return rules.choice(std::move(choices));
}

std::string textOf(uint64_t value) { return std::to_string(value); }
uint64_t magnitude(int64_t value) { return value < 0 ? uint64_t(0) - static_cast<uint64_t>(value) : static_cast<uint64_t>(value); }

// --- Decimal numbers

struct Decimal {
    std::string whole, fraction; // no needless zeros
    bool isNegative = false, isExclusive = false;
};

Decimal decimalOf(const NumberLimit& limit) {
    Decimal decimal;
    decimal.isExclusive = limit.isExclusive;
    std::string text = limit.digits;
    if (text[0] == '-') {
        decimal.isNegative = true;
        text.erase(0, 1);
    }
    const size_t point = text.find('.');
    decimal.whole = text.substr(0, point);
    decimal.fraction = point == std::string::npos ? "" : text.substr(point + 1);
    while (!decimal.fraction.empty() && decimal.fraction.back() == '0') decimal.fraction.pop_back();
    if (decimal.whole == "0" && decimal.fraction.empty()) decimal.isNegative = false;
    return decimal;
}

ExpressionId moreDigits(Rules& rules) { return rules.repeat(digits(rules, '0', '9'), 0, kMostDigits); }

// Digits behind a point that are at least (or at most) as much as `fraction`, at least one digit.
ExpressionId fractionBeyond(Rules& rules, const std::string& fraction, size_t place, bool above, bool exclusive) {
    std::vector<ExpressionId> choices;
    if (place == fraction.size()) { // equal so far, and what is left of the limit is zeros
        if (above) {
            if (!exclusive) return moreDigits(rules);
            const ExpressionId some = rules.sequence({rules.repeat(digits(rules, '0', '0'), 0, kMostDigits), digits(rules, '1', '9'), moreDigits(rules)});
            return some;
        }
        return exclusive ? rules.choice({}) : rules.repeat(digits(rules, '0', '0'), 0, kMostDigits);
    }
    const char digit = fraction[place];
    choices.push_back(rules.sequence({rules.text(std::string(1, digit)), fractionBeyond(rules, fraction, place + 1, above, exclusive)}));
    if (above && digit < '9') choices.push_back(rules.sequence({digits(rules, static_cast<char>(digit + 1), '9'), moreDigits(rules)}));
    if (!above && digit > '0') choices.push_back(rules.sequence({digits(rules, '0', static_cast<char>(digit - 1)), moreDigits(rules)}));
    if (!above && place > 0) choices.push_back(rules.text("")); // fewer digits are less: some digit that is not 0 is left
    return rules.choice(std::move(choices));
}

// What may come behind the whole part when that equals the limit's.
ExpressionId tailAtLimit(Rules& rules, const Decimal& limit, bool above) {
    const bool equalAllowed = !limit.isExclusive;
    std::vector<ExpressionId> choices;
    if (limit.fraction.empty() ? equalAllowed : !above) choices.push_back(rules.text(""));
    const bool empty = limit.fraction.empty();
    // At least one digit comes behind the point.
    ExpressionId beyond = fractionBeyond(rules, limit.fraction, 0, above, limit.isExclusive);
    if (empty) {
        if (above) beyond = limit.isExclusive ? beyond : rules.repeat(digits(rules, '0', '9'), 1, kMostDigits);
        else beyond = limit.isExclusive ? rules.choice({}) : rules.repeat(digits(rules, '0', '0'), 1, kMostDigits);
    }
    choices.push_back(rules.sequence({rules.text("."), beyond}));
    return rules.choice(std::move(choices));
}

ExpressionId freeTail(Rules& rules) { return rules.optional(rules.sequence({rules.text("."), rules.repeat(digits(rules, '0', '9'), 1, kMostDigits)})); }

std::string plusOne(std::string whole) {
    for (size_t i = whole.size(); i-- > 0;) {
        if (whole[i] != '9') {
            ++whole[i];
            return whole;
        }
        whole[i] = '0';
    }
    return "1" + whole;
}

std::string minusOne(std::string whole) { // of a positive number
    for (size_t i = whole.size(); i-- > 0;) {
        if (whole[i] != '0') {
            --whole[i];
            break;
        }
        whole[i] = '9';
    }
    const size_t first = whole.find_first_not_of('0');
    return first == std::string::npos ? "0" : whole.substr(first);
}

bool lessWhole(const std::string& a, const std::string& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

// Decimal numbers without a sign from low to high (none = as large as there may be).
ExpressionId decimalsBetween(Rules& rules, const Decimal& low, const std::optional<Decimal>& high) {
    std::vector<ExpressionId> choices;
    if (high && low.whole == high->whole) {
        // One whole part: few digits, so both limits hold at once only where one of them is the whole number itself.
        if (low.fraction.empty() && !low.isExclusive) return rules.sequence({rules.text(low.whole), tailAtLimit(rules, *high, false)});
        throw SchemaRefusal{"A minimum and a maximum between the same two whole numbers are not supported."};
    }
    choices.push_back(rules.sequence({rules.text(low.whole), tailAtLimit(rules, low, true)}));
    const std::string first = plusOne(low.whole);
    if (!high) {
        choices.push_back(rules.sequence({between(rules, first, std::nullopt), freeTail(rules)}));
    } else {
        if (lessWhole(first, high->whole)) choices.push_back(rules.sequence({between(rules, first, minusOne(high->whole)), freeTail(rules)}));
        choices.push_back(rules.sequence({rules.text(high->whole), tailAtLimit(rules, *high, false)}));
    }
    return rules.choice(std::move(choices));
}

} // namespace

ExpressionId wholeNumbers(Rules& rules, std::optional<int64_t> least, std::optional<int64_t> most) {
    std::vector<ExpressionId> choices;
    if (!least || *least < 0) { // below zero, by magnitude
        const bool reachesZero = !most || *most >= 0;
        const std::string low = reachesZero ? "1" : textOf(magnitude(*most));
        const auto high = least ? std::optional(textOf(magnitude(*least))) : std::nullopt;
        choices.push_back(rules.sequence({rules.text("-"), between(rules, low, high)}));
    }
    if (!most || *most >= 0) {
        const std::string low = least && *least > 0 ? textOf(magnitude(*least)) : "0";
        choices.push_back(between(rules, low, most ? std::optional(textOf(magnitude(*most))) : std::nullopt));
    }
    return rules.choice(std::move(choices));
}

ExpressionId decimalNumbers(Rules& rules, const std::optional<NumberLimit>& least, const std::optional<NumberLimit>& most) {
    const Decimal zero{"0", "", false, false};
    const auto low = least ? std::optional(decimalOf(*least)) : std::nullopt;
    const auto high = most ? std::optional(decimalOf(*most)) : std::nullopt;
    std::vector<ExpressionId> choices;
    if (!low || low->isNegative) {
        const bool zeroFits = !high || !high->isExclusive || high->whole != "0" || !high->fraction.empty();
        Decimal from{"0", "", false, !zeroFits}; // -0 is 0
        if (high && high->isNegative) from = *high;
        choices.push_back(rules.sequence({rules.text("-"), decimalsBetween(rules, from, low)}));
    }
    if (!high || !high->isNegative) choices.push_back(decimalsBetween(rules, low && !low->isNegative ? *low : zero, high));
    return rules.choice(std::move(choices));
}

} // namespace steelyard::grammar
