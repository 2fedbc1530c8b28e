#include "engine/backend/cpu/instruction_sets.h"

namespace steelyard::cpu {

std::vector<const KernelTable*> availableKernels() { return {&genericKernels()}; }

} // namespace steelyard::cpu
