// The element types of GGUF tensors: ids, names, block sizes. The numbers are the GGUF format's own. This table is the
// only place that knows a type's size; which types a device can compute with is the device's answer
// (engine/backend/backend.h). Source: the GGUF specification and ggml's public type list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace steelyard {

enum class TensorType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q8_1 = 9,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    Q8_K = 15,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    I8 = 24,
    I16 = 25,
    I32 = 26,
    I64 = 27,
    F64 = 28,
    IQ1_M = 29,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
    NVFP4 = 40,
    Q1_0 = 41,
    Q2_0 = 42,
    FP8_E4M3 = 200, // of the KV cache only: no file has it, and no list of types
};

struct TensorTypeInfo {
    TensorType type;
    std::string_view name;  // as the field writes it: "Q4_K"
    uint32_t blockValues;   // values in one block; a row is a whole number of blocks
    uint32_t blockBytes;
};

// All known types, in order of id.
std::span<const TensorTypeInfo> tensorTypes();

// The row of a type.
const TensorTypeInfo& info(TensorType type);

// The type with a GGUF id, or nothing for a number that was removed or is not known.
std::optional<TensorType> tensorTypeFromId(uint32_t id);

// True for ids that the format once had and removed (4, 5, 31-33, 36-38).
bool isRemovedTensorType(uint32_t id);

// The type with a name, ignoring case ("q4_k"), or nothing.
std::optional<TensorType> tensorTypeFromName(std::string_view name);

// Bytes of `values` values (a whole number of blocks, checked by the caller); nothing when it does not fit 64 bits.
std::optional<uint64_t> tensorBytes(TensorType type, uint64_t values);

} // namespace steelyard
