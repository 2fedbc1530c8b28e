#include "engine/backend/cpu/instruction_sets.h"
#include "engine/backend/cpu/simd_avx2.h"

#include "engine/backend/cpu/kernel_list.h"

namespace steelyard::cpu {

const KernelTable& avxVnniKernels() {
    static constexpr KernelTable kTable = tableNamed("avx-vnni");
    return kTable;
}

} // namespace steelyard::cpu
