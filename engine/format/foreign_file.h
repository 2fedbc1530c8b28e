// Says what a file is that does not begin like a GGUF file: people pick web pages, archives and other model formats by
// mistake, and the sentence should tell them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace steelyard {

// A sentence about a file whose first bytes are not a GGUF head. `fileBytes` is its whole size.
std::string describeForeignFile(std::span<const uint8_t> head, uint64_t fileBytes);

} // namespace steelyard
