// A thread of control with its own stack, switched by hand: what a kernel's thread is in the emulator.
//
// switchTo() leaves the running fibre and goes on in another; nothing else ever switches. A fibre's entry must not return.
// All fibres of a family belong to one thread of the operating system. The sanitizers are told of each switch. Two
// implementations, chosen by the build: a few instructions (fibre_x86_64.cpp), or the system's contexts
// (fibre_ucontext.cpp). Knows nothing of kernels.
#pragma once

#include "kernels/emulator/sanitizer_fibre.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace steelyard::emulator {

class Fibre {
public:
    using Entry = void (*)(void*);

    Fibre(); // the caller itself, so that others can switch back to it
    Fibre(uint8_t* stack, size_t bytes, Entry entry, void* argument);
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    // Goes on in `next`; returns when something switches back to this one. Only called by the running fibre.
    void switchTo(Fibre& next);

private:
    [[noreturn]] static void begin(void* self);
    void arrived();

    struct Context;
    std::unique_ptr<Context> m_context;
    SanitizerFibre m_sanitizer;
    Fibre* m_from = nullptr; // who switched here
    Entry m_entry = nullptr;
    void* m_argument = nullptr;
};

} // namespace steelyard::emulator
