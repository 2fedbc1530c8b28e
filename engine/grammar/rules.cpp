#include "engine/grammar/rules.h"

#include <algorithm>

namespace steelyard::grammar {

CharacterSet normalized(std::vector<CharacterRange> ranges) {
    std::vector<CharacterRange> whole; // without surrogates
    for (const auto& range : ranges) {
        const uint32_t last = std::min(range.last, kLastCharacter);
        if (range.first < 0xD800) whole.push_back({range.first, std::min(last, 0xD7FFu)});
        if (last > 0xDFFF) whole.push_back({std::max(range.first, 0xE000u), last});
    }
    std::sort(whole.begin(), whole.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    CharacterSet set;
    for (const auto& range : whole) {
        if (range.first > range.last) continue;
        if (!set.empty() && range.first <= set.back().last + 1) set.back().last = std::max(set.back().last, range.last);
        else set.push_back(range);
    }
    return set;
}

CharacterSet complement(const CharacterSet& set) {
    std::vector<CharacterRange> gaps;
    uint32_t next = 0;
    for (const auto& range : set) {
        if (range.first > next) gaps.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    if (next <= kLastCharacter) gaps.push_back({next, kLastCharacter});
    return normalized(std::move(gaps));
}

CharacterSet intersection(const CharacterSet& a, const CharacterSet& b) {
    std::vector<CharacterRange> both;
    for (const auto& x : a)
        for (const auto& y : b)
            if (std::max(x.first, y.first) <= std::min(x.last, y.last)) both.push_back({std::max(x.first, y.first), std::min(x.last, y.last)});
    return normalized(std::move(both));
}

ExpressionId Rules::add(Expression expression) {
    m_expressions.push_back(std::move(expression));
    return static_cast<ExpressionId>(m_expressions.size() - 1);
}

ExpressionId Rules::text(std::string_view utf8) {
    Expression expression;
    expression.kind = Expression::Kind::Bytes;
    expression.bytes = utf8;
    return add(std::move(expression));
}

ExpressionId Rules::characters(CharacterSet set) {
    Expression expression;
    expression.kind = Expression::Kind::Characters;
    expression.characters = std::move(set);
    return add(std::move(expression));
}

ExpressionId Rules::sequence(std::vector<ExpressionId> parts) {
    if (parts.size() == 1) return parts[0];
    Expression expression;
    expression.kind = Expression::Kind::Sequence;
    expression.parts = std::move(parts);
    return add(std::move(expression));
}

ExpressionId Rules::choice(std::vector<ExpressionId> parts) {
    if (parts.size() == 1) return parts[0];
    Expression expression;
    expression.kind = Expression::Kind::Choice;
    expression.parts = std::move(parts);
    return add(std::move(expression));
}

ExpressionId Rules::repeat(ExpressionId part, uint32_t least, std::optional<uint32_t> most) {
    Expression expression;
    expression.kind = Expression::Kind::Repeat;
    expression.parts = {part};
    expression.least = least;
    expression.most = most;
    return add(std::move(expression));
}

RuleId Rules::rule(const std::string& name) {
    const auto [place, isNew] = m_rules.emplace(name, static_cast<RuleId>(m_names.size()));
    if (isNew) {
        m_names.push_back(name);
        m_bodies.emplace_back();
    }
    return place->second;
}

ExpressionId Rules::reference(RuleId rule) {
    Expression expression;
    expression.kind = Expression::Kind::Rule;
    expression.rule = rule;
    return add(std::move(expression));
}

namespace {

// Values of all expressions that depend on each other through rules, grown from false until nothing changes. An expression comes after
// its parts in the list, so that only rules need another turn.
template <class Of>
std::vector<bool> grown(const Rules& rules, Of of) {
    std::vector<bool> values(rules.size(), false);
    std::vector<bool> ofRules(rules.ruleCount(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (ExpressionId id = 0; id < rules.size(); ++id)
            if (!values[id]) values[id] = of(rules.at(id), values, ofRules);
        for (RuleId rule = 0; rule < rules.ruleCount(); ++rule)
            if (!ofRules[rule] && rules.isDefined(rule) && values[rules.bodyOf(rule)]) ofRules[rule] = changed = true;
    }
    return values;
}

bool canMatch(const Expression& e, const std::vector<bool>& values, const std::vector<bool>& ofRules) {
    const auto is = [&](ExpressionId id) { return values[id]; };
    switch (e.kind) {
    case Expression::Kind::Bytes: return true;
    case Expression::Kind::Characters: return !e.characters.empty();
    case Expression::Kind::Sequence: return std::all_of(e.parts.begin(), e.parts.end(), is);
    case Expression::Kind::Choice: return std::any_of(e.parts.begin(), e.parts.end(), is);
    case Expression::Kind::Repeat: return e.least == 0 || is(e.parts[0]);
    case Expression::Kind::Rule: return ofRules[e.rule];
    }
    return false;
}

bool canBeEmpty(const Expression& e, const std::vector<bool>& values, const std::vector<bool>& ofRules) {
    const auto is = [&](ExpressionId id) { return values[id]; };
    switch (e.kind) {
    case Expression::Kind::Bytes: return e.bytes.empty();
    case Expression::Kind::Characters: return false;
    case Expression::Kind::Sequence: return std::all_of(e.parts.begin(), e.parts.end(), is);
    case Expression::Kind::Choice: return std::any_of(e.parts.begin(), e.parts.end(), is);
    case Expression::Kind::Repeat: return e.least == 0 || is(e.parts[0]);
    case Expression::Kind::Rule: return ofRules[e.rule];
    }
    return false;
}

} // namespace

std::vector<bool> Rules::matchable() const { return grown(*this, canMatch); }

// A rule that may begin with itself has no end when it is followed from the left.
Result<void> Rules::checkBeginnings() const {
    const auto empty = grown(*this, canBeEmpty);
    std::vector<std::vector<RuleId>> begins(ruleCount()); // the rules that a rule may begin with
    std::vector<RuleId> seenFor(size(), static_cast<RuleId>(ruleCount()));
    for (RuleId rule = 0; rule < ruleCount(); ++rule) {
        std::vector<ExpressionId> open{bodyOf(rule)};
        while (!open.empty()) {
            const ExpressionId id = open.back();
            open.pop_back();
            if (seenFor[id] == rule) continue;
            seenFor[id] = rule;
            const Expression& e = at(id);
            if (e.kind == Expression::Kind::Rule) begins[rule].push_back(e.rule);
            for (const ExpressionId part : e.parts) {
                open.push_back(part);
                if (e.kind == Expression::Kind::Sequence && !empty[part]) break;
            }
        }
    }
    // A circle among them, found by taking away what begins with nothing that is left.
    std::vector<size_t> waits(ruleCount(), 0);
    std::vector<std::vector<RuleId>> users(ruleCount());
    for (RuleId rule = 0; rule < ruleCount(); ++rule)
        for (const RuleId first : begins[rule]) {
            ++waits[rule];
            users[first].push_back(rule);
        }
    std::vector<RuleId> free;
    for (RuleId rule = 0; rule < ruleCount(); ++rule)
        if (waits[rule] == 0) free.push_back(rule);
    size_t freed = 0;
    while (!free.empty()) {
        const RuleId rule = free.back();
        free.pop_back();
        ++freed;
        for (const RuleId user : users[rule])
            if (--waits[user] == 0) free.push_back(user);
    }
    if (freed == ruleCount()) return {};
    // A rule that waits only for others of the circle may stand before it: follow it until one comes twice.
    RuleId at = static_cast<RuleId>(std::find_if(waits.begin(), waits.end(), [](size_t count) { return count > 0; }) - waits.begin());
    std::vector<bool> passed(ruleCount(), false);
    while (!passed[at]) {
        passed[at] = true;
        at = *std::find_if(begins[at].begin(), begins[at].end(), [&](RuleId next) { return waits[next] > 0; });
    }
    return Error{"The rule \"" + m_names[at] + "\" begins with itself (left recursion); write it as a repetition."};
}

Result<void> Rules::check(RuleId root) const {
    for (RuleId rule = 0; rule < ruleCount(); ++rule)
        if (!isDefined(rule)) return Error{"The rule \"" + m_names[rule] + "\" is used and not defined."};
    if (auto begins = checkBeginnings(); !begins) return begins;
    if (!matchable()[bodyOf(root)]) return Error{"No text can ever finish the rule \"" + m_names[root] + "\"."};
    return {};
}

} // namespace steelyard::grammar
