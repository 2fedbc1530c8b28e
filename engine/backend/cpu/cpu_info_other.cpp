// The portable answers, for systems that have no file of their own yet.
#include "engine/backend/cpu/cpu_info.h"

#include <algorithm>
#include <new>
#include <thread>

namespace steelyard::cpu {

std::string processorName() { return {}; }

uint32_t physicalCores() { return std::max(1u, std::thread::hardware_concurrency()); }

SystemMemory systemMemory() { return {}; }

void lowerThreadPriority() {}

void* allocatePages(uint64_t bytes) { return ::operator new(bytes, std::align_val_t(256), std::nothrow); }

void freePages(void* memory, uint64_t) { ::operator delete(memory, std::align_val_t(256)); }

bool allowTileRegisters() { return false; }

} // namespace steelyard::cpu
