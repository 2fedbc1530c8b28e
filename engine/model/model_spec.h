// The declaration of a model: everything that the transformer needs to know to run it, as plain data.
//
// An architecture (model/architectures/<name>.cpp) turns a file's metadata into a ModelSpec and does no arithmetic of the
// forward pass; transformer.cpp runs any spec and knows no architecture. Tensor names are GGUF's. A layer is a mixer
// (attention, a recurrent part, or both side by side) and a feed-forward, each optional; what a layer lacks is an empty
// optional, never a special value.
#pragma once

#include "engine/cache/cache_layout.h"
#include "engine/model/attention_spec.h"
#include "engine/model/feed_forward_spec.h"
#include "engine/model/recurrent_spec.h"
#include "kernels/ops/hyper_read.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

enum class NormKind { Rms, Layer };

// A norm of the residual stream: which tensor, and what it is.
struct NormSpec {
    std::string tensor;     // "attn_norm", without the layer's prefix
    bool bias = false;
    bool weightless = false; // no tensor at all: divides by the size only
    bool bare = false;       // the tensor's name has no suffix ".weight"
};

struct LayerSpec {
    std::optional<NormSpec> inputNorm;       // before the mixer; without one the mixer reads the residual stream itself
    std::optional<NormSpec> mixerPostNorm;   // of the mixer's output, before it is added
    std::optional<NormSpec> feedForwardNorm; // before the feed-forward
    std::optional<NormSpec> feedForwardPostNorm;
    std::optional<AttentionSpec> attention;
    std::optional<RecurrentSpec> recurrent;  // beside attention where both are there: they read the same and are added
    std::optional<FeedForwardSpec> feedForward;
    // The feed-forward reads what inputNorm gave, beside the mixer, unless it has a norm of its own.
    bool parallel = false;
    // The mixer's own norm where inputNorm is the feed-forward's (Falcon 40B); only with `parallel`.
    std::optional<NormSpec> mixerNorm;
    bool outputScale = false;                // a factor for the whole layer (Gemma 4): layer_output_scale
    uint32_t perLayerInput = 0;              // width of an embedding of its own for this layer (Gemma 4), or 0
};

using ops::kMaxStreams;

// Several residual streams, which every part of a layer reads and feeds through gates (kernels/ops/hyper_read.h).
struct HyperSpec {
    uint32_t streams = 0;
    uint32_t iterations = 1; // that make the mixing matrix doubly stochastic
    float epsilon = 1e-6f;
};

// A layer behind the others that predicts the token after the next one (multi-token prediction; DeepSeek-V3 report, section 2.2):
// from the model's normed last hidden state at a position and the embedding of the token at the next.
struct PredictorSpec {
    LayerSpec layer;
    uint32_t block = 0;                                    // its number in the file
    bool ownTable = false, ownOutput = false, ownNorm = false; // else those of the model
};

struct ModelSpec {
    std::string architecture;
    uint32_t vocabulary = 0, embedding = 0, trainedContext = 0;
    uint32_t originalContext = 0;    // sequences of more tokens turn by the long rope factors; 0 = none do
    NormKind normKind = NormKind::Rms;
    float normEpsilon = 1e-5f;
    float embeddingScale = 1.0f;
    float residualScale = 1.0f;      // of what mixer and feed-forward add
    float logitScale = 1.0f;
    float logitSoftCap = 0.0f;       // 0 = none
    bool tiedOutput = false;         // no output.weight: the embedding table serves
    bool outputBias = false;
    bool positionTable = false;      // learned positions (GPT-2): position_embd
    std::optional<NormSpec> embeddingNorm;
    std::optional<NormSpec> outputNorm = NormSpec{"output_norm"};
    bool causal = true;              // false: every token sees all of the step (diffusion models)
    std::optional<HyperSpec> hyper; // one residual stream without
    std::vector<LayerSpec> layers;
    std::optional<PredictorSpec> predictor;

    // Of a predictor's own spec (predictorOf): reads given hidden states beside its tokens.
    bool predicts = false;
    uint32_t firstBlock = 0;                // the number of its first layer in the file
    std::string tableTensor = "token_embd", outputTensor = "output"; // without ".weight"

    // One per layer (layers without a cache of their own have no heads), then those of compressed keys: for each layer that has
    // them its keys and, if it chooses among them, its index keys.
    std::vector<CacheLayer> cacheLayers() const;
    // Where a layer's compressed keys are among cacheLayers().
    uint32_t compressedLayer(uint32_t layer) const;
    // Bytes that one sequence keeps of a layer beside its cache: of the recurrent part, or the keys that are not compressed yet.
    uint64_t layerStateBytes(uint32_t layer) const;
    // Whether sequences of so many tokens turn by the long factors. What was computed with the others is of no use then.
    bool takesLongFactors(uint32_t tokens) const;
};

// The predictor as a model of one layer, which shares what the file's model shares with it.
ModelSpec predictorOf(const ModelSpec& spec);

} // namespace steelyard
