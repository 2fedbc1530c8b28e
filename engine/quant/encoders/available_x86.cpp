#include "engine/backend/cpu/instruction_sets.h"
#include "engine/quant/encoders/vector_encoders.h"

namespace steelyard {

std::vector<const VectorEncoders*> availableEncoders() {
    std::vector<const VectorEncoders*> sets;
    for (const auto* kernels : cpu::availableKernels()) // best first; the processor's own names
        for (const auto* set : {&avx512Encoders(), &avx2Encoders()})
            if (set->name == kernels->name) sets.push_back(set);
    sets.push_back(&genericEncoders());
    return sets;
}

} // namespace steelyard
