// Reads an architecture's keys ("llama.block_count") with their ranges checked, for the architecture files.
//
// The first problem sticks and is returned by finish(); reading goes on with harmless values meanwhile, so that an
// architecture file is a list of what it wants and not of checks.
#pragma once

#include "engine/format/gguf_file.h"
#include "engine/model/model_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

class SpecReader {
public:
    // Keys are looked up as "<architecture>.<key>".
    SpecReader(const GgufFile& file, std::string architecture);

    const GgufFile& file() const { return m_file; }
    bool has(std::string_view key) const;
    bool hasTensor(std::string_view name) const { return m_file.findTensor(name) != nullptr; }

    // A count in [1, limit], or in [0, limit] where the fallback is 0; `fallback` when absent, a problem when absent without one.
    uint32_t count(std::string_view key, uint32_t limit, std::optional<uint32_t> fallback = {});
    // One value per layer from a scalar or an array of that length.
    std::vector<uint32_t> countPerLayer(std::string_view key, uint32_t layers, uint32_t limit, std::optional<uint32_t> fallback = {});
    // A finite number in [low, high]; `fallback` when absent, a problem when absent without one.
    float real(std::string_view key, float low, float high, std::optional<float> fallback = {});
    // The same for one layer, from a number or an array of at least as many as layers.
    float realOfLayer(std::string_view key, uint32_t layer, float low, float high, std::optional<float> fallback = {});
    std::string text(std::string_view key, std::string fallback);
    bool flag(std::string_view key, bool fallback);
    // Which layers have a sliding window: from a per-layer array, or from a period n (every n-th layer is full).
    std::vector<bool> windowPattern(std::string_view key, uint32_t layers, uint32_t defaultPeriod);

    // What nearly every architecture shares, by keys and by the tensors that are there: sizes, norms, attention with its
    // biases and head norms, feed-forward or experts, rope with its scaling, tied output (spec_reader_layers.cpp).
    // `kind` is the kind of the norms.
    ModelSpec common(ops::RotaryMode mode, NormKind kind = NormKind::Rms);
    // The routing keys of mixtures of experts, for all layers that have experts; `normalise` and `function` hold where the
    // file does not say.
    void experts(ModelSpec& spec, bool normalise, ops::RouteFunction function = ops::RouteFunction::Softmax);
    // Sliding windows for the layers that the pattern names, with their own rope base.
    void windows(ModelSpec& spec, std::string_view patternKey, uint32_t defaultPeriod, uint32_t defaultWindow);

    // Rope of the keys "rope.*", for heads of a size; `base` where it is not that of the keys.
    RopeSpec rope(ops::RotaryMode mode, uint32_t headDim, std::optional<float> base = {});

    // The rows, or the values of a row, of a layer's tensor; 0 when it is absent or larger than `limit` (then a problem).
    uint32_t tensorRows(uint32_t layer, std::string_view name, uint32_t limit);
    uint32_t tensorColumns(uint32_t layer, std::string_view name, uint32_t limit);
    bool hasLayerTensor(uint32_t layer, std::string_view name) const;

    // Notes a problem unless there is one already; the sentence names key and value.
    void problem(std::string sentence);
    // The spec, or the first problem.
    Result<ModelSpec> finish(ModelSpec spec) const;

private:
    std::optional<NormSpec> normOf(uint32_t layer, std::string_view name) const;
    std::optional<HeadNormSpec> headNormsOf(uint32_t layer, const AttentionSpec& attention) const;
    void attentionOf(LayerSpec& layer, uint32_t index, uint32_t heads, uint32_t kvHeads, uint32_t headDimK, uint32_t headDimV);
    void feedForwardOf(LayerSpec& layer, uint32_t index, uint32_t length);
    void checkFactors(const std::string& name);
    void checkLayerNumbers(uint32_t blocks);
    bool isRecurrent(uint32_t layer) const;
    bool anyRecurrentLayer(uint32_t layers) const;
    bool hasAttention(uint32_t layer) const;
    void checkLayers(const ModelSpec& spec);
    std::string fullKey(std::string_view key) const { return m_architecture + "." + std::string(key); }
    uint64_t unsignedOr(std::string_view key, std::optional<uint64_t> fallback);

    const GgufFile& m_file;
    std::string m_architecture;
    std::string m_problem;
    bool m_predicts = false; // the last layer is a predictor
};

} // namespace steelyard
