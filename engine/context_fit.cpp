// What of a chat is left out where the context is full.
#include "engine/prompt_ids.h"

namespace steelyard {

namespace {

// Where turns begin: the messages of the person.
std::vector<size_t> turnStarts(const std::vector<ChatMessage>& messages) {
    std::vector<size_t> starts;
    for (size_t i = 0; i < messages.size(); ++i)
        if (messages[i].role == "user") starts.push_back(i);
    return starts;
}

// The request without its `count` oldest turns.
GenerateRequest without(const GenerateRequest& request, const std::vector<size_t>& starts, size_t count) {
    GenerateRequest less = request;
    auto& messages = less.prompt.messages;
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(starts[0]), messages.begin() + static_cast<std::ptrdiff_t>(starts[count]));
    return less;
}

std::string nothingToLeaveOut(size_t tokens, uint32_t limit) {
    return "The system prompt and the last message alone take " + std::to_string(tokens) + " tokens and " + std::to_string(limit) +
           " have room; load the model with a longer context or shorten the message.";
}

} // namespace

Result<FittedPrompt> promptWithin(const LoadedModel& model, const GenerateRequest& request, uint32_t limit) {
    auto whole = promptIds(model, request);
    if (!whole) return whole.error();
    const size_t all = whole->ids.size();
    if (all <= limit) return FittedPrompt{std::move(*whole), 0, 0};
    const auto starts = request.prompt.kind == Prompt::Kind::Messages ? turnStarts(request.prompt.messages) : std::vector<size_t>();
    if (starts.size() < 2) return Error{nothingToLeaveOut(all, limit)};
    // Fewer turns never take more tokens, so the smallest number that fits is found by halving.
    size_t few = 0, enough = starts.size() - 1; // few does not fit
    auto best = promptIds(model, without(request, starts, enough));
    if (!best) return best.error();
    if (best->ids.size() > limit) return Error{nothingToLeaveOut(best->ids.size(), limit)};
    while (enough - few > 1) {
        const size_t middle = few + (enough - few) / 2;
        auto ids = promptIds(model, without(request, starts, middle));
        if (!ids) return ids.error();
        if (ids->ids.size() <= limit) {
            best = std::move(ids);
            enough = middle;
        } else {
            few = middle;
        }
    }
    FittedPrompt fitted;
    fitted.droppedMessages = static_cast<uint32_t>(starts[enough] - starts[0]);
    fitted.droppedTokens = static_cast<uint32_t>(all - best->ids.size());
    fitted.prompt = std::move(*best);
    return fitted;
}

} // namespace steelyard
