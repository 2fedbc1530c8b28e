#include "engine/evaluate/column_prompt.h"

#include <algorithm>
#include <array>

namespace steelyard {

namespace {

constexpr uint32_t kMeasuredLines = 32;

// One line of a list of deliveries.
std::string fillerLine(uint32_t number) {
    static constexpr std::array kGoods = {"apples", "bricks", "candles", "lamps", "paper", "ropes", "salt", "tiles"};
    static constexpr std::array kPlaces = {"the north gate", "the harbour", "the mill", "the old station", "the school"};
    const uint32_t mixed = number * 2654435761u;
    return "Entry " + std::to_string(number) + ": " + std::to_string(3 + (mixed >> 8) % 90) + " boxes of " + kGoods[(mixed >> 16) % kGoods.size()] + " were brought to " +
           kPlaces[(mixed >> 24) % kPlaces.size()] + ".\n";
}

std::string fillerLines(uint32_t count) {
    std::string text;
    for (uint32_t i = 1; i <= count; ++i) text += fillerLine(i);
    return text;
}

} // namespace

std::string fillerText(uint32_t tokens, WaitingEngine& engine) {
    GenerateRequest request;
    request.model = engine.model();
    request.prompt.kind = Prompt::Kind::Text;
    request.prompt.text = fillerLines(kMeasuredLines);
    const auto measured = engine.engine().promptTokens(request);
    const double perLine = measured ? std::max(1.0, double(measured->ids.size()) / kMeasuredLines) : 16.0;
    return fillerLines(std::max(1u, static_cast<uint32_t>(tokens / perLine)));
}

Result<Prompt> columnPrompt(const std::vector<Prompt>& prompts, const ComparisonColumn& column, size_t index, WaitingEngine& engine) {
    if (prompts.empty() || (prompts.size() > 1 && index >= prompts.size())) return Error{"There is no prompt for this column."};
    Prompt prompt = prompts[prompts.size() > 1 ? index : 0];
    if (column.fillerTokens == 0) return prompt;
    if (prompt.kind == Prompt::Kind::Ids) return Error{"A history cannot be put before token ids. Give the prompt as text or messages."};
    const std::string filler = fillerText(column.fillerTokens, engine);
    if (prompt.kind == Prompt::Kind::Text) {
        prompt.text = filler + "\n" + prompt.text;
        return prompt;
    }
    const auto first = std::find_if(prompt.messages.begin(), prompt.messages.end(), [](const ChatMessage& message) { return message.role != "system"; });
    prompt.messages.insert(first, {{"user", "Keep this list in mind.\n\n" + filler, {}}, {"assistant", "I have read the list.", {}}});
    return prompt;
}

} // namespace steelyard
