// The key general.file_type: how the field numbers and names what most of a file's weights are. Source: the GGUF
// specification and ggml's public list. Knows nothing of how such files are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard {

// "Q4_K_M" for 15; nothing for a number that is not known.
std::optional<std::string_view> fileTypeName(uint64_t number);

// 15 for "Q4_K_M".
std::optional<uint32_t> fileTypeNumber(std::string_view name);

} // namespace steelyard
