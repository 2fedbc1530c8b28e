// What kinds of files can be made, and which type each tensor of a file then has.
//
// A recipe is named as the field names such files ("Q8_0") and follows the field's rules, so that files of one name are
// alike whoever made them: norms, biases, routers, convolutions and other small tensors keep the type that they have. A
// new recipe is one row in recipes.cpp. Knows nothing of values.
#pragma once

#include "engine/core/result.h"
#include "engine/core/tensor_type.h"
#include "engine/format/gguf_file.h"

#include <string_view>

namespace steelyard {

struct Recipe {
    std::string_view name; // also the name of the file type (file_type.h)
    TensorType type;       // of the tensors that are turned
};

// The recipe of a name, in letters of any case; the error lists what can be made.
Result<const Recipe*> recipeOf(std::string_view name);

// True for tensors that recipes turn: matrices that are weights and no small special ones.
bool isTurned(const GgufTensor& tensor);

// The type of a tensor in a file of this recipe. A matrix whose rows are no whole number of blocks becomes F16.
TensorType typeIn(const Recipe& recipe, const GgufTensor& tensor);

} // namespace steelyard
