#include "engine/backend/cpu/instruction_sets.h"
#include "engine/backend/cpu/simd_avx512.h"

#include "engine/backend/cpu/kernel_list.h"

#include "engine/backend/cpu/tile_product.h"

namespace steelyard::cpu {

const KernelTable& amxKernels() {
    static constexpr KernelTable kTable = [] {
        KernelTable table = tableNamed("amx");
        table.product = TileProducts::run;
        return table;
    }();
    return kTable;
}

} // namespace steelyard::cpu
