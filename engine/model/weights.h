// A model's tensors on a device.
//
// `weightSlots` says which tensors a spec wants, with their shapes: the loader checks the file against it, the memory plan
// adds it up. Matrices keep their quantization, in the layout that the device asks for; on the processor they are used
// where the file is mapped, without a copy. Norms and biases become float32 in one buffer.
#pragma once

#include "engine/backend/backend.h"
#include "engine/format/gguf_file.h"
#include "engine/model/model_spec.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace steelyard {

// A weight matrix [rows, columns] on the device.
struct Matrix {
    uint64_t address = 0;
    TensorType type = TensorType::F32;
    uint32_t layout = 0;
    uint32_t rows = 0, columns = 0;
};

// A float vector on the device; address 0 when the model has none.
struct Vector {
    uint64_t address = 0;
    uint32_t length = 0;
};

struct LayerWeights {
    Vector attentionNorm, queryNorm, keyNorm, attentionPostNorm, feedForwardNorm, feedForwardPostNorm;
    Vector queryBias, keyBias, valueBias, outputBias, gateBias, upBias, downBias;
    Matrix query, key, value, output, gate, up, down;
};

struct ModelWeights {
    Matrix table, output;   // token embedding (layout 0) and the head
    Vector outputNorm, ropeFactors;
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

struct WeightSlot {
    std::string name;
    uint32_t rows = 1, columns = 0; // shape in the file: [rows, columns]
    WeightUse use = WeightUse::Matrix;
    Matrix* matrix = nullptr;       // where it goes; one of the two
    Vector* vector = nullptr;
};

// The tensors of a spec, pointing into `weights` (whose layers are sized here). A tied head appears as "token_embd.weight"
// a second time, with use Matrix.
std::vector<WeightSlot> weightSlots(const ModelSpec& spec, ModelWeights& weights);

// Bytes that the weights take on a device; the error names a tensor that is missing, has the wrong shape, or whose type the
// device cannot compute with.
struct WeightSize {
    uint64_t allocatedBytes = 0, mappedBytes = 0;
    uint64_t totalBytes() const { return allocatedBytes + mappedBytes; }
};
Result<WeightSize> weightSize(const ModelSpec& spec, const GgufFile& file, const Device& device);

// Loads all tensors. `progress` gets fractions in [0, 1]; `cancelled` is read between pieces and ends the load with an
// error. Any thread.
Result<std::unique_ptr<ModelWeights>> loadWeights(const ModelSpec& spec, const GgufFile& file, Device& device,
                                                  const std::function<void(float)>& progress,
                                                  const std::atomic<bool>& cancelled);

} // namespace steelyard
