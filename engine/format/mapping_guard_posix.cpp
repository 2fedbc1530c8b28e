#include "engine/format/mapping_guard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace steelyard {

namespace {

struct Guarded {
    std::atomic<uintptr_t> from{0}, to{0}; // `to` is set last and cleared first
};

std::array<Guarded, 4096> guarded;
std::mutex guardedLock; // for changes; the handler only reads
struct sigaction previousAction;
uintptr_t pageBytes = 4096;

// Puts zeros in place of what is left of the mapping from the faulting page on: all of it lies beyond the file's end.
bool replaceRest(uintptr_t address) {
    for (const Guarded& range : guarded) {
        const uintptr_t to = range.to.load(std::memory_order_acquire), from = range.from.load(std::memory_order_acquire);
        if (address < from || address >= to) continue;
        const uintptr_t page = address / pageBytes * pageBytes;
        return ::mmap(reinterpret_cast<void*>(page), to - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                      0) != MAP_FAILED;
    }
    return false;
}

void onBusError(int, siginfo_t* fault, void*) {
    if (replaceRest(reinterpret_cast<uintptr_t>(fault->si_addr))) return;
    ::sigaction(SIGBUS, &previousAction, nullptr); // not ours: the instruction runs again and meets who was there before
}

void install() {
    pageBytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &previousAction);
}

} // namespace

void guardMapping(const void* data, size_t size) {
    static std::once_flag installed;
    std::call_once(installed, install);
    const std::lock_guard lock(guardedLock);
    for (Guarded& range : guarded) {
        if (range.from != 0) continue;
        const auto from = reinterpret_cast<uintptr_t>(data);
        range.from = from;
        range.to.store((from + size + pageBytes - 1) / pageBytes * pageBytes, std::memory_order_release);
        return;
    }
}

void releaseMapping(const void* data) {
    const std::lock_guard lock(guardedLock);
    for (Guarded& range : guarded) {
        if (range.from != reinterpret_cast<uintptr_t>(data)) continue;
        range.to = 0;
        range.from = 0;
    }
}

} // namespace steelyard
