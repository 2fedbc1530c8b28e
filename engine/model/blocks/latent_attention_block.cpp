// Latent attention with the expanding matrices absorbed: each head queries the shared vector itself, so that the cache holds
// rank + rotatedDim values per token and layer whatever the number of heads. Source: DeepSeek-AI, "DeepSeek-V2", section 2.1.
#include "engine/model/blocks/block.h"

namespace steelyard {

namespace {

// query [R, heads, rank + rotatedDim]: the plain part through keyUp, the rotated part copied behind it.
void makeQueries(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint64_t input) {
    const auto& latent = *spec.latent;
    const uint32_t rows = step.rows, heads = spec.heads, width = spec.headDimK;
    const uint64_t plain = step.at.scratch[1], rotated = step.at.scratch[2];
    if (latent.queryRank) {
        linear(step, prepare(step, input, rows, {&weights.queryDown}), weights.queryDown, rows, step.at.scratch[0]);
        rmsNorm(step, weights.queryDownNorm, step.at.scratch[0], rows, latent.queryRank, step.at.scratch[0]);
        input = step.at.scratch[0];
    }
    const auto x = prepare(step, input, rows, {&weights.queryPlain, &weights.queryRotated});
    linear(step, x, weights.queryPlain, rows, plain);     // [R, heads, plainDim]
    linear(step, x, weights.queryRotated, rows, rotated); // [R, heads, rotatedDim]
    const auto parts = prepare(step, plain, rows * heads, {&weights.keyUp});
    expertLinear(step, parts, weights.keyUp, rows, heads, step.at.query, {0, 0, heads, width});
    const uint64_t turned = step.at.query + uint64_t(latent.rank) * sizeof(float);
    const uint32_t dim = latent.rotatedDim;
    step.device.run(ops::Add{rotated, 0, turned, rows * heads, dim, dim, 0, width, 1.0f, 0.0f, 0});
    if (spec.rope) rotate(step, *spec.rope, turned, heads, width);
}

} // namespace

void latentAttentionBlock(const StepContext& step, const AttentionSpec& spec, const AttentionWeights& weights, uint32_t layer,
                          uint64_t input, Sink sink) {
    const auto& latent = *spec.latent;
    const uint32_t rows = step.rows, width = spec.headDimK;
    linear(step, prepare(step, input, rows, {&weights.keyValueDown}), weights.keyValueDown, rows, step.at.key); // [R, rank + rotatedDim]
    auto shared = ops::rmsNormOf(step.at.key, weights.keyValueNorm.address, step.at.key, rows, latent.rank, step.spec.normEpsilon);
    shared.xStride = shared.yStride = width;
    step.device.run(shared);
    if (spec.rope) rotate(step, *spec.rope, step.at.key + uint64_t(latent.rank) * sizeof(float), 1, width);
    makeQueries(step, spec, weights, input);
    storeKeys(step, spec, layer, step.at.key, 0);
    attend(step, spec, layer, 0); // [R, heads, rank]
    const auto attended = prepare(step, step.at.attended, rows * spec.heads, {&weights.valueUp});
    expertLinear(step, attended, weights.valueUp, rows, spec.heads, step.at.scratch[0], {0, 0, spec.heads, 0}); // [R, heads, valueDim]
    linear(step, prepare(step, step.at.scratch[0], rows, {&weights.output}), weights.output, rows, sink.y, {0, sink.residual});
}

} // namespace steelyard
