// Switching stacks by hand for the System V calling convention on x86-64: push what a call must keep, exchange the
// stack pointer, pop. The floating-point control words are the same in all fibres and stay.
#include "kernels/emulator/fibre.h"

#include <cstdlib>

extern "C" {
void steelyardSwitchStack(void** saved, void* next);
void steelyardEnterFibre();
}

asm(R"(
    .text
    .p2align 4
    .globl steelyardSwitchStack
    .type steelyardSwitchStack, @function
steelyardSwitchStack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size steelyardSwitchStack, .-steelyardSwitchStack

    .p2align 4
    .globl steelyardEnterFibre
    .type steelyardEnterFibre, @function
steelyardEnterFibre:
    movq %r12, %rdi
    callq *%r13
    ud2
    .size steelyardEnterFibre, .-steelyardEnterFibre
    .section .note.GNU-stack,"",@progbits
    .text
)");

namespace steelyard::emulator {

struct Fibre::Context {
    void* stackPointer = nullptr;
};

Fibre::Fibre() : m_context(std::make_unique<Context>()) { m_sanitizer.adopt(); }

Fibre::Fibre(uint8_t* stack, size_t bytes, Entry entry, void* argument)
    : m_context(std::make_unique<Context>()), m_entry(entry), m_argument(argument) {
    m_sanitizer.create(stack, bytes);
    const auto top = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t(15);
    auto* slot = reinterpret_cast<uintptr_t*>(top);
    *--slot = 0; // two words, so that the stack is aligned at the call in steelyardEnterFibre
    *--slot = 0;
    *--slot = reinterpret_cast<uintptr_t>(&steelyardEnterFibre);
    *--slot = 0;                                         // rbp
    *--slot = 0;                                         // rbx
    *--slot = reinterpret_cast<uintptr_t>(this);         // r12
    *--slot = reinterpret_cast<uintptr_t>(&Fibre::begin); // r13
    *--slot = 0;                                         // r14
    *--slot = 0;                                         // r15
    m_context->stackPointer = slot;
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
    steelyardSwitchStack(&m_context->stackPointer, next.m_context->stackPointer);
    arrived();
}

} // namespace steelyard::emulator
