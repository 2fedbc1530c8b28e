#include "engine/backend/cpu/cpu_info.h"
#include "engine/backend/cpu/instruction_sets.h"

#include <cpu_features/cpuinfo_x86.h>

#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif

namespace steelyard::cpu {

namespace {

// The library does not know this one: leaf 7, subleaf 1, bit 4 of eax.
bool hasAvxVnni() {
#if defined(_MSC_VER)
    int registers[4];
    __cpuidex(registers, 7, 1);
    const unsigned eax = static_cast<unsigned>(registers[0]);
#else
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) return false;
#endif
    return (eax & 0x10u) != 0;
}

} // namespace

// The library reports an instruction set only where the operating system saves its registers.
std::vector<const KernelTable*> availableKernels() {
    const auto has = cpu_features::GetX86Info().features;
    std::vector<const KernelTable*> tables;
    if (has.avx512f && has.avx512bw && has.avx512vl && has.avx512dq && has.avx512vnni) {
        if (has.amx_tile && has.amx_int8 && allowTileRegisters()) tables.push_back(&amxKernels());
        tables.push_back(&avx512Kernels());
    }
    const bool avx2 = has.avx2 && has.fma3 && has.f16c;
    if (avx2 && hasAvxVnni()) tables.push_back(&avxVnniKernels());
    if (avx2) tables.push_back(&avx2Kernels());
    tables.push_back(&genericKernels());
    return tables;
}

} // namespace steelyard::cpu
