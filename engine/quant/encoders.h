// The formats that weights can be turned into, each an encoder from float32.
//
// An encoder sees whole blocks only and keeps nothing between calls, so that any cut of a tensor at blocks gives the same
// bytes. A new one is one file in encoders/ and one row in encoders/encoder_list.h. Decoding is the formats' own matter
// (kernels/quant), but for the fast way of halves. Knows nothing of files, tensors or which tensor gets which type.
#pragma once

#include "engine/core/tensor_type.h"

#include <cstdint>

namespace steelyard {

struct Encoder {
    TensorType type;
    float largest; // the largest magnitude of a value that it can hold
    // `count` values, whole blocks, finite and none above `largest`, into their bytes. `importance` is null or a weight for
    // each of the values, which then are of one row, finite and not negative: how much an error in its column counts.
    void (*encode)(const float* values, const float* importance, uint64_t count, uint8_t* bytes);
};

// The encoder of a type, or null.
const Encoder* encoderOf(TensorType type);

// Whole blocks of a type that kernels/quant knows as float32.
void decodeValues(TensorType type, const uint8_t* bytes, uint64_t count, float* values);

} // namespace steelyard
