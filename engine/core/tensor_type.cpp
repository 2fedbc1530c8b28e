#include "engine/core/tensor_type.h"

#include "engine/core/checked_math.h"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace steelyard {

namespace {

constexpr TensorTypeInfo kTypes[] = {
    {TensorType::F32, "F32", 1, 4},           {TensorType::F16, "F16", 1, 2},
    {TensorType::Q4_0, "Q4_0", 32, 18},       {TensorType::Q4_1, "Q4_1", 32, 20},
    {TensorType::Q5_0, "Q5_0", 32, 22},       {TensorType::Q5_1, "Q5_1", 32, 24},
    {TensorType::Q8_0, "Q8_0", 32, 34},       {TensorType::Q8_1, "Q8_1", 32, 36},
    {TensorType::Q2_K, "Q2_K", 256, 84},      {TensorType::Q3_K, "Q3_K", 256, 110},
    {TensorType::Q4_K, "Q4_K", 256, 144},     {TensorType::Q5_K, "Q5_K", 256, 176},
    {TensorType::Q6_K, "Q6_K", 256, 210},     {TensorType::Q8_K, "Q8_K", 256, 292},
    {TensorType::IQ2_XXS, "IQ2_XXS", 256, 66}, {TensorType::IQ2_XS, "IQ2_XS", 256, 74},
    {TensorType::IQ3_XXS, "IQ3_XXS", 256, 98}, {TensorType::IQ1_S, "IQ1_S", 256, 50},
    {TensorType::IQ4_NL, "IQ4_NL", 32, 18},   {TensorType::IQ3_S, "IQ3_S", 256, 110},
    {TensorType::IQ2_S, "IQ2_S", 256, 82},    {TensorType::IQ4_XS, "IQ4_XS", 256, 136},
    {TensorType::I8, "I8", 1, 1},             {TensorType::I16, "I16", 1, 2},
    {TensorType::I32, "I32", 1, 4},           {TensorType::I64, "I64", 1, 8},
    {TensorType::F64, "F64", 1, 8},           {TensorType::IQ1_M, "IQ1_M", 256, 56},
    {TensorType::BF16, "BF16", 1, 2},         {TensorType::TQ1_0, "TQ1_0", 256, 54},
    {TensorType::TQ2_0, "TQ2_0", 256, 66},    {TensorType::MXFP4, "MXFP4", 32, 17},
    {TensorType::NVFP4, "NVFP4", 64, 36},     {TensorType::Q1_0, "Q1_0", 128, 18},
    {TensorType::Q2_0, "Q2_0", 64, 18},
};

constexpr TensorTypeInfo kFp8{TensorType::FP8_E4M3, "FP8_E4M3", 1, 1};

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

} // namespace

std::span<const TensorTypeInfo> tensorTypes() { return kTypes; }

const TensorTypeInfo& info(TensorType type) {
    if (type == TensorType::FP8_E4M3) return kFp8;
    const auto row = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& t) { return t.type == type; });
    assert(row != std::end(kTypes));
    return *row;
}

std::optional<TensorType> tensorTypeFromId(uint32_t id) {
    for (const auto& row : kTypes)
        if (static_cast<uint32_t>(row.type) == id) return row.type;
    return std::nullopt;
}

bool isRemovedTensorType(uint32_t id) { return id == 4 || id == 5 || (id >= 31 && id <= 33) || (id >= 36 && id <= 38); }

std::optional<TensorType> tensorTypeFromName(std::string_view name) {
    for (const auto& row : kTypes)
        if (equalIgnoringCase(row.name, name)) return row.type;
    return std::nullopt;
}

std::optional<uint64_t> tensorBytes(TensorType type, uint64_t values) {
    const auto& row = info(type);
    return checkedMultiply(values / row.blockValues, row.blockBytes);
}

} // namespace steelyard
