// Where a repetition ends for DRY: texts such as a line break, over which no repetition reaches.
//
// A breaker counts wherever its text stands, whatever tokens it is cut into. Knows no tokenizer: the bytes of a token come from a
// function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace steelyard {

class DryBreakers {
public:
    // Empty texts are ignored.
    DryBreakers(std::vector<std::string> texts, std::function<std::string(int32_t)> bytes);

    // How many tokens at the end of the history come after the last breaker; all of them when there is none.
    size_t tokensAfterLast(std::span<const int32_t> history) const;
    // Whether a token holds a whole breaker.
    bool isBreaker(int32_t token) const;

private:
    std::vector<std::string> m_texts;
    size_t m_longest = 0;
    std::function<std::string(int32_t)> m_bytes;
};

} // namespace steelyard
