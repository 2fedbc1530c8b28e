// The data that recipes are made of: a tensor's role, and rules that give a role another type than most of the file.
//
// Of a recipe's rules the first that fits decides. Source: the mixtures of the field's quantizing tool, which people know by
// these names. Knows nothing of files.
#pragma once

#include "engine/core/tensor_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace steelyard {

enum class Role : uint8_t {
    Any, // in rules only
    Output,
    Embedding,
    Value, // attention's values, alone or fused with queries and keys
    Key,
    Query,
    AttentionOutput,
    Down,
    Gate,
    Up,
    Other
};

// What must hold for a rule, as bits. A place is counted among the tensors of its role; "first eighth" and the like are
// shares of all layers (of all value tensors for Role::Value).
enum When : uint32_t {
    kAlways = 0,
    kFirstTwo = 1u << 0,
    kFirstFour = 1u << 1,
    kFirstSixteenth = 1u << 2,
    kFirstEighth = 1u << 3,
    kMiddle = 1u << 4,   // all but the first and the last eighth
    kMoreBits = 1u << 5, // the first and last eighth, and every third of the rest
    kCounted = 1u << 6,  // the place is counted even where experts have their layers' numbers
    kGrouped = 1u << 7,  // four or more query heads to a key
    kExperts = 1u << 8,
    kFourExperts = 1u << 9, // or more
    kEightExperts = 1u << 10,
    kNotEightExperts = 1u << 11,
    kStacked = 1u << 12, // matrices of several experts in one tensor
    kFalcon = 1u << 13,
    kNotFalcon = 1u << 14,
    kImportance = 1u << 15,
    kNoImportance = 1u << 16,
};

struct Rule {
    Role role;
    uint32_t when; // all bits
    TensorType type;
};

struct Recipe {
    std::string_view name;     // as the field names such files, and the name of the file type (file_type.h)
    TensorType type;           // of the tensors that no rule names
    TensorType output;         // of the output matrix, and of the embedding where it serves as output too
    TensorType embedding;      // of an embedding beside an output matrix
    std::span<const Rule> rules;
    bool commonRules = false;  // those for models of eight experts and for large grouped ones hold as well
    bool needsImportance = false; // without it a file of this kind is poor
};

// Every recipe, best quality first.
std::span<const Recipe> recipes();

// The rules that hold before a recipe's own, where it says so.
std::span<const Rule> commonRules();

// The type for rows that are no whole number of blocks of `type`.
TensorType fallbackOf(TensorType type, uint64_t columns);

} // namespace steelyard
