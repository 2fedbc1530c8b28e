#include "engine/backend/cpu/cpu_info.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace steelyard::cpu {

namespace {

constexpr uint64_t kLargePage = 2u << 20;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\n");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

// The value of the first line "key ... : value" of a file of /proc.
std::string valueOf(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key) return trimmed(line.substr(colon + 1));
    }
    return {};
}

std::optional<uint64_t> memoryLine(const std::string& key) {
    std::istringstream in(valueOf("/proc/meminfo", key));
    uint64_t kilobytes = 0;
    if (in >> kilobytes) return kilobytes * 1024;
    return std::nullopt;
}

std::optional<uint64_t> numberIn(const std::string& file) {
    std::ifstream in(file);
    uint64_t number = 0;
    if (in >> number) return number;
    return std::nullopt; // absent, or the word "max"
}

struct Limit {
    uint64_t limitBytes, usedBytes;
};

// Bytes that a control group can give back at any time: its page cache.
uint64_t reclaimableBytes(const std::string& folder) {
    std::ifstream in(folder + "/memory.stat");
    std::string key;
    for (uint64_t value = 0; in >> key >> value;)
        if (key == "inactive_file" || key == "total_inactive_file") return value;
    return 0;
}

std::optional<Limit> limitIn(const std::string& folder, const char* limitFile, const char* usedFile) {
    const auto limit = numberIn(folder + limitFile), used = numberIn(folder + usedFile);
    if (!limit || !used) return std::nullopt;
    const uint64_t cache = reclaimableBytes(folder);
    return Limit{*limit, *used - std::min(*used, cache)};
}

// The memory limits of the control groups that this process is in, both versions, up to the root.
std::vector<Limit> controlGroupLimits() {
    std::vector<Limit> limits;
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool unified = controllers.empty();
        if (!unified && controllers != "memory") continue;
        std::string path = line.substr(second + 1);
        const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        while (true) {
            const std::string folder = root + (path == "/" ? "" : path);
            const auto limit = unified ? limitIn(folder, "/memory.max", "/memory.current")
                                       : limitIn(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes");
            if (limit) limits.push_back(*limit);
            if (path.empty() || path == "/") break;
            path.resize(path.rfind('/'));
        }
    }
    return limits;
}

} // namespace

std::string processorName() {
    for (const char* key : {"model name", "Processor", "Hardware", "cpu model"}) {
        const std::string name = valueOf("/proc/cpuinfo", key);
        if (!name.empty()) return name;
    }
    return {};
}

uint32_t physicalCores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    std::set<std::pair<uint64_t, uint64_t>> cores;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (!CPU_ISSET(processor, &allowed)) continue;
        const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/";
        const auto core = numberIn(folder + "core_id"), package = numberIn(folder + "physical_package_id");
        cores.emplace(package.value_or(0), core.value_or(1000000u + static_cast<uint32_t>(processor)));
    }
    return std::max<uint32_t>(1, static_cast<uint32_t>(cores.size()));
}

SystemMemory systemMemory() {
    SystemMemory memory{memoryLine("MemTotal"), memoryLine("MemAvailable")};
    for (const Limit& limit : controlGroupLimits()) {
        if (!memory.totalBytes || limit.limitBytes >= *memory.totalBytes) continue;
        memory.totalBytes = limit.limitBytes;
        const uint64_t left = limit.limitBytes - std::min(limit.limitBytes, limit.usedBytes);
        memory.freeBytes = std::min(memory.freeBytes.value_or(left), left);
    }
    return memory;
}

void lowerThreadPriority() {
    // On Linux the nice value belongs to the thread when it is named by its own number.
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 1);
}

void* allocatePages(uint64_t bytes) {
    // One large page more than needed, so that the buffer can begin at one; the surplus is given back at once.
    const bool large = bytes >= kLargePage;
    const uint64_t reserve = large ? bytes + kLargePage : bytes;
    if (reserve < bytes) return nullptr;
    void* memory = mmap(nullptr, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (!large) return memory;
    const auto start = reinterpret_cast<uintptr_t>(memory);
    const uintptr_t first = (start + kLargePage - 1) & ~(kLargePage - 1);
    const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const uintptr_t end = (first + bytes + page - 1) & ~(page - 1);
    if (first > start) munmap(memory, first - start);
    if (start + reserve > end) munmap(reinterpret_cast<void*>(end), start + reserve - end);
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
    return reinterpret_cast<void*>(first);
}

void freePages(void* memory, uint64_t bytes) { munmap(memory, bytes); }

bool allowTileRegisters() {
#ifdef SYS_arch_prctl // a call of x86 only
    constexpr long kRequestPermission = 0x1023, kTileData = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

} // namespace steelyard::cpu
