#include "engine/engine.h"
#include "engine/loaded_model.h"

namespace steelyard {

namespace {

Result<grammar::Grammar> grammarOf(const GenerateRequest& request) {
    if (!request.grammar.empty() && !request.jsonSchema.empty()) return Error{"A reply can follow a grammar or a JSON schema, not both."};
    return request.grammar.empty() ? grammar::fromJsonSchema(request.jsonSchema) : grammar::fromGbnf(request.grammar);
}

} // namespace

Result<void> Engine::checkForm(const std::string& grammar, const std::string& jsonSchema) {
    GenerateRequest request;
    request.grammar = grammar;
    request.jsonSchema = jsonSchema;
    const auto given = grammarOf(request);
    return given ? Result<void>() : Result<void>(given.error());
}

bool asksForm(const GenerateRequest& request) { return !request.grammar.empty() || !request.jsonSchema.empty(); }

Result<std::optional<grammar::Matcher>> replyForm(const LoadedModel& model, const GenerateRequest& request, std::span<const int32_t> replySoFar) {
    if (request.logprobs < -1 || request.logprobs > kMostLogprobs)
        return Error{"The log-probabilities (logprobs) must be -1 (none) or up to " + std::to_string(kMostLogprobs) + "."};
    if (!asksForm(request)) return std::optional<grammar::Matcher>();
    const auto given = grammarOf(request);
    if (!given) return given.error();
    grammar::Matcher matcher(*given, model.tokenTrie);
    for (const int32_t token : replySoFar)
        if (!matcher.accept(token)) return Error{"The reply so far does not follow the grammar, so it cannot go on with it; let it be written anew."};
    return std::optional(std::move(matcher));
}

} // namespace steelyard
