// What kinds of files can be made, and which type each tensor of a file then has.
//
// A recipe is named as the field names such files ("Q4_K_M") and follows the field's rules, so that files of one name are
// alike whoever made them: some tensors get more bits by their role and layer; norms, biases, routers, convolutions and other
// small tensors keep the type that they have. A new recipe is one row in recipe_rules.cpp. Knows nothing of values.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"
#include "engine/quant/recipe_rules.h"

#include <string_view>
#include <vector>

namespace steelyard {

// The recipe of a name, in letters of any case; "Q4_K" is short for "Q4_K_M". The error lists what can be made.
Result<const Recipe*> recipeOf(std::string_view name);

// True where every type that a file of this recipe may have can be encoded.
bool canBeMade(const Recipe& recipe);

// True for tensors that recipes turn: matrices that are weights and no small special ones.
bool isTurned(const GgufTensor& tensor);

// What a tensor does, by its name.
Role roleOf(std::string_view name);

// The type of each tensor of a model in a file of this recipe, in the file's order. A matrix whose rows are no whole number
// of blocks gets a type with smaller ones.
std::vector<TensorType> typesIn(const Recipe& recipe, const GgufFile& file, bool withImportance);

} // namespace steelyard
