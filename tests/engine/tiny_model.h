// A model file of two small layers made on the spot, of which tests change one thing. All weights are zero. Knows
// nothing of what is right.
#pragma once

#include "engine/format/gguf_writer.h"

#include <functional>
#include <utility>

namespace steelyard {

class TinyModel {
public:
    explicit TinyModel(const std::string& architecture = "llama") {
        const std::string prefix = architecture + ".";
        key("general.architecture", architecture).key(prefix + "block_count", uint32_t(2));
        key(prefix + "context_length", uint32_t(64)).key(prefix + "embedding_length", uint32_t(32));
        key(prefix + "feed_forward_length", uint32_t(64)).key(prefix + "attention.head_count", uint32_t(4));
        key(prefix + "attention.head_count_kv", uint32_t(2));
        key(prefix + "attention.layer_norm_rms_epsilon", 1e-5f);
        key("tokenizer.ggml.model", "gpt2").key("tokenizer.ggml.pre", "gpt-2");
        key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "ab", "<e>", "f", "g"});
        key("tokenizer.ggml.token_type", std::vector<int32_t>{1, 1, 1, 1, 1, 3, 1, 1});
        key("tokenizer.ggml.merges", std::vector<std::string>{"a b"});
        key("tokenizer.ggml.eos_token_id", uint32_t(5));
        tensor("token_embd.weight", {32, 8}).tensor("output_norm.weight", {32}).tensor("output.weight", {32, 8});
        for (const std::string block : {"blk.0.", "blk.1."}) {
            tensor(block + "attn_norm.weight", {32}).tensor(block + "ffn_norm.weight", {32});
            tensor(block + "attn_q.weight", {32, 32}).tensor(block + "attn_k.weight", {32, 16});
            tensor(block + "attn_v.weight", {32, 16}).tensor(block + "attn_output.weight", {32, 32});
            tensor(block + "ffn_gate.weight", {32, 64}).tensor(block + "ffn_up.weight", {32, 64});
            tensor(block + "ffn_down.weight", {64, 32});
        }
    }

    // Adds a key or changes it.
    template <class Value>
    TinyModel& key(const std::string& name, Value value) {
        return put(m_keys, name, [name, value](GgufWriter& writer) { writer.add(name, value); });
    }
    // A key by its type number and bytes.
    TinyModel& rawKey(const std::string& name, uint32_t type, const std::string& bytes) {
        return put(m_keys, name, [=](GgufWriter& writer) { writer.addRaw(name, type, bytes); });
    }
    // Takes out the tensors whose names begin so.
    TinyModel& withoutThoseOf(const std::string& prefix) {
        std::erase_if(m_tensors, [&](const auto& entry) { return entry.first.compare(0, prefix.size(), prefix) == 0; });
        return *this;
    }
    // A tensor of zeros; of one value.
    TinyModel& tensor(const std::string& name, const std::vector<uint64_t>& shape, TensorType type = TensorType::F32) {
        return put(m_tensors, name, [=](GgufWriter& writer) {
            uint64_t values = 1;
            for (const uint64_t size : shape)
                values *= size;
            const std::vector<uint8_t> zeros(tensorBytes(type, values).value());
            (void)writer.addTensor(name, type, shape, zeros).ok();
        });
    }
    TinyModel& filled(const std::string& name, const std::vector<uint64_t>& shape, float value) {
        return put(m_tensors, name, [=](GgufWriter& writer) {
            uint64_t values = 1;
            for (const uint64_t size : shape)
                values *= size;
            const std::vector<float> all(values, value);
            const auto* bytes = reinterpret_cast<const uint8_t*>(all.data());
            (void)writer.addTensor(name, TensorType::F32, shape, std::vector<uint8_t>(bytes, bytes + values * sizeof(float))).ok();
        });
    }
    TinyModel& tensor(const std::string& name, const std::vector<uint64_t>& shape, TensorType type, const std::vector<uint8_t>& data) {
        return put(m_tensors, name, [=](GgufWriter& writer) { (void)writer.addTensor(name, type, shape, data).ok(); });
    }
    TinyModel& without(const std::string& name) {
        for (List* list : {&m_keys, &m_tensors})
            std::erase_if(*list, [&](const auto& entry) { return entry.first == name; });
        return *this;
    }

    std::string bytes() const {
        GgufWriter writer;
        for (const List* list : {&m_keys, &m_tensors})
            for (const auto& entry : *list)
                entry.second(writer);
        return writer.bytes();
    }

private:
    using Step = std::function<void(GgufWriter&)>;
    using List = std::vector<std::pair<std::string, Step>>;
    TinyModel& put(List& list, const std::string& name, Step step) {
        for (auto& entry : list) {
            if (entry.first != name) continue;
            entry.second = std::move(step);
            return *this;
        }
        list.push_back({name, std::move(step)});
        return *this;
    }

    List m_keys, m_tensors;
};

} // namespace steelyard
