#include "engine/memory/system_memory.h"

#include "engine/backend/cpu/cpu_info.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace steelyard {

namespace {

// The value in bytes of a line "Name:   123 kB" of a file in /proc.
std::optional<uint64_t> procValue(const char* path, const std::string& name) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (line.rfind(name + ":", 0) != 0) continue;
        unsigned long long kilobytes = 0;
        if (std::sscanf(line.c_str() + name.size() + 1, "%llu", &kilobytes) == 1) return uint64_t(kilobytes) * 1024;
    }
    return std::nullopt;
}

} // namespace

// Total and available as the processor device tells them, so that a container's limit counts in plan and gauge too.
SystemMemory systemMemory() {
    const cpu::SystemMemory machine = cpu::systemMemory();
    return {machine.totalBytes, machine.freeBytes, procValue("/proc/self/status", "RssAnon")};
}

} // namespace steelyard
