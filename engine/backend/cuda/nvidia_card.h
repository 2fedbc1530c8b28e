// Whether the computer has an NVIDIA card, found without any driver: for the advice where CUDA is not built in or the
// driver is missing.
#pragma once

#include <filesystem>

namespace steelyard {

// True when the system's files name a display device of the maker. `root` is "/" but for tests.
bool hasNvidiaCard(const std::filesystem::path& root = "/");

} // namespace steelyard
