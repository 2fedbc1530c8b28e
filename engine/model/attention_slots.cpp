#include "engine/model/weight_slots.h"

#include "kernels/ops/compress_keys.h"

namespace steelyard {

namespace {

void latentSlots(SlotList& list, uint32_t embedding, const AttentionSpec& spec, AttentionWeights& weights) {
    const auto& latent = *spec.latent;
    const uint32_t headDim = latent.plainDim + latent.rotatedDim;
    const RowSelection plain{0, latent.plainDim, headDim}, rotated{latent.plainDim, latent.rotatedDim, headDim};
    const std::string name = latent.queryRank ? "attn_q_b" : "attn_q";
    const uint32_t input = latent.queryRank ? latent.queryRank : embedding;
    if (latent.queryRank) {
        list.matrix("attn_q_a", weights.queryDown, latent.queryRank, embedding);
        list.vector("attn_q_a_norm.weight", weights.queryDownNorm, latent.queryRank);
    }
    list.matrix(name, weights.queryPlain, spec.heads * latent.plainDim, input, plain);
    list.matrix(name, weights.queryRotated, spec.heads * latent.rotatedDim, input, rotated);
    list.matrix("attn_kv_a_mqa", weights.keyValueDown, latent.rank + latent.rotatedDim, embedding);
    list.vector("attn_kv_a_norm.weight", weights.keyValueNorm, latent.rank);
    list.matrix("attn_k_b", weights.keyUp, latent.rank, latent.plainDim, {}, spec.heads);
    list.matrix("attn_v_b", weights.valueUp, latent.valueDim, latent.rank, {}, spec.heads);
    list.matrix("attn_output", weights.output, embedding, spec.heads * latent.valueDim);
}

void sharedKeySlots(SlotList& list, uint32_t embedding, const AttentionSpec& spec, AttentionWeights& weights) {
    const auto& shared = *spec.sharedKey;
    const uint32_t dim = spec.headDimK;
    list.matrix("attn_q_a", weights.queryDown, shared.queryRank, embedding);
    list.vector("attn_q_a_norm.weight", weights.queryDownNorm, shared.queryRank);
    list.matrix("attn_q_b", weights.query, spec.heads * dim, shared.queryRank);
    list.matrix("attn_kv", weights.keyValueDown, dim, embedding);
    list.vector("attn_kv_a_norm.weight", weights.keyValueNorm, dim);
    list.matrix("attn_output_a", weights.outputDown, shared.outputRank, spec.heads / shared.outputGroups * dim, {}, shared.outputGroups);
    list.matrix("attn_output_b", weights.output, embedding, shared.outputGroups * shared.outputRank);
    if (spec.sinks) list.vector("attn_sinks.weight", weights.sinks, spec.heads);
    if (!shared.compression) return;
    const auto& compression = *shared.compression;
    const uint32_t width = ops::compressWidth(dim, compression.overlap);
    list.matrix("attn_compressor_kv", weights.compressValue, width, embedding);
    list.matrix("attn_compressor_gate", weights.compressScore, width, embedding);
    list.vector("attn_compressor_ape.weight", weights.compressBias, compression.ratio * width);
    list.vector("attn_compressor_norm.weight", weights.compressNorm, dim);
    if (!compression.index) return;
    const auto& index = *compression.index;
    const uint32_t indexWidth = ops::compressWidth(index.dim, compression.overlap);
    list.matrix("indexer_compressor_kv", weights.indexValue, indexWidth, embedding);
    list.matrix("indexer_compressor_gate", weights.indexScore, indexWidth, embedding);
    list.vector("indexer_compressor_ape.weight", weights.indexBias, compression.ratio * indexWidth);
    list.vector("indexer_compressor_norm.weight", weights.indexNorm, index.dim);
    list.matrix("indexer.attn_q_b", weights.indexQuery, index.heads * index.dim, shared.queryRank);
    list.matrix("indexer.proj", weights.indexWeight, index.heads, embedding);
}

void headNormSlots(SlotList& list, const AttentionSpec& spec, AttentionWeights& weights) {
    if (!spec.headNorms || spec.headNorms->weightless) return;
    const bool shared = spec.headNorms->scope == HeadNormScope::Shared;
    list.vector("attn_q_norm.weight", weights.queryNorm, (shared ? 1 : spec.heads) * spec.headDimK);
    if (!spec.cacheOf) list.vector("attn_k_norm.weight", weights.keyNorm, (shared ? 1 : spec.kvHeads) * spec.headDimK);
}

} // namespace

void attentionSlots(SlotList& list, uint32_t embedding, const AttentionSpec& spec, AttentionWeights& weights) {
    if (spec.latent) return latentSlots(list, embedding, spec, weights);
    if (spec.sharedKey) return sharedKeySlots(list, embedding, spec, weights);
    const uint32_t q = spec.heads * spec.headDimK, k = spec.kvHeads * spec.headDimK, v = spec.kvHeads * spec.headDimV;
    if (spec.fused) {
        const uint32_t all = q + k + v;
        list.matrix("attn_qkv", weights.query, q, embedding, {0, q, all});
        list.matrix("attn_qkv", weights.key, k, embedding, {q, k, all});
        list.matrix("attn_qkv", weights.value, v, embedding, {q + k, v, all});
        if (spec.queryBias) {
            list.vector("attn_qkv.bias", weights.queryBias, q, {0, q, all});
            list.vector("attn_qkv.bias", weights.keyBias, k, {q, k, all});
            list.vector("attn_qkv.bias", weights.valueBias, v, {q + k, v, all});
        }
    } else {
        const RowSelection head{0, spec.headDimK, 2 * spec.headDimK}, gate{spec.headDimK, spec.headDimK, 2 * spec.headDimK};
        list.matrix("attn_q", weights.query, q, embedding, spec.outputGate ? head : RowSelection{});
        if (spec.outputGate) list.matrix("attn_q", weights.gate, q, embedding, gate);
        if (spec.queryBias) list.vector("attn_q.bias", weights.queryBias, q);
        if (!spec.cacheOf) {
            list.matrix("attn_k", weights.key, k, embedding);
            if (!spec.valueFromKey) list.matrix("attn_v", weights.value, v, embedding);
            if (spec.keyBias) list.vector("attn_k.bias", weights.keyBias, k);
            if (spec.valueBias) list.vector("attn_v.bias", weights.valueBias, v);
        }
    }
    list.matrix("attn_output", weights.output, embedding, spec.heads * spec.headDimV);
    if (spec.outputBias) list.vector("attn_output.bias", weights.outputBias, embedding);
    if (spec.sinks) list.vector("attn_sinks.weight", weights.sinks, spec.heads);
    headNormSlots(list, spec, weights);
}

} // namespace steelyard
