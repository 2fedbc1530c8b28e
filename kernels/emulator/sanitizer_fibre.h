// Tells the address and thread sanitizers about stacks that are switched by hand; nothing in builds without them.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace steelyard::emulator {

#if defined(__SANITIZE_ADDRESS__)

class SanitizerFibre {
public:
    void adopt() {}
    void create(const uint8_t* stack, size_t bytes) {
        m_bottom = stack;
        m_bytes = bytes;
    }
    void destroy() {}
    void leaveFor(SanitizerFibre& next) { __sanitizer_start_switch_fiber(&m_saved, next.m_bottom, next.m_bytes); }
    void arriveFrom(SanitizerFibre& previous) {
        __sanitizer_finish_switch_fiber(m_saved, &previous.m_bottom, &previous.m_bytes);
    }

private:
    const void* m_bottom = nullptr;
    size_t m_bytes = 0;
    void* m_saved = nullptr;
};

#elif defined(__SANITIZE_THREAD__)

class SanitizerFibre {
public:
    void adopt() { m_fibre = __tsan_get_current_fiber(); }
    void create(const uint8_t*, size_t) {
        m_fibre = __tsan_create_fiber(0);
        m_owned = true;
    }
    void destroy() {
        if (m_owned) __tsan_destroy_fiber(m_fibre);
    }
    void leaveFor(SanitizerFibre& next) { __tsan_switch_to_fiber(next.m_fibre, 0); }
    void arriveFrom(SanitizerFibre&) {}

private:
    void* m_fibre = nullptr;
    bool m_owned = false;
};

#else

class SanitizerFibre {
public:
    void adopt() {}
    void create(const uint8_t*, size_t) {}
    void destroy() {}
    void leaveFor(SanitizerFibre&) {}
    void arriveFrom(SanitizerFibre&) {}
};

#endif

} // namespace steelyard::emulator
