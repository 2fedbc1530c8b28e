#include "engine/grammar/grammar.h"

namespace steelyard::grammar {

namespace {

Result<Grammar> madeOf(const Result<RootedRules>& given) {
    if (!given) return given.error();
    if (auto sound = given->rules.check(given->root); !sound) return sound.error();
    return Automaton::fromRules(given->rules, given->root);
}

} // namespace

Result<Grammar> fromGbnf(std::string_view text) { return madeOf(rulesOfGbnf(text)); }
Result<Grammar> fromJsonSchema(std::string_view text) { return madeOf(rulesOfJsonSchema(text)); }

} // namespace steelyard::grammar
