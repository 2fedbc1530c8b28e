// The flow of a layer whose residual stream is several (kernels/ops/hyper_read.h): each part reads a mixture of them and feeds
// its output to all.
#include "engine/model/blocks/block.h"

namespace steelyard {

namespace {

// mixes [rows, gates] = the matrix times the streams, normed together without weights.
void mixStreams(const StepContext& step, const HyperWeights& weights, uint64_t streams, uint64_t normed, uint64_t mixes, uint32_t rows) {
    const uint32_t columns = step.spec.hyper->streams * step.spec.embedding;
    rmsNorm(step, {}, streams, rows, columns, normed);
    linear(step, prepare(step, normed, rows, {&weights.mix}), weights.mix, rows, mixes);
}

ops::HyperRead readOf(const StepContext& step, const HyperWeights& weights, uint32_t rows) {
    ops::HyperRead op{};
    op.scale = weights.scale.address;
    op.base = weights.base.address;
    op.rows = rows;
    op.columns = step.spec.embedding;
    op.streams = step.spec.hyper->streams;
    op.iterations = step.spec.hyper->iterations;
    op.epsilon = step.spec.hyper->epsilon;
    return op;
}

// step.at.normed = the norm of what a part reads; its gates stay in step.at.hyperGates.
void readPart(const StepContext& step, const HyperWeights& weights, const NormWeights& normWeights) {
    mixStreams(step, weights, step.at.streams, step.at.streamsNormed, step.at.mixes, step.rows);
    auto op = readOf(step, weights, step.rows);
    op.stream = step.at.streams;
    op.mixes = step.at.mixes;
    op.y = step.at.hidden;
    op.gates = step.at.hyperGates;
    step.device.run(op);
    norm(step, normWeights, step.at.hidden, step.rows, step.spec.embedding, step.at.normed);
}

// The streams mix, and step.at.branch goes to each.
void feedStreams(const StepContext& step) {
    step.device.run(ops::HyperWrite{step.at.branch, step.at.hyperGates, step.at.streams, step.rows, step.spec.embedding, step.spec.hyper->streams, 0});
}

} // namespace

void beginStreams(const StepContext& step) {
    const uint32_t columns = step.spec.embedding, all = step.spec.hyper->streams * columns;
    for (uint32_t stream = 0; stream < step.spec.hyper->streams; ++stream)
        step.device.run(ops::Add{step.at.hidden, 0, step.at.streams + uint64_t(stream) * columns * sizeof(float), step.rows, columns, columns, 0, all,
                                 1.0f, 0.0f, 0});
}

void runHyperLayer(const StepContext& step, const LayerSpec& spec, const LayerWeights& weights, uint32_t layer) {
    const Sink sink{step.at.branch, 0};
    readPart(step, weights.hyperMixer, weights.inputNorm);
    sharedKeyAttentionBlock(step, *spec.attention, weights.attention, layer, step.at.normed, sink);
    feedStreams(step);
    readPart(step, weights.hyperFeedForward, weights.feedForwardNorm);
    expertsBlock(step, *spec.feedForward, weights.feedForward, step.at.normed, sink);
    feedStreams(step);
}

void readStreams(const StepContext& step, uint32_t outputs) {
    const uint32_t columns = step.spec.hyper->streams * step.spec.embedding;
    Matrix streams;
    streams.address = step.at.streams;
    streams.columns = columns;
    lookUp(step, streams, step.data.outputRows, outputs, step.rows, 1.0f, step.at.outputStreams);
    const uint64_t normed = step.at.outputStreams + uint64_t(outputs) * columns * sizeof(float);
    mixStreams(step, step.weights.hyperHead, step.at.outputStreams, normed, step.at.outputMixes, outputs);
    auto op = readOf(step, step.weights.hyperHead, outputs);
    op.stream = step.at.outputStreams;
    op.mixes = step.at.outputMixes;
    op.y = step.at.outputHidden;
    step.device.run(op);
}

} // namespace steelyard
