// A small model with each mistake in the keys and tensors of its architecture, and files of other kinds.
#include "tests/engine/malformed_files.h"
#include "tests/engine/tiny_model.h"

#include <cmath>
#include <limits>

namespace steelyard {

namespace {

class ModelList {
public:
    std::vector<MalformedFile> files;

    void architecture();
    void counts();
    void heads();
    void rope();
    void reals();
    void windows();
    void experts();
    void tensors();
    void vocabularySizes();
    void otherKinds();

private:
    void add(const std::string& name, const TinyModel& model, const std::string& says) {
        files.push_back({name, model.bytes(), says});
    }
    template <class Value>
    void change(const std::string& name, const std::string& key, Value value, const std::string& says) {
        add(name + " " + key, TinyModel().key(key, value), says);
    }
};

constexpr uint32_t kAll = 0xFFFFFFFF;

void ModelList::architecture() {
    add("M00 good", TinyModel(), "");
    add("M01 missing", TinyModel().without("general.architecture"), "general.architecture");
    change("M01 number", "general.architecture", uint32_t(1), "general.architecture");
    change("M01 empty", "general.architecture", "", "general.architecture");
    change("M01 unknown", "general.architecture", "llama9", "\"llama9\"");
    add("M01 long", TinyModel().key("general.architecture", std::string(1 << 20, 'x')), "xxx");
    for (const char* key : {"context_length", "embedding_length", "block_count", "attention.head_count",
                            "attention.layer_norm_rms_epsilon", "feed_forward_length"})
        add(std::string("M02 ") + key, TinyModel().without(std::string("llama.") + key), std::string("llama.") + key);
}

void ModelList::counts() {
    change("M03 text", "llama.embedding_length", "32", "llama.embedding_length");
    change("M03 negative", "llama.embedding_length", int64_t(-32), "llama.embedding_length");
    change("M03 real", "llama.block_count", 2.0f, "llama.block_count");
    change("M03 u64", "llama.embedding_length", uint64_t(32), "");
    change("M03 i32", "llama.block_count", int32_t(2), "");
    for (const uint32_t count : {0u, 100000u, kAll})
        change("M04 " + std::to_string(count), "llama.block_count", count, "llama.block_count");
    change("M04 513", "llama.block_count", uint32_t(513), "block_count");
    for (const uint32_t length : {0u, 1u << 31})
        change("M07 " + std::to_string(length), "llama.embedding_length", length, "llama.embedding_length");
    change("M07 other", "llama.embedding_length", uint32_t(64), "token_embd.weight");
    change("M07 1", "llama.embedding_length", uint32_t(1), "token_embd.weight");
    change("M08 0", "llama.feed_forward_length", uint32_t(0), "llama.feed_forward_length");
    change("M08 other", "llama.feed_forward_length", uint32_t(128), "ffn_gate.weight has shape");
    change("M14 0", "llama.context_length", uint32_t(0), "llama.context_length");
    change("M14 2^31", "llama.context_length", uint32_t(1) << 31, "llama.context_length");
    change("M14 all", "llama.context_length", kAll, "llama.context_length");
}

void ModelList::heads() {
    change("M05 0", "llama.attention.head_count", uint32_t(0), "llama.attention.head_count");
    change("M05 many", "llama.attention.head_count", uint32_t(64), "llama.attention.head_count");
    change("M05 odd", "llama.attention.head_count", uint32_t(5), "llama.attention.head_count");
    change("M06 0", "llama.attention.head_count_kv", uint32_t(0), "head_count_kv");
    change("M06 more", "llama.attention.head_count_kv", uint32_t(8), "head_count_kv");
    change("M06 no divisor", "llama.attention.head_count_kv", uint32_t(3), "head_count_kv");
    change("M06 short", "llama.attention.head_count_kv", std::vector<int32_t>{2}, "head_count_kv");
    change("M06 negative", "llama.attention.head_count_kv", std::vector<int32_t>{2, -2}, "layer 1");
    change("M09 0", "llama.attention.key_length", uint32_t(0), "llama.attention.key_length");
    change("M09 odd", "llama.attention.key_length", uint32_t(7), "rope.dimension_count");
    change("M09 large", "llama.attention.key_length", uint32_t(1) << 20, "llama.attention.key_length");
    change("M09 value 0", "llama.attention.value_length", uint32_t(0), "llama.attention.value_length");
    change("M17 too many", "llama.expert_count", uint32_t(1000000), "llama.expert_count");
}

void ModelList::rope() {
    for (const uint32_t count : {0u, 3u, 64u})
        change("M10 " + std::to_string(count), "llama.rope.dimension_count", count, "llama.rope.dimension_count");
    for (const float base : {0.0f, -1.0f, 1e38f})
        change("M11 " + std::to_string(base), "llama.rope.freq_base", base, "llama.rope.freq_base");
    change("M11 nan", "llama.rope.freq_base", std::nanf(""), "llama.rope.freq_base");
    change("M12 unknown", "llama.rope.scaling.type", "spiral", "llama.rope.scaling.type");
    for (const float factor : {0.0f, -2.0f})
        add("M12 factor " + std::to_string(factor),
            TinyModel().key("llama.rope.scaling.type", "linear").key("llama.rope.scaling.factor", factor),
            "llama.rope.scaling.factor");
    add("M12 factor nan",
        TinyModel().key("llama.rope.scaling.type", "linear").key("llama.rope.scaling.factor", std::nanf("")),
        "llama.rope.scaling.factor");
    add("M12 yarn", TinyModel().key("llama.rope.scaling.type", "yarn").key("llama.rope.scaling.factor", 4.0f),
        "llama.rope.scaling.original_context_length");
    add("M12 longrope", TinyModel().key("llama.rope.scaling.type", "longrope"), "rope_factors_long.weight");
    add("M12 long alone", TinyModel().filled("rope_factors_long.weight", {4}, 1), "rope_factors_short.weight");
    add("M12 short alone", TinyModel().filled("rope_factors_short.weight", {4}, 1), "rope_factors_long.weight");
    add("M12 long length",
        TinyModel().filled("rope_factors_long.weight", {5}, 1).filled("rope_factors_short.weight", {4}, 1),
        "rope_factors_long.weight");
    add("M13 length", TinyModel().filled("rope_freqs.weight", {3}, 1), "rope_freqs.weight");
    add("M13 zero", TinyModel().tensor("rope_freqs.weight", {4}), "rope_freqs.weight");
    add("M13 nan", TinyModel().filled("rope_freqs.weight", {4}, std::nanf("")), "rope_freqs.weight");
}

void ModelList::reals() {
    const std::string key = "llama.attention.layer_norm_rms_epsilon";
    for (const float epsilon : {0.0f, -1e-5f, 1.0f})
        change("M18 " + std::to_string(epsilon), key, epsilon, key);
    change("M18 inf", key, std::numeric_limits<float>::infinity(), key);
    for (const float cap : {-1.0f, std::nanf("")})
        add("M16 " + std::to_string(cap), TinyModel("gemma2").key("gemma2.attn_logit_softcapping", cap), "gemma2.attn_logit_softcapping");
    add("M16 off", TinyModel("gemma2").key("gemma2.attn_logit_softcapping", 0.0f), "");
    add("M22 name", TinyModel().key("general.name", std::string(1 << 20, '\a')), "");
    add("M22 licence", TinyModel().key("general.license", std::string("\x1B[31m\n\xFF")), "");
    change("M22 file type", "general.file_type", "many", "");
}

void ModelList::windows() {
    const std::string window = "gemma3.attention.sliding_window", pattern = "gemma3.attention.sliding_window_pattern";
    const auto windowed = [&](uint32_t size) { return TinyModel("gemma3").key(window, size); };
    add("M15 none", windowed(0), "");
    add("M15 beyond the context", windowed(4096), ""); // as in files of Phi 3.5
    add("M15 text", TinyModel("gemma3").key(window, "16"), window);
    add("M15 short pattern", windowed(16).key(pattern, std::vector<int32_t>{1}), pattern);
    add("M15 pattern 0", windowed(16).key(pattern, uint32_t(0)), pattern);
}

void ModelList::experts() {
    const auto mixture = [](uint32_t count, uint32_t used) {
        TinyModel model;
        for (const std::string block : {"blk.0.", "blk.1."}) {
            for (const char* dense : {"ffn_gate.weight", "ffn_up.weight", "ffn_down.weight"}) model.without(block + dense);
            model.tensor(block + "ffn_gate_inp.weight", {32, 4}).tensor(block + "ffn_gate_exps.weight", {32, 64, 4});
            model.tensor(block + "ffn_up_exps.weight", {32, 64, 4}).tensor(block + "ffn_down_exps.weight", {64, 32, 4});
        }
        return model.key("llama.expert_count", count).key("llama.expert_used_count", used);
    };
    add("M17 right", mixture(4, 2), "");
    add("M17 0", mixture(0, 2), "llama.expert_count");
    add("M17 none used", mixture(4, 0), "llama.expert_used_count");
    add("M17 more used", mixture(4, 5), "llama.expert_used_count");
    add("M17 other count", mixture(8, 2), "blk.0.ffn_gate_inp.weight");
    change("M17 without tensors", "llama.expert_count", uint32_t(4), "llama.expert_count");
}

void ModelList::tensors() {
    change("M19 one more layer", "llama.block_count", uint32_t(3), "blk.2.");
    change("M19 one layer less", "llama.block_count", uint32_t(1), "llama.block_count");
    for (const char* name :
         {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_up", "ffn_down"}) {
        const std::string tensor = "blk.1." + std::string(name) + ".weight";
        add("M19 without " + tensor, TinyModel().without(tensor), tensor);
        add("M19 short " + tensor, TinyModel().tensor(tensor, {31}), tensor);
    }
    add("M19 transposed", TinyModel().tensor("blk.0.ffn_down.weight", {32, 64}), "blk.0.ffn_down.weight");
    add("M19 bias", TinyModel().tensor("blk.0.attn_q.bias", {31}), "attn_q.bias");
    add("M20 tied", TinyModel().without("output.weight"), "");
    add("M20 both", TinyModel().without("output.weight").without("token_embd.weight"), "token_embd.weight");
    add("M20 norm", TinyModel().without("output_norm.weight"), "output_norm.weight");
    for (const TensorType type : {TensorType::F64, TensorType::I8, TensorType::I32})
        add("M21 " + std::string(info(type).name), TinyModel().tensor("blk.0.attn_q.weight", {32, 32}, type),
            "blk.0.attn_q.weight");
    add("M21 F16 norms", TinyModel().tensor("blk.0.attn_norm.weight", {32}, TensorType::F16), "");
    add("M21 whole norms", TinyModel().tensor("blk.0.attn_norm.weight", {32}, TensorType::I32), "attn_norm.weight");
}

void ModelList::vocabularySizes() {
    add("V04 rows", TinyModel().tensor("token_embd.weight", {31, 8}), "token_embd.weight");
    add("T16 zeros", TinyModel(), "");
}

void ModelList::otherKinds() {
    const std::pair<const char*, const char*> architectures[] = {{"clip", "projector"},
                                                                 {"bert", "embedding model"},
                                                                 {"nomic-bert", "embedding model"},
                                                                 {"t5encoder", "embedding model"},
                                                                 {"whisper", "speech model"},
                                                                 {"wavtokenizer-dec", "speech model"},
                                                                 {"flux", "image or video"},
                                                                 {"controlvector", "control vector"}};
    for (const auto& row : architectures)
        change(std::string("X01 ") + row.first, "general.architecture", row.first, row.second);
    change("X01 adapter", "general.type", "adapter", "adapter (LoRA)");
    change("X01 mmproj", "general.type", "mmproj", "projector");
    change("X01 imatrix", "general.type", "imatrix", "importance matrix");
    GgufWriter pairs;
    pairs.add("general.architecture", "llama");
    const std::vector<uint8_t> zeros(16);
    for (const char* half : {"blk.0.attn_q.weight.lora_a", "blk.0.attn_q.weight.lora_b"})
        (void)pairs.addTensor(half, TensorType::F32, {4}, zeros).ok();
    files.push_back({"X01 pairs", pairs.bytes(), "adapter (LoRA)"});
    GgufWriter vocabulary;
    vocabulary.add("general.architecture", "llama");
    vocabulary.add("tokenizer.ggml.model", "gpt2");
    files.push_back({"H11", vocabulary.bytes(), "no weights"});
}

} // namespace

std::vector<MalformedFile> malformedModels() {
    ModelList list;
    list.architecture();
    list.counts();
    list.heads();
    list.rope();
    list.reals();
    list.windows();
    list.experts();
    list.tensors();
    list.vocabularySizes();
    list.otherKinds();
    return list.files;
}

} // namespace steelyard
