// Tells the processor that a loop only waits, so that it yields to a sibling thread and saves power.
#pragma once

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace steelyard::cpu {

inline void spinPause() {
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

} // namespace steelyard::cpu
