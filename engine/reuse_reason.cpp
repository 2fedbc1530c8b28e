#include "engine/reuse_reason.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace steelyard {

namespace {

// How the templates of the field open reasoning.
constexpr std::array<std::string_view, 6> kReasoningMarks = {"<think>", "<|channel|>analysis", "[THINK]", "<seed:think>", "<|START_THINKING|>", "<reasoning>"};
constexpr std::array<std::string_view, 19> kDateWords = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct",
                                                         "nov", "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun"};

std::string textOf(const Tokenizer& tokenizer, std::span<const int32_t> ids, size_t from, size_t to) {
    std::string text;
    for (size_t i = from; i < std::min(to, ids.size()); ++i) text += tokenizer.bytes(ids[i], true);
    return text;
}

bool beginsReasoning(const std::string& text) {
    // A token or two of the reply's frame may stand before the mark.
    constexpr size_t kNear = 16;
    return std::any_of(kReasoningMarks.begin(), kReasoningMarks.end(), [&](std::string_view mark) { return text.find(mark) <= kNear; });
}

// The line around byte `place`.
std::string lineAround(const std::string& text, size_t place) {
    const size_t begin = place == 0 ? std::string::npos : text.rfind('\n', place - 1), end = text.find('\n', place);
    const size_t from = begin == std::string::npos ? 0 : begin + 1;
    return text.substr(from, end == std::string::npos ? std::string::npos : end - from);
}

// Numbers with a month, a weekday, or the marks of dates and times between them.
bool looksLikeDate(const std::string& line) {
    int numbers = 0;
    bool marks = false;
    std::string lower;
    for (size_t i = 0; i < line.size(); ++i) {
        const auto c = static_cast<unsigned char>(line[i]);
        const bool digit = std::isdigit(c) != 0;
        if (digit && (i == 0 || !std::isdigit(static_cast<unsigned char>(line[i - 1])))) ++numbers;
        const bool between = i > 0 && i + 1 < line.size() && std::isdigit(static_cast<unsigned char>(line[i - 1])) && std::isdigit(static_cast<unsigned char>(line[i + 1]));
        if (between && (c == ':' || c == '-' || c == '/' || c == '.')) marks = true;
        lower += static_cast<char>(std::tolower(c));
    }
    if (numbers == 0) return false;
    return marks || std::any_of(kDateWords.begin(), kDateWords.end(), [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

} // namespace

std::string reasonOfParting(const Tokenizer& tokenizer, std::span<const int32_t> before, std::span<const int32_t> now, const std::string& userText) {
    const auto parting = static_cast<size_t>(std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
    constexpr size_t kTail = 24, kHead = 40; // tokens behind and before the parting that are looked at
    // One token back: a marker's first characters may belong to a token that both have.
    const size_t near = parting > 0 ? parting - 1 : 0;
    if (beginsReasoning(textOf(tokenizer, before, near, parting + kTail)) && !beginsReasoning(textOf(tokenizer, now, near, parting + kTail)))
        return "template dropped reasoning";
    const std::string common = textOf(tokenizer, now, 0, parting);
    const std::string beginning = userText.substr(0, std::min<size_t>(24, userText.size() / 2)); // they may part within it
    if (!beginning.empty() && common.find(beginning) != std::string::npos) return "edited message";
    const size_t from = parting > kHead ? parting - kHead : 0;
    const std::string head = textOf(tokenizer, now, from, parting);
    const auto line = [&](std::span<const int32_t> ids) { return lineAround(head + textOf(tokenizer, ids, parting, parting + kTail), head.size()); };
    return looksLikeDate(line(before)) && looksLikeDate(line(now)) ? "date in system prompt" : "edited message";
}

} // namespace steelyard
