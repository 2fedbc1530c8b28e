// The encoders that search for their scales, made for the vectors of whichever unit includes this (vector_*.cpp).
#pragma once

#include "engine/quant/encoders/q2_k.h"
#include "engine/quant/encoders/q3_k.h"
#include "engine/quant/encoders/q4_0.h"
#include "engine/quant/encoders/q4_1.h"
#include "engine/quant/encoders/q4_k.h"
#include "engine/quant/encoders/q5_0.h"
#include "engine/quant/encoders/q5_1.h"
#include "engine/quant/encoders/q5_k.h"
#include "engine/quant/encoders/q6_k.h"

#include "engine/quant/encoders.h"

namespace {

constexpr steelyard::Encoder kVectorEncoders[] = {
    {steelyard::TensorType::Q4_0, 8 * kLargestHalf, encodeQ4_0},
    {steelyard::TensorType::Q4_1, kLargestHalf, encodeQ4_1},
    {steelyard::TensorType::Q5_0, 16 * kLargestHalf, encodeQ5_0},
    {steelyard::TensorType::Q5_1, kLargestHalf, encodeQ5_1},
    {steelyard::TensorType::Q2_K, 15 * kLargestHalf, encodeQ2_K},
    {steelyard::TensorType::Q3_K, 4 * 32 * kLargestHalf, encodeQ3_K},
    {steelyard::TensorType::Q4_K, 63 * kLargestHalf, encodeQ4_K},
    {steelyard::TensorType::Q5_K, 63 * kLargestHalf, encodeQ5_K},
    {steelyard::TensorType::Q6_K, 32 * 128 * kLargestHalf, encodeQ6_K},
};

} // namespace
