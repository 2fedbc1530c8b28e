// The encoders, which exist once for each instruction set. Whichever runs, the bytes are the same (group_batch.h).
#pragma once

#include "engine/quant/encoders.h"

#include <span>
#include <string_view>
#include <vector>

namespace steelyard {

struct VectorEncoders {
    std::string_view name;
    std::span<const Encoder> encoders;
    void (*decodeF16)(const uint8_t* bytes, uint64_t count, float* values);
    void (*decodeBF16)(const uint8_t* bytes, uint64_t count, float* values);
};

// The x86 ones exist only in builds for such processors, and may only be called where availableEncoders() lists them.
const VectorEncoders& genericEncoders();
const VectorEncoders& avx2Encoders();
const VectorEncoders& avx512Encoders();

// The sets that run here, best first; the generic one is always there.
std::vector<const VectorEncoders*> availableEncoders();

} // namespace steelyard
