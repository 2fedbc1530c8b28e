// What a request says about the form of its reply, ready to be followed: from GBNF or from a JSON schema.
#pragma once

#include "engine/grammar/automaton.h"

#include <memory>
#include <string_view>

namespace steelyard::grammar {

using Grammar = std::shared_ptr<const Automaton>;

// Errors are sentences that name the line, the rule or the part of the schema.
Result<Grammar> fromGbnf(std::string_view text);
Result<Grammar> fromJsonSchema(std::string_view text);

// The rules alone, for those who look at them.
struct RootedRules {
    Rules rules;
    RuleId root = 0;
};
Result<RootedRules> rulesOfGbnf(std::string_view text);
Result<RootedRules> rulesOfJsonSchema(std::string_view text);

} // namespace steelyard::grammar
