// Which vector code this processor can run, chosen at run time. Knows nothing of ops.
#pragma once

#include "engine/backend/cpu/kernel_table.h"

#include <vector>

namespace steelyard::cpu {

// The tables; the x86 ones exist only in builds for such processors and may only be called where availableKernels()
// lists them.
const KernelTable& genericKernels();
const KernelTable& avx2Kernels();
const KernelTable& avxVnniKernels();
const KernelTable& avx512Kernels();
const KernelTable& amxKernels(); // AVX-512, and the matrix unit for products of many rows

// The tables that run here, best first; the generic one is always there.
std::vector<const KernelTable*> availableKernels();

} // namespace steelyard::cpu
