// The encoders, made for the vectors of whichever unit includes this (vector_*.cpp).
#pragma once

#include "engine/quant/encoders/half_values.h"
#include "engine/quant/encoders/iq2_s.h"
#include "engine/quant/encoders/iq2_xs.h"
#include "engine/quant/encoders/iq2_xxs.h"
#include "engine/quant/encoders/iq3_s.h"
#include "engine/quant/encoders/iq3_xxs.h"
#include "engine/quant/encoders/iq4_nl.h"
#include "engine/quant/encoders/iq4_xs.h"
#include "engine/quant/encoders/mxfp4.h"
#include "engine/quant/encoders/nvfp4.h"
#include "engine/quant/encoders/q2_k.h"
#include "engine/quant/encoders/q3_k.h"
#include "engine/quant/encoders/q4_0.h"
#include "engine/quant/encoders/q4_1.h"
#include "engine/quant/encoders/q4_k.h"
#include "engine/quant/encoders/q5_0.h"
#include "engine/quant/encoders/q5_1.h"
#include "engine/quant/encoders/q5_k.h"
#include "engine/quant/encoders/q6_k.h"
#include "engine/quant/encoders/q8_0.h"

#include "engine/quant/encoders.h"

namespace {

constexpr float kLargestBfloat = 3.3895314e38f; // 0x7F7F as bfloat16

constexpr steelyard::Encoder kVectorEncoders[] = {
    {steelyard::TensorType::F16, kLargestHalf, encodeF16},
    {steelyard::TensorType::BF16, kLargestBfloat, encodeBF16},
    {steelyard::TensorType::Q8_0, 127 * kLargestHalf, encodeQ8_0},
    {steelyard::TensorType::Q4_0, 8 * kLargestHalf, encodeQ4_0},
    {steelyard::TensorType::Q4_1, kLargestHalf, encodeQ4_1},
    {steelyard::TensorType::Q5_0, 16 * kLargestHalf, encodeQ5_0},
    {steelyard::TensorType::Q5_1, kLargestHalf, encodeQ5_1},
    {steelyard::TensorType::Q2_K, 15 * kLargestHalf, encodeQ2_K},
    {steelyard::TensorType::Q3_K, 4 * 32 * kLargestHalf, encodeQ3_K},
    {steelyard::TensorType::Q4_K, 63 * kLargestHalf, encodeQ4_K},
    {steelyard::TensorType::Q5_K, 63 * kLargestHalf, encodeQ5_K},
    {steelyard::TensorType::Q6_K, 32 * 128 * kLargestHalf, encodeQ6_K},
    // Of a grid's codes only the smallest may stand for all values of a block.
    {steelyard::TensorType::IQ2_XXS, 31 * kLargestHalf, encodeIQ2_XXS},
    {steelyard::TensorType::IQ2_XS, 31 * kLargestHalf, encodeIQ2_XS},
    {steelyard::TensorType::IQ2_S, 31 * kLargestHalf, encodeIQ2_S},
    {steelyard::TensorType::IQ3_XXS, 31 * kLargestHalf, encodeIQ3_XXS},
    {steelyard::TensorType::IQ3_S, 31 * kLargestHalf, encodeIQ3_S},
    {steelyard::TensorType::IQ4_NL, 127 * kLargestHalf, encodeIQ4_NL},
    {steelyard::TensorType::IQ4_XS, 32 * 127 * kLargestHalf, encodeIQ4_XS},
    {steelyard::TensorType::MXFP4, 6.3802944e37f, encodeMXFP4}, // 12 * 2^122
    {steelyard::TensorType::NVFP4, 12 * 224.0f, encodeNVFP4},
};

} // namespace
