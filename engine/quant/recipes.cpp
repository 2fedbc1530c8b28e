#include "engine/quant/recipes.h"

#include "engine/format/readable.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr Recipe kRecipes[] = {
    {"F32", TensorType::F32},
    {"F16", TensorType::F16},
    {"BF16", TensorType::BF16},
    {"Q8_0", TensorType::Q8_0},
};

// Tensors that keep their type, by a part of their name. Source: the rules of the field's quantizing tool.
constexpr std::string_view kKept[] = {
    "_norm.weight",
    "ffn_gate_inp.weight", "ffn_gate_tid2eid.weight",                     // which experts a token goes to
    "altup", "laurel", "per_layer_model_proj",                            // small ones of Gemma 3n and 4
    "ssm_conv1d", "shortconv.conv.weight",                                // short convolutions
    "indexer.k_proj.weight", "indexer.q_proj.weight",                     // of sparse attention
    "time_mix_first.weight", "time_mix_w0.weight", "time_mix_w1.weight",  // small ones of RWKV
    "time_mix_w2.weight", "time_mix_v0.weight", "time_mix_v1.weight", "time_mix_v2.weight", "time_mix_a0.weight",
    "time_mix_a1.weight", "time_mix_a2.weight", "time_mix_g1.weight", "time_mix_g2.weight",
    "time_mix_decay_w1.weight", "time_mix_decay_w2.weight", "time_mix_lerp_fused.weight",
    "attn_rel_b.weight",                                                  // relative positions
    ".position_embd", "sam.pos_embd", "sam.neck.", "sam.net_", ".rel_pos", ".patch_embd", ".patch_merger", // of projectors
    "a.rvq.codebook", "mm.a.code_embd",
};

constexpr std::string_view kKeptWhole[] = {"position_embd.weight", "token_types.weight"};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return upper(x) == upper(y); });
}

} // namespace

Result<const Recipe*> recipeOf(std::string_view name) {
    std::string possible;
    for (const auto& recipe : kRecipes) {
        if (equalIgnoringCase(recipe.name, name)) return &recipe;
        if (!possible.empty()) possible += &recipe == std::end(kRecipes) - 1 ? " and " : ", ";
        possible += recipe.name;
    }
    return Error{"Files of type " + quotedText(name) + " cannot be made; " + possible + " are possible."};
}

bool isTurned(const GgufTensor& tensor) {
    if (tensor.rows() < 2) return false;
    const std::string_view name = tensor.name, ending = "weight";
    if (name.size() < ending.size() || name.substr(name.size() - ending.size()) != ending) return false;
    return std::none_of(std::begin(kKept), std::end(kKept), [&](auto part) { return contains(name, part); }) &&
           std::none_of(std::begin(kKeptWhole), std::end(kKeptWhole), [&](auto whole) { return name == whole; });
}

TensorType typeIn(const Recipe& recipe, const GgufTensor& tensor) {
    if (!isTurned(tensor)) return tensor.type;
    return tensor.columns() % info(recipe.type).blockValues == 0 ? recipe.type : TensorType::F16;
}

} // namespace steelyard
