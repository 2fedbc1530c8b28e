#include "engine/model/model_spec.h"

#include "kernels/ops/compress_keys.h"

namespace steelyard {

namespace {

const CompressionSpec* compressionOf(const LayerSpec& layer) {
    if (!layer.attention || !layer.attention->sharedKey || !layer.attention->sharedKey->compression) return nullptr;
    return &*layer.attention->sharedKey->compression;
}

} // namespace

CompressionState compressionState(const CompressionSpec& spec, uint32_t headDim) {
    CompressionState state;
    state.keys = ops::compressState(headDim, spec.ratio, spec.overlap);
    if (spec.index) state.index = ops::compressState(spec.index->dim, spec.ratio, spec.overlap);
    return state;
}

std::vector<CacheLayer> ModelSpec::cacheLayers() const {
    std::vector<CacheLayer> result, compressed;
    for (const auto& layer : layers) {
        const auto& attention = layer.attention;
        if (!attention || attention->cacheOf) {
            result.push_back({});
            continue;
        }
        // What left the window, or lies before the chunk, is never looked at again.
        const uint32_t window = attention->window ? attention->window : attention->chunk;
        result.push_back({attention->kvHeads, attention->headDimK, attention->valuesInKeys() ? 0 : attention->headDimV, window});
        const auto* compression = compressionOf(layer);
        if (!compression) continue;
        compressed.push_back({1, attention->headDimK, 0, 0, compression->ratio});
        if (compression->index) compressed.push_back({1, compression->index->dim, 0, 0, compression->ratio});
    }
    result.insert(result.end(), compressed.begin(), compressed.end());
    return result;
}

uint32_t ModelSpec::compressedLayer(uint32_t layer) const {
    auto place = static_cast<uint32_t>(layers.size());
    for (uint32_t before = 0; before < layer; ++before)
        if (const auto* compression = compressionOf(layers[before])) place += compression->index ? 2 : 1;
    return place;
}

uint64_t ModelSpec::layerStateBytes(uint32_t layer) const {
    uint64_t bytes = layers[layer].recurrent ? stateSize(*layers[layer].recurrent).bytes() : 0;
    if (const auto* compression = compressionOf(layers[layer])) bytes += compressionState(*compression, layers[layer].attention->headDimK).bytes();
    return bytes;
}

bool ModelSpec::takesLongFactors(uint32_t tokens) const {
    if (originalContext == 0 || tokens <= originalContext) return false;
    for (const auto& layer : layers)
        if (layer.attention && layer.attention->rope && layer.attention->rope->factors == RopeFactors::LongOrShort) return true;
    return false;
}

ModelSpec predictorOf(const ModelSpec& spec) {
    ModelSpec own = spec;
    const PredictorSpec& predictor = *spec.predictor;
    const std::string prefix = "blk." + std::to_string(predictor.block) + ".nextn.";
    own.predictor.reset();
    own.layers = {predictor.layer};
    own.predicts = true;
    own.firstBlock = predictor.block;
    if (predictor.ownTable) own.tableTensor = prefix + "embed_tokens";
    if (predictor.ownOutput) {
        own.outputTensor = prefix + "shared_head_head";
        own.tiedOutput = false;
        own.outputBias = false;
    }
    if (predictor.ownNorm) own.outputNorm = NormSpec{prefix + "shared_head_norm"};
    return own;
}

} // namespace steelyard
