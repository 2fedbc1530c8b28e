#include "engine/quant/recipes.h"

#include "engine/format/readable.h"
#include "engine/quant/encoders.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace steelyard {

namespace {

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

// What rules ask about a model.
struct ModelFacts {
    bool falcon = false, grouped = false, large = false, tied = true, importance = false;
    uint64_t layers = 0, experts = 0, values = 0; // values: tensors of that role
};

// A number, or the first of an array of them, as sizes by layer are; 0 where it is not given.
uint64_t firstNumber(const GgufFile& file, const std::string& key) {
    const GgufKey* found = file.find(key);
    if (!found) return 0;
    if (!found->isArray) return file.unsignedValue(key).ok() ? file.unsignedValue(key)->value_or(0) : 0;
    const auto numbers = file.integerArray(key);
    return numbers.ok() && !numbers->empty() && numbers->front() > 0 ? static_cast<uint64_t>(numbers->front()) : 0;
}

ModelFacts factsOf(const GgufFile& file, bool withImportance) {
    ModelFacts facts;
    const auto name = file.stringValue("general.architecture");
    const std::string architecture = name.ok() ? name->value_or("") : "";
    facts.falcon = architecture == "falcon";
    facts.importance = withImportance;
    facts.layers = firstNumber(file, architecture + ".block_count");
    facts.experts = firstNumber(file, architecture + ".expert_count");
    const uint64_t heads = firstNumber(file, architecture + ".attention.head_count");
    const bool shared = file.find(architecture + ".attention.head_count_kv") != nullptr;
    const uint64_t keyHeads = shared ? firstNumber(file, architecture + ".attention.head_count_kv") : heads;
    facts.grouped = keyHeads > 0 && heads / keyHeads >= 4;
    // models of which one size, with eight queries to a key, is known to gain from more bits for the small value matrices
    facts.large = (facts.layers == 80 && ((architecture == "llama" && heads != keyHeads) || architecture == "deci" || architecture == "olmo" ||
                                          architecture == "qwen2")) ||
                  (facts.layers == 68 && architecture == "jais2");
    for (const auto& tensor : file.tensors()) {
        if (roleOf(tensor.name) == Role::Output) facts.tied = false;
        if (roleOf(tensor.name) == Role::Value) ++facts.values;
    }
    return facts;
}

// A tensor's place among those of its role, of how many.
struct Place {
    uint64_t counted = 0, layer = 0, of = 0;
};

// The number in "blk.12.", or nothing.
std::optional<uint64_t> layerOf(std::string_view name) {
    constexpr std::string_view kBlock = "blk.";
    if (name.substr(0, kBlock.size()) != kBlock) return std::nullopt;
    uint64_t layer = 0;
    const auto [end, problem] = std::from_chars(name.data() + kBlock.size(), name.data() + name.size(), layer);
    return problem == std::errc() && end != name.data() + name.size() && *end == '.' ? std::optional(layer) : std::nullopt;
}

bool holds(uint32_t when, const ModelFacts& model, const Place& place, const GgufTensor& tensor) {
    const uint64_t i = when & kCounted ? place.counted : place.layer, n = place.of;
    const auto is = [&](uint32_t bit, bool fact) { return !(when & bit) || fact; };
    return is(kFirstTwo, i < 2) && is(kFirstFour, i < 4) && is(kFirstSixteenth, i < n / 16) && is(kFirstEighth, i < n / 8) &&
           is(kMiddle, i >= n / 8 && i < 7 * n / 8) &&
           is(kMoreBits, i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2) && is(kGrouped, model.grouped) && is(kExperts, model.experts > 1) &&
           is(kFourExperts, model.experts >= 4) && is(kEightExperts, model.experts == 8) && is(kNotEightExperts, model.experts != 8) &&
           is(kStacked, tensor.shape.size() > 2 && tensor.shape[2] > 1) && is(kFalcon, model.falcon) && is(kNotFalcon, !model.falcon) &&
           is(kImportance, model.importance) && is(kNoImportance, !model.importance);
}

TensorType ruledType(const Recipe& recipe, const ModelFacts& model, Role role, const Place& place, const GgufTensor& tensor) {
    if (role == Role::Output || (role == Role::Embedding && model.tied))
        return model.falcon || tensor.columns() % info(recipe.type).blockValues != 0 ? TensorType::Q8_0 : recipe.output;
    const auto first = [&](std::span<const Rule> rules) -> const Rule* {
        for (const auto& rule : rules)
            if ((rule.role == Role::Any || rule.role == role) && holds(rule.when, model, place, tensor)) return &rule;
        return nullptr;
    };
    if (recipe.commonRules)
        if (const Rule* rule = first(commonRules())) return rule->type;
    const Rule* rule = first(recipe.rules);
    const TensorType type = rule ? rule->type : role == Role::Embedding ? recipe.embedding : recipe.type;
    const bool raised = recipe.commonRules && model.large && role == Role::Value && (type == TensorType::Q3_K || type == TensorType::Q4_K);
    return raised ? TensorType::Q5_K : type;
}

} // namespace

