// The computer's memory and this process's part of it.
#pragma once

#include <cstdint>
#include <optional>

namespace steelyard {

struct SystemMemory {
    std::optional<uint64_t> totalBytes, availableBytes; // available = what programs can still take without swapping
    std::optional<uint64_t> ownBytes;                   // private memory of this process that is resident
};

SystemMemory systemMemory();

} // namespace steelyard
