#include "engine/backend/cpu/instruction_sets.h"
#include "engine/backend/cpu/simd_avx512.h"

#include "engine/backend/cpu/kernel_list.h"

namespace steelyard::cpu {

const KernelTable& avx512Kernels() {
    static constexpr KernelTable kTable = tableNamed("avx512");
    return kTable;
}

} // namespace steelyard::cpu