Result<const Recipe*> recipeOf(std::string_view name) {
    std::string possible;
    for (const std::string& wanted : {std::string(name), std::string(name) + "_M"}) // Q4_K is short for Q4_K_M
        for (const auto& recipe : recipes())
            if (equalIgnoringCase(recipe.name, wanted) && canBeMade(recipe)) return &recipe;
    for (const auto& recipe : recipes()) {
        if (!canBeMade(recipe)) continue;
        if (!possible.empty()) possible += ", ";
        possible += recipe.name;
    }
    return Error{"Files of type " + quotedText(name) + " cannot be made; possible are: " + possible + "."};
}

bool canBeMade(const Recipe& recipe) {
    return encoderOf(recipe.type) && encoderOf(recipe.output) && encoderOf(recipe.embedding) && encoderOf(fallbackOf(recipe.type, 32)) &&
           std::all_of(recipe.rules.begin(), recipe.rules.end(), [](const Rule& rule) { return encoderOf(rule.type) != nullptr; });
}

bool isTurned(const GgufTensor& tensor) {
    if (tensor.rows() < 2) return false;
    const std::string_view name = tensor.name, ending = "weight";
    if (name.size() < ending.size() || name.substr(name.size() - ending.size()) != ending) return false;
    return std::none_of(std::begin(kKept), std::end(kKept), [&](auto part) { return contains(name, part); }) &&
           std::none_of(std::begin(kKeptWhole), std::end(kKeptWhole), [&](auto whole) { return name == whole; });
}

Role roleOf(std::string_view name) {
    struct Part {
        std::string_view part;
        Role role;
    };
    static constexpr Part kParts[] = {{"attn_qkv.weight", Role::Value}, {"attn_kv_b.weight", Role::Value}, {"attn_v.weight", Role::Value},
                                      {"attn_k.weight", Role::Key},     {"attn_q.weight", Role::Query},    {"attn_output.weight", Role::AttentionOutput},
                                      {"ffn_up", Role::Up},             {"ffn_gate", Role::Gate},          {"ffn_down", Role::Down}};
    if (name == "output.weight") return Role::Output;
    if (name == "token_embd.weight" || name == "per_layer_token_embd.weight") return Role::Embedding;
    for (const auto& row : kParts)
        if (contains(name, row.part)) return row.role;
    return Role::Other;
}

std::vector<TensorType> typesIn(const Recipe& recipe, const GgufFile& file, bool withImportance) {
    const ModelFacts model = factsOf(file, withImportance);
    const auto tensors = file.tensors();
    std::vector<size_t> order(tensors.size()); // tensors are counted by layer, then by name, whatever the file's order
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](size_t i) { return std::pair(layerOf(tensors[i].name).value_or(0) + (layerOf(tensors[i].name) ? 1 : 0), std::string_view(tensors[i].name)); };
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });

    std::vector<TensorType> types(tensors.size());
    std::map<Role, uint64_t> counts;
    for (const size_t i : order) {
        const GgufTensor& tensor = tensors[i];
        types[i] = tensor.type;
        if (!isTurned(tensor)) continue;
        const Role role = roleOf(tensor.name);
        Place place{counts[role]++, 0, role == Role::Value ? model.values : model.layers};
        place.layer = model.experts > 1 && role != Role::Value ? layerOf(tensor.name).value_or(place.counted) : place.counted;
        types[i] = info(recipe.type).blockValues == 1 ? recipe.type : ruledType(recipe, model, role, place, tensor);
        if (tensor.columns() % info(types[i]).blockValues != 0) types[i] = fallbackOf(types[i], tensor.columns());
    }
    return types;
}

} // namespace steelyard
