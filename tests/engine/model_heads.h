// Heads of large models made on the spot: metadata and the records of tensors, without a byte of data. For figures that a plan
// must give. Knows nothing of what is right.
#pragma once

#include "engine/format/gguf_file.h"
#include "engine/format/gguf_writer.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace steelyard {

struct HeadShape {
    std::string architecture = "llama";
    uint32_t layers = 32, embedding = 4096, feedForward = 11008, heads = 32, kvHeads = 32, headDim = 128;
    uint32_t vocabulary = 32000, context = 4096, window = 0;
    bool gemma = false;      // norms behind each part, and of heads; the table is the head
    TensorType type = TensorType::F16; // of matrices
};

class ModelHead {
public:
    explicit ModelHead(const HeadShape& shape) : m_shape(shape) {
        key("general.architecture", shape.architecture);
        const std::string prefix = shape.architecture + ".";
        for (const auto& [name, value] : std::vector<std::pair<std::string, uint32_t>>{
                 {"block_count", shape.layers}, {"context_length", shape.context}, {"embedding_length", shape.embedding},
                 {"feed_forward_length", shape.feedForward}, {"attention.head_count", shape.heads}, {"attention.head_count_kv", shape.kvHeads},
                 {"attention.key_length", shape.headDim}, {"attention.value_length", shape.headDim}})
            key(prefix + name, value);
        key(prefix + "attention.layer_norm_rms_epsilon", 1e-5f);
        if (shape.window > 0) key(prefix + "attention.sliding_window", shape.window);
        matrix("token_embd.weight", shape.embedding, shape.vocabulary);
        vector("output_norm.weight", shape.embedding);
        if (!shape.gemma) matrix("output.weight", shape.embedding, shape.vocabulary);
        for (uint32_t layer = 0; layer < shape.layers; ++layer) addLayer("blk." + std::to_string(layer) + ".");
    }

    // All of it, or the part `number` of two, whose tensors are those of every other place.
    std::string bytes() const { return writer(2).head(); }
    std::string part(uint32_t number) const { return writer(number).head(); }

    // The head as a file of its size that is not there.
    GgufFile file() const {
        const GgufWriter whole = writer(2);
        const std::string head = whole.head();
        auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(head.data()), head.size()}, *whole.fileBytes(), false);
        if (!file) throw std::runtime_error(file.sentence());
        return std::move(*file);
    }

private:
    struct Tensor {
        std::string name;
        TensorType type;
        std::vector<uint64_t> shape;
    };

    template <class Value>
    void key(const std::string& name, const Value& value) {
        m_keys.push_back([name, value](GgufWriter& writer) { writer.add(name, value); });
    }
    void matrix(const std::string& name, uint64_t columns, uint64_t rows) { m_tensors.push_back({name, m_shape.type, {columns, rows}}); }
    void vector(const std::string& name, uint64_t length) { m_tensors.push_back({name, TensorType::F32, {length}}); }

    void addLayer(const std::string& block) {
        const uint64_t embedding = m_shape.embedding, query = uint64_t(m_shape.heads) * m_shape.headDim, kv = uint64_t(m_shape.kvHeads) * m_shape.headDim;
        vector(block + "attn_norm.weight", embedding);
        vector(block + "ffn_norm.weight", embedding);
        matrix(block + "attn_q.weight", embedding, query);
        matrix(block + "attn_k.weight", embedding, kv);
        matrix(block + "attn_v.weight", embedding, kv);
        matrix(block + "attn_output.weight", query, embedding);
        matrix(block + "ffn_gate.weight", embedding, m_shape.feedForward);
        matrix(block + "ffn_up.weight", embedding, m_shape.feedForward);
        matrix(block + "ffn_down.weight", m_shape.feedForward, embedding);
        if (!m_shape.gemma) return;
        vector(block + "post_attention_norm.weight", embedding);
        vector(block + "post_ffw_norm.weight", embedding);
        vector(block + "attn_q_norm.weight", m_shape.headDim);
        vector(block + "attn_k_norm.weight", m_shape.headDim);
    }

    GgufWriter writer(uint32_t part) const {
        GgufWriter writer;
        if (part != 1)
            for (const auto& add : m_keys) add(writer);
        if (part < 2) {
            writer.add("split.no", part);
            writer.add("split.count", uint32_t(2));
            writer.add("split.tensors.count", static_cast<int32_t>(m_tensors.size()));
        }
        for (size_t i = 0; i < m_tensors.size(); ++i)
            if (part == 2 || i % 2 == part)
                if (!writer.declareTensor(m_tensors[i].name, m_tensors[i].type, m_tensors[i].shape)) throw std::runtime_error("a wrong head");
        return writer;
    }

    HeadShape m_shape;
    std::vector<std::function<void(GgufWriter&)>> m_keys;
    std::vector<Tensor> m_tensors;
};

} // namespace steelyard
