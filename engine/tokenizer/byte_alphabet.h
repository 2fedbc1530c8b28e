// GPT-2's way to write bytes as printable characters, which its vocabularies use: most stand for themselves, the others
// for U+0100 and following.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace steelyard {

// The bytes that a vocabulary's text stands for; nothing when it holds a character outside the alphabet.
std::optional<std::string> bytesFromAlphabet(std::string_view text);

} // namespace steelyard
