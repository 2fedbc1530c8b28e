// A number of bytes as people read it in a sentence: "98 MB", "2.4 GB". Units are powers of a thousand.
#pragma once

#include <cstdint>
#include <string>

namespace steelyard {

std::string bytesText(uint64_t bytes);

} // namespace steelyard
