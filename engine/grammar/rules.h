// What a grammar says, as expressions over characters: the common form of GBNF and of JSON schemas.
//
// Expressions are numbers into one list, so that grammars of strangers need no deep recursion to be kept or dropped. Knows no notation
// and no tokens.
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::grammar {

constexpr uint32_t kLastCharacter = 0x10FFFF;

struct CharacterRange {
    uint32_t first = 0, last = 0;
};
// Sorted, apart from each other, and without the halves of surrogate pairs, which no text holds.
using CharacterSet = std::vector<CharacterRange>;

CharacterSet normalized(std::vector<CharacterRange> ranges);
CharacterSet complement(const CharacterSet& set);
CharacterSet intersection(const CharacterSet& a, const CharacterSet& b);

using ExpressionId = uint32_t;
using RuleId = uint32_t;

struct Expression {
    enum class Kind { Bytes, Characters, Sequence, Choice, Repeat, Rule } kind = Kind::Sequence;
    std::string bytes;               // Bytes: the text itself, in UTF-8
    CharacterSet characters;         // Characters: one of them; none = never matches
    std::vector<ExpressionId> parts; // Sequence, Choice; Repeat: the one that repeats
    uint32_t least = 0;              // Repeat
    std::optional<uint32_t> most;    // Repeat; nothing = without end
    RuleId rule = 0;                 // Rule
};

class Rules {
public:
    ExpressionId text(std::string_view utf8);
    ExpressionId characters(CharacterSet set);
    ExpressionId sequence(std::vector<ExpressionId> parts);
    ExpressionId choice(std::vector<ExpressionId> parts); // of nothing: never matches
    ExpressionId repeat(ExpressionId part, uint32_t least, std::optional<uint32_t> most);
    ExpressionId optional(ExpressionId part) { return repeat(part, 0, 1); }

    // The rule of a name, which may be defined later.
    RuleId rule(const std::string& name);
    ExpressionId reference(RuleId rule);
    bool isDefined(RuleId rule) const { return m_bodies[rule].has_value(); }
    void define(RuleId rule, ExpressionId body) { m_bodies[rule] = body; }

    size_t size() const { return m_expressions.size(); }
    const Expression& at(ExpressionId id) const { return m_expressions[id]; }
    size_t ruleCount() const { return m_names.size(); }
    const std::string& nameOf(RuleId rule) const { return m_names[rule]; }
    ExpressionId bodyOf(RuleId rule) const { return *m_bodies[rule]; } // of a rule that is defined

    // All rules are defined, none begins with itself, and `root` can be finished; otherwise a sentence that names the rule.
    Result<void> check(RuleId root) const;
    // For each expression whether any text matches it.
    std::vector<bool> matchable() const;

private:
    ExpressionId add(Expression expression);
    Result<void> checkBeginnings() const;

    std::vector<Expression> m_expressions;
    std::map<std::string, RuleId, std::less<>> m_rules;
    std::vector<std::string> m_names;
    std::vector<std::optional<ExpressionId>> m_bodies;
};

} // namespace steelyard::grammar
