#include "engine/backend/cpu/instruction_sets.h"
#include "engine/backend/cpu/simd_generic.h"

#include "engine/backend/cpu/kernel_list.h"

namespace steelyard::cpu {

const KernelTable& genericKernels() {
    static constexpr KernelTable kTable = tableNamed("generic");
    return kTable;
}

} // namespace steelyard::cpu
