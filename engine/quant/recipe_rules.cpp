#include "engine/quant/recipe_rules.h"

namespace steelyard {

namespace {

using enum Role;
using T = TensorType;

constexpr Rule kCommon[] = {{Value, kEightExperts, T::Q8_0}, {Key, kEightExperts, T::Q8_0}};

constexpr uint32_t kMixed = kNotFalcon | kEightExperts; // attention outputs of such models are small
constexpr Rule kQ5_K_M[] = {{Value, kMoreBits, T::Q6_K}, {Down, kMoreBits, T::Q6_K}};
constexpr Rule kQ4_K_M[] = {{Value, kMoreBits, T::Q6_K},
                            {Down, kFalcon | kFirstSixteenth, T::Q6_K},
                            {Down, kFalcon | kMoreBits, T::Q5_K},
                            {Down, kNotFalcon | kMoreBits, T::Q6_K},
                            {AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kQ4_K_S[] = {{Value, kFirstFour, T::Q5_K}, {Down, kNotFalcon | kFirstEighth, T::Q5_K}, {AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kQ5_0[] = {{Down, kImportance | kFirstEighth, T::Q5_1}};
constexpr Rule kQ4_0[] = {{Down, kImportance | kFirstEighth, T::Q4_1}};
constexpr Rule kIQ4[] = {{Value, kGrouped, T::Q5_K}, {Down, kNoImportance | kFirstEighth, T::Q5_K}, {AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kQ3_K_L[] = {{Value, kAlways, T::Q5_K},
                            {Down, kFalcon, T::Q4_K},
                            {Down, kAlways, T::Q5_K},
                            {AttentionOutput, kFalcon, T::Q4_K},
                            {AttentionOutput, kNotEightExperts, T::Q5_K}};
constexpr Rule kQ3_K_M[] = {{Value, kFirstTwo, T::Q5_K},      {Value, kAlways, T::Q4_K},
                            {Down, kFirstSixteenth, T::Q5_K}, {Down, kNotFalcon, T::Q4_K},
                            {Down, kMoreBits, T::Q4_K},       {AttentionOutput, kMixed, T::Q5_K},
                            {AttentionOutput, kNotFalcon, T::Q4_K}};
constexpr Rule kQ3_K_S[] = {{AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kQ2_K[] = {{Value, kGrouped, T::Q4_K},
                          {Value, kAlways, T::Q3_K},
                          {Down, kAlways, T::Q3_K},
                          {AttentionOutput, kMixed, T::Q5_K},
                          {AttentionOutput, kNotFalcon, T::Q3_K}};
constexpr Rule kQ2_K_S[] = {{Value, kGrouped, T::Q4_K}, {Down, kFirstEighth, T::Q4_K}};
constexpr Rule kIQ3_M[] = {{Value, kAlways, T::Q4_K},
                           {Down, kFirstEighth, T::Q4_K},
                           {Down, kEightExperts | kMoreBits, T::Q4_K},
                           {AttentionOutput, kMixed, T::Q5_K},
                           {AttentionOutput, kNotFalcon, T::Q4_K}};
constexpr Rule kIQ3_S[] = {{Value, kGrouped, T::Q4_K}, {AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kIQ3_XS[] = {{Value, kGrouped, T::Q4_K},    {Key, kAlways, T::IQ3_XXS}, {Query, kAlways, T::IQ3_XXS},
                            {Gate, kMiddle, T::IQ3_XXS},   {Up, kMiddle, T::IQ3_XXS},  {AttentionOutput, kMixed, T::Q5_K}};
constexpr Rule kIQ3_XXS[] = {{Value, kGrouped, T::Q4_K},
                             {Value, kNoImportance, T::IQ3_S},
                             {Key, kAlways, T::IQ2_S},
                             {Query, kAlways, T::IQ2_S},
                             {Down, kNoImportance | kFirstEighth, T::Q4_K},
                             {Down, kNoImportance, T::Q3_K},
                             {AttentionOutput, kMixed, T::Q5_K},
                             {AttentionOutput, kNotFalcon, T::IQ3_S}};
constexpr Rule kIQ2_M[] = {{Value, kGrouped, T::Q4_K},
                           {Value, kFourExperts, T::Q4_K},
                           {Value, kAlways, T::IQ3_S},
                           {Key, kEightExperts, T::Q4_K},
                           {Down, kCounted | kFirstEighth, T::IQ3_S},
                           {AttentionOutput, kEightExperts, T::Q5_K},
                           {AttentionOutput, kAlways, T::IQ3_S}};
constexpr Rule kIQ2_XS[] = {{Value, kGrouped, T::Q4_K},
                            {Value, kFourExperts, T::Q4_K},
                            {Value, kAlways, T::Q2_K},
                            {Key, kEightExperts, T::Q4_K},
                            {Down, kCounted | kFirstEighth, T::Q2_K},
                            {AttentionOutput, kEightExperts, T::Q5_K}};
constexpr Rule kMXFP4_MOE[] = {{Any, kStacked, T::MXFP4}};
constexpr Rule kMXFP4[] = {{Any, kStacked, T::MXFP4}, {Any, kExperts, T::Q8_0}};

constexpr Recipe kRecipes[] = {
    {"F32", T::F32, T::F32, T::F32, {}},
    {"BF16", T::BF16, T::BF16, T::BF16, {}},
    {"F16", T::F16, T::F16, T::F16, {}},
    {"Q8_0", T::Q8_0, T::Q8_0, T::Q8_0, {}, true},
    {"Q6_K", T::Q6_K, T::Q6_K, T::Q6_K, {}, true},
    {"Q5_1", T::Q5_1, T::Q6_K, T::Q5_1, {}, true},
    {"Q5_K_M", T::Q5_K, T::Q6_K, T::Q5_K, kQ5_K_M, true},
    {"Q5_K_S", T::Q5_K, T::Q6_K, T::Q5_K, {}, true},
    {"Q5_0", T::Q5_0, T::Q6_K, T::Q5_0, kQ5_0, true},
    {"Q4_1", T::Q4_1, T::Q6_K, T::Q4_1, {}, true},
    {"Q4_K_M", T::Q4_K, T::Q6_K, T::Q4_K, kQ4_K_M, true},
    {"Q4_K_S", T::Q4_K, T::Q6_K, T::Q4_K, kQ4_K_S, true},
    {"IQ4_NL", T::IQ4_NL, T::Q6_K, T::IQ4_NL, kIQ4, true},
    {"IQ4_XS", T::IQ4_XS, T::Q6_K, T::IQ4_XS, kIQ4, true},
    {"Q4_0", T::Q4_0, T::Q6_K, T::Q4_0, kQ4_0, true},
    {"NVFP4", T::NVFP4, T::Q8_0, T::Q8_0, {}},
    {"MXFP4", T::MXFP4, T::Q8_0, T::Q8_0, kMXFP4},
    {"MXFP4_MOE", T::Q8_0, T::Q8_0, T::Q8_0, kMXFP4_MOE},
    {"Q3_K_L", T::Q3_K, T::Q6_K, T::Q3_K, kQ3_K_L, true},
    {"Q3_K_M", T::Q3_K, T::Q6_K, T::Q3_K, kQ3_K_M, true},
    {"IQ3_M", T::IQ3_S, T::Q6_K, T::IQ3_S, kIQ3_M, true},
    {"IQ3_S", T::IQ3_S, T::Q6_K, T::IQ3_S, kIQ3_S, true},
    {"Q3_K_S", T::Q3_K, T::Q6_K, T::Q3_K, kQ3_K_S, true},
    {"IQ3_XS", T::IQ3_S, T::Q6_K, T::IQ3_S, kIQ3_XS, true},
    {"IQ3_XXS", T::IQ3_XXS, T::Q5_K, T::IQ3_S, kIQ3_XXS, true, true},
    {"Q2_K", T::Q2_K, T::Q6_K, T::Q2_K, kQ2_K, true},
    {"Q2_K_S", T::Q2_K, T::Q6_K, T::Q2_K, kQ2_K_S, true, true},
    {"IQ2_M", T::IQ2_S, T::Q5_K, T::IQ3_S, kIQ2_M, false, true},
    {"IQ2_S", T::IQ2_XS, T::Q5_K, T::IQ3_S, kIQ2_M, false, true},
    {"IQ2_XS", T::IQ2_XS, T::Q5_K, T::Q2_K, kIQ2_XS, false, true},
    {"IQ2_XXS", T::IQ2_XXS, T::Q5_K, T::Q2_K, kIQ2_XS, false, true},
};

struct Fallback {
    TensorType from, to;
};
constexpr Fallback kFallbacks[] = {
    {T::IQ2_XXS, T::IQ4_NL}, {T::IQ2_XS, T::IQ4_NL}, {T::IQ2_S, T::IQ4_NL}, {T::IQ3_XXS, T::IQ4_NL}, {T::IQ3_S, T::IQ4_NL},
    {T::IQ4_XS, T::IQ4_NL},  {T::Q2_K, T::Q4_0},     {T::Q3_K, T::Q4_0},    {T::Q4_K, T::Q5_0},      {T::Q5_K, T::Q5_1},
    {T::Q6_K, T::Q8_0},      {T::NVFP4, T::IQ4_NL},
};

} // namespace

std::span<const Recipe> recipes() { return kRecipes; }

std::span<const Rule> commonRules() { return kCommon; }

TensorType fallbackOf(TensorType type, uint64_t columns) {
    for (const auto& row : kFallbacks)
        if (row.from == type && columns % info(row.to).blockValues == 0) return row.to;
    return TensorType::F16;
}

} // namespace steelyard
