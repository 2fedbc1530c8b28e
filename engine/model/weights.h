// A model's tensors on a device.
//
// `weightSlots` says which tensors a spec wants, with their shapes: the loader checks the file against it, the memory plan
// adds it up. Matrices keep their quantization, in the layout that the device asks for; on the processor they are used
// where the file is mapped, without a copy. Norms and biases become float32 in one buffer.
#pragma once

#include "engine/backend/backend.h"
#include "engine/format/gguf_file.h"
#include "engine/model/placement.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace steelyard {

// A weight matrix [rows, columns] on the device; or `experts` of them, expertStride bytes apart.
struct Matrix {
    uint64_t address = 0;
    TensorType type = TensorType::F32;
    uint32_t layout = 0;
    uint32_t rows = 0, columns = 0;
    uint32_t experts = 1;
    uint64_t expertStride = 0;
};

// A float vector on the device; address 0 when the model has none.
struct Vector {
    uint64_t address = 0;
    uint32_t length = 0;
};

struct NormWeights {
    Vector weight, bias;
};

struct AttentionWeights {
    Matrix query, key, value, output, gate;
    Vector queryBias, keyBias, valueBias, outputBias;
    Vector queryNorm, keyNorm, sinks;
    // Latent attention: the parts of a query that do not turn and that do, the shared vector, and what expands it per head.
    Matrix queryDown, queryPlain, queryRotated, keyValueDown, keyUp, valueUp;
    Vector queryDownNorm, keyValueNorm;
    // Shared-key attention: the output's first matrix, one per group of heads; what makes compressed keys and index keys (values,
    // scores, the scores' bias, norm), and the index heads' queries and weights.
    Matrix outputDown, compressValue, compressScore, indexValue, indexScore, indexQuery, indexWeight;
    Vector compressBias, compressNorm, indexBias, indexNorm;
};

// The gates of hyper-connections: the matrix that makes them from the normed streams, and their scale and base.
struct HyperWeights {
    Matrix mix;
    Vector scale, base;
};

struct FeedForwardWeights {
    Matrix gate, up, down;
    Vector gateBias, upBias, downBias;
    Matrix router, expertGate, expertUp, expertDown, sharedGate, sharedUp, sharedDown, sharedWeight;
    Vector routerBias, choiceBias, expertGateBias, expertUpBias, expertDownBias, downScales;
    Vector routerScale, denseOutputNorm, expertsInputNorm, expertsOutputNorm; // ExpertsSpec::ownNorms
};

struct RecurrentWeights {
    Matrix gate, input, query, key, value, output; // `gate` of the output; `input` of x, B, C or of the short convolution
    Matrix decay, decayUp, beta, gateUp;           // decay: dt of Mamba 2, alpha of the delta rule; *Up: the second of two
    Matrix inputGate, inputValue;                  // of the short convolution
    Vector conv, convBias, convQuery, convKey, convValue, a, d, decayBias, norm;
};

struct LayerWeights {
    NormWeights inputNorm, mixerNorm, mixerPostNorm, feedForwardNorm, feedForwardPostNorm, perLayerNorm;
    AttentionWeights attention;
    RecurrentWeights recurrent;
    FeedForwardWeights feedForward;
    Matrix perLayerGate, perLayerProjection;
    Vector outputScale;
    HyperWeights hyperMixer, hyperFeedForward;
};

struct ModelWeights {
    Matrix table, output;   // token embedding (layout 0) and the head
    Matrix positions;       // of learned positions
    Matrix perLayerTable, perLayerProjection; // embeddings of each layer's own
    NormWeights embeddingNorm, outputNorm;
    HyperWeights hyperHead;
    Matrix predictorMix;                      // ModelSpec::predicts: of the normed embedding and the normed given state
    Vector predictorTokenNorm, predictorStateNorm;
    Vector outputBias, ropeFactors, ropeLong, ropeShort, perLayerNorm;
    std::vector<LayerWeights> layers;

    uint64_t bytes = 0;     // all weights: allocated and mapped
    uint64_t mappedBytes = 0;
    struct MappedRange {
        uint32_t part; // index into `parts`
        uint64_t offset, bytes;
    };
    std::vector<MappedRange> mappedRanges;
    std::vector<std::shared_ptr<const MappedFile>> parts; // the file's
    std::vector<Buffer> buffers;
};

enum class WeightUse { Matrix, Table, Vector };

// Which rows of a tensor a slot takes: of every `period` rows the `count` from `first` on; period 0 means all rows. So one
// tensor may hold several matrices one after the other (attn_qkv), or interleaved by head or by expert.
struct RowSelection {
    uint32_t first = 0, count = 0, period = 0;
};

struct WeightSlot {
    std::string name;
    uint32_t rows = 1, columns = 0; // of one matrix; a vector has one row
    WeightUse use = WeightUse::Matrix;
    Matrix* matrix = nullptr;       // where it goes; one of the two
    Vector* vector = nullptr;
    RowSelection selection;         // of the tensor's rows; of a vector's values
    uint32_t experts = 1;           // matrices in the tensor
    uint32_t repeat = 1;            // how often each value of a vector's tensor stands in the vector
    WeightPlace place;
    uint32_t tensorRows() const;    // that the tensor must have
};

// The tensors of a spec, pointing into `weights` (whose layers are sized here). A tied head appears as "token_embd.weight"
// a second time, with use Matrix.
std::vector<WeightSlot> weightSlots(const ModelSpec& spec, ModelWeights& weights);

// Bytes that the weights take on a device; the error names a tensor that is missing, has the wrong shape, or whose type the
// device cannot compute with.
struct WeightSize {
    std::vector<uint64_t> allocations; // in the order of a load
    uint64_t allocatedBytes = 0, mappedBytes = 0;
    uint64_t totalBytes() const { return allocatedBytes + mappedBytes; }
};
Result<WeightSize> weightSize(const ModelSpec& spec, const GgufFile& file, const Device& device, const DeviceShare& share = {});

// What one token takes of a share: of experts those that are used.
struct TokenWork {
    uint64_t bytesRead = 0; // of weights
    uint64_t products = 0;  // with weights, the head's left out: a prompt runs it once
};
TokenWork workPerToken(const ModelSpec& spec, const GgufFile& file, const DeviceShare& share);

// Loads all tensors of a share. `progress` gets fractions in [0, 1]; `cancelled` is read between pieces and ends the load with
// an error. Any thread.
Result<std::unique_ptr<ModelWeights>> loadWeights(const ModelSpec& spec, const GgufFile& file, Device& device,
                                                  const std::function<void(float)>& progress,
                                                  const std::atomic<bool>& cancelled, const DeviceShare& share = {});

} // namespace steelyard
