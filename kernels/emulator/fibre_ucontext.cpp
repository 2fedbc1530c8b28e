// Switching stacks with the system's contexts, for processors without a hand-written switch.
#include "kernels/emulator/fibre.h"

#include <cstdlib>
#include <ucontext.h>

namespace steelyard::emulator {

struct Fibre::Context {
    ucontext_t machine{};
};

namespace {

// makecontext passes integers only: a pointer travels in two halves.
void enter(unsigned high, unsigned low, unsigned argumentHigh, unsigned argumentLow) {
    using Begin = void (*)(void*);
    const auto begin = reinterpret_cast<Begin>(static_cast<uintptr_t>((uint64_t(high) << 32) | low));
    begin(reinterpret_cast<void*>(static_cast<uintptr_t>((uint64_t(argumentHigh) << 32) | argumentLow)));
}

unsigned highHalf(uint64_t value) { return static_cast<unsigned>(value >> 32); }
unsigned lowHalf(uint64_t value) { return static_cast<unsigned>(value & 0xFFFFFFFFu); }

} // namespace

Fibre::Fibre() : m_context(std::make_unique<Context>()) { m_sanitizer.adopt(); }

Fibre::Fibre(uint8_t* stack, size_t bytes, Entry entry, void* argument)
    : m_context(std::make_unique<Context>()), m_entry(entry), m_argument(argument) {
    m_sanitizer.create(stack, bytes);
    getcontext(&m_context->machine);
    m_context->machine.uc_stack.ss_sp = stack;
    m_context->machine.uc_stack.ss_size = bytes;
    m_context->machine.uc_link = nullptr;
    const uint64_t begin = reinterpret_cast<uintptr_t>(&Fibre::begin), self = reinterpret_cast<uintptr_t>(this);
    makecontext(&m_context->machine, reinterpret_cast<void (*)()>(&enter), 4, highHalf(begin), lowHalf(begin),
                highHalf(self), lowHalf(self));
}

Fibre::~Fibre() { m_sanitizer.destroy(); }

void Fibre::arrived() { m_sanitizer.arriveFrom(m_from->m_sanitizer); }

void Fibre::begin(void* self) {
    auto* fibre = static_cast<Fibre*>(self);
    fibre->arrived();
    fibre->m_entry(fibre->m_argument);
    std::abort();
}

void Fibre::switchTo(Fibre& next) {
    next.m_from = this;
    m_sanitizer.leaveFor(next.m_sanitizer);
    swapcontext(&m_context->machine, &next.m_context->machine);
    arrived();
}

} // namespace steelyard::emulator
