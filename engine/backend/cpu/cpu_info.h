// What the operating system tells about this processor and its memory: one header, one file per system.
//
// Every answer may be absent (a container without /proc, a system not written for yet); the program works without them.
// Knows nothing of devices or ops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace steelyard::cpu {

// The name as the maker writes it, or an empty string.
std::string processorName();

// Physical cores that this process may run on (hyperthread siblings counted once); at least 1.
uint32_t physicalCores();

struct SystemMemory {
    std::optional<uint64_t> totalBytes; // of the machine, or the container's limit where that is lower
    std::optional<uint64_t> freeBytes;  // what can be taken without swapping, within that limit
};
SystemMemory systemMemory();

// Lets the calling thread step back behind the threads of the window.
void lowerThreadPriority();

// Whole pages for a buffer, aligned to 256 bytes at least, in large pages where the system gives them; null when there is
// no memory. Freed with the same size.
void* allocatePages(uint64_t bytes);
void freePages(void* memory, uint64_t bytes);

// Asks the system for the use of the matrix tile registers (AMX) by this process; false when it refuses.
bool allowTileRegisters();

} // namespace steelyard::cpu
