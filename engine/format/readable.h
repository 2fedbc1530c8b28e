// Text from a file that nobody vouches for, made fit for a sentence: control characters and broken UTF-8 are replaced
// and long texts are cut.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace steelyard {

// True when the bytes are whole, valid UTF-8.
bool isUtf8(std::string_view bytes);

// At most about `limit` bytes of the text, in double quotes.
std::string quotedText(std::string_view text, size_t limit = 80);

// A path as UTF-8 on every system.
std::string pathText(const std::filesystem::path& path);

} // namespace steelyard
