// The recurrent parts: what they do around their scans (kernels/ops/causal_conv.h, ssm_scan.h, delta_rule.h).
#include "engine/model/blocks/block.h"

#include <cmath>

namespace steelyard {

namespace {

// y [R, channels] = f(convolution of x), with its state `stateOffset` floats into the layer's.
void convolve(const StepContext& step, uint32_t layer, uint64_t x, const Vector& weight, const Vector& bias, uint64_t y, uint32_t channels,
              uint32_t width, uint64_t stateOffset, ops::GateFunction function) {
    ops::CausalConv op{};
    op.x = x;
    op.weight = weight.address;
    op.bias = bias.address;
    op.y = y;
    op.state = step.state(layer) + stateOffset * sizeof(float);
    op.runs = step.data.runs;
    op.stateStride = step.stateStride();
    op.sequences = step.shape.maxSequences;
    op.channels = channels;
    op.width = width;
    op.xStride = channels;
    op.function = function;
    step.device.run(op);
}

void giveOut(const StepContext& step, const Matrix& output, uint64_t x, Sink sink) {
    linear(step, prepare(step, x, step.rows, {&output}), output, step.rows, sink.y, {0, sink.residual});
}

// q, k [R, heads, dim] get length one.
void normaliseHeads(const StepContext& step, uint64_t x, uint32_t heads, uint32_t dim) {
    auto op = ops::rmsNormOf(x, 0, x, step.rows * heads, dim, step.spec.normEpsilon / static_cast<float>(dim));
    op.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    step.device.run(op);
}

// Projections, convolutions and step sizes of the delta rule: query, key, value, and routed [R, heads] of decay, then of beta.
void deltaInputs(const StepContext& step, const DeltaSpec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input) {
    const uint32_t rows = step.rows, keys = spec.keys(), values = spec.values(), history = spec.convWidth - 1;
    const auto x = prepare(step, input, rows, {&weights.query, &weights.key, &weights.value, &weights.gate, &weights.decay, &weights.beta});
    const auto part = [&](const Matrix& matrix, const Vector& conv, uint64_t y, uint32_t channels, uint64_t offset) {
        linear(step, x, matrix, rows, step.at.scratch[0]);
        convolve(step, layer, step.at.scratch[0], conv, {}, y, channels, spec.convWidth, offset, ops::GateFunction::Silu);
    };
    part(weights.query, weights.convQuery, step.at.query, keys, 0);
    part(weights.key, weights.convKey, step.at.key, keys, uint64_t(history) * keys);
    part(weights.value, weights.convValue, step.at.value, values, uint64_t(history) * keys * 2);
    normaliseHeads(step, step.at.query, spec.keyHeads, spec.headDimK);
    normaliseHeads(step, step.at.key, spec.keyHeads, spec.headDimK);
}

} // namespace

void mamba2Block(const StepContext& step, const Mamba2Spec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink) {
    const uint32_t rows = step.rows, inner = spec.inner(), channels = spec.channels();
    const uint64_t gate = step.at.scratch[2], conv = step.at.scratch[1], raw = step.at.routed;
    const auto x = prepare(step, input, rows, {&weights.gate, &weights.input, &weights.decay});
    linear(step, x, weights.gate, rows, gate);                // z [R, inner]
    linear(step, x, weights.input, rows, step.at.scratch[0]); // x, B, C [R, channels]
    linear(step, x, weights.decay, rows, raw);                // [R, heads]
    convolve(step, layer, step.at.scratch[0], weights.conv, weights.convBias, conv, channels, spec.convWidth, 0, ops::GateFunction::Silu);
    ops::SsmScan scan{};
    scan.x = conv;
    scan.b = conv + uint64_t(inner) * sizeof(float);
    scan.c = scan.b + uint64_t(spec.groups) * spec.stateDim * sizeof(float);
    scan.dtRaw = raw;
    scan.dtBias = weights.decayBias.address;
    scan.a = weights.a.address;
    scan.d = weights.d.address;
    scan.y = step.at.attended;
    scan.state = step.state(layer) + stateSize(spec).conv * sizeof(float);
    scan.runs = step.data.runs;
    scan.stateStride = step.stateStride();
    scan.sequences = step.shape.maxSequences;
    scan.stride = channels;
    scan.heads = static_cast<uint16_t>(spec.heads);
    scan.groups = static_cast<uint16_t>(spec.groups);
    scan.headDim = spec.headDim;
    scan.stateDim = spec.stateDim;
    step.device.run(scan);
    activate(step, {}, gate, step.at.attended, step.at.attended, rows, inner);
    if (spec.norm) {
        auto op = ops::rmsNormOf(step.at.attended, weights.norm.address, step.at.attended, rows * spec.groups, inner / spec.groups, step.spec.normEpsilon);
        op.weightRows = spec.groups;
        step.device.run(op);
    }
    giveOut(step, weights.output, step.at.attended, sink);
}

void shortConvBlock(const StepContext& step, const ShortConvSpec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink) {
    const uint32_t rows = step.rows, channels = spec.channels;
    const ActivationSpec product{ops::GateFunction::Identity};
    const auto x = prepare(step, input, rows, {&weights.inputGate, &weights.gate, &weights.inputValue});
    linear(step, x, weights.inputGate, rows, step.at.scratch[0]);
    linear(step, x, weights.gate, rows, step.at.scratch[1]);
    linear(step, x, weights.inputValue, rows, step.at.scratch[2]);
    activate(step, product, step.at.scratch[0], step.at.scratch[2], step.at.scratch[0], rows, channels);
    convolve(step, layer, step.at.scratch[0], weights.conv, {}, step.at.attended, channels, spec.width, 0, ops::GateFunction::Identity);
    activate(step, product, step.at.scratch[1], step.at.attended, step.at.attended, rows, channels);
    giveOut(step, weights.output, step.at.attended, sink);
}

void deltaBlock(const StepContext& step, const DeltaSpec& spec, const RecurrentWeights& weights, uint32_t layer, uint64_t input, Sink sink) {
    const bool kimi = spec.form == DeltaSpec::Form::Kimi;
    const uint32_t rows = step.rows, heads = spec.valueHeads, values = spec.values(), gates = kimi ? spec.keys() : heads;
    deltaInputs(step, spec, weights, layer, input);
    const uint64_t beta = step.at.routed, decay = kimi ? step.at.scratch[2] : beta + uint64_t(rows) * heads * sizeof(float);
    const auto x = prepare(step, input, rows, {&weights.beta, &weights.decay, &weights.gate});
    linear(step, x, weights.beta, rows, beta);
    activate(step, {ops::GateFunction::Sigmoid}, beta, 0, beta, rows, heads);
    if (kimi) {
        linear(step, x, weights.decay, rows, step.at.scratch[0]);
        linear(step, prepare(step, step.at.scratch[0], rows, {&weights.decayUp}), weights.decayUp, rows, decay, {weights.decayBias.address, 0});
    } else {
        linear(step, x, weights.decay, rows, decay, {weights.decayBias.address, 0});
    }
    auto gate = ops::gatedActivationOf(decay, weights.a.address, decay, rows, gates, ops::GateFunction::Softplus);
    gate.upStride = 0;
    step.device.run(gate); // a * softplus(decay)
    ops::DeltaRule op{};
    op.q = step.at.query;
    op.k = step.at.key;
    op.v = step.at.value;
    op.gate = decay;
    op.beta = beta;
    op.y = step.at.attended;
    op.state = step.state(layer) + stateSize(spec).conv * sizeof(float);
    op.runs = step.data.runs;
    op.stateStride = step.stateStride();
    op.sequences = step.shape.maxSequences;
    op.keyHeads = spec.keyHeads;
    op.valueHeads = heads;
    op.headDimK = spec.headDimK;
    op.headDimV = spec.headDimV;
    op.gateColumns = gates / heads;
    op.tiled = spec.form == DeltaSpec::Form::Qwen35;
    op.scale = 1.0f / std::sqrt(static_cast<float>(spec.headDimK));
    step.device.run(op);
    uint64_t outputGate = step.at.scratch[0];
    linear(step, prepare(step, input, rows, {&weights.gate}), weights.gate, rows, outputGate);
    if (kimi) {
        linear(step, prepare(step, outputGate, rows, {&weights.gateUp}), weights.gateUp, rows, step.at.scratch[1]);
        outputGate = step.at.scratch[1];
    }
    rmsNorm(step, weights.norm, step.at.attended, rows * heads, spec.headDimV, step.at.attended);
    activate(step, {kimi ? ops::GateFunction::Sigmoid : ops::GateFunction::Silu}, outputGate, step.at.attended, step.at.attended, rows, values);
    giveOut(step, weights.output, step.at.attended, sink);
}

void recurrentBlock(const StepContext& step, const RecurrentSpec& spec, const RecurrentWeights& weights, uint32_t layer,
                    uint64_t input, Sink sink) {
    if (const auto* mamba = std::get_if<Mamba2Spec>(&spec)) mamba2Block(step, *mamba, weights, layer, input, sink);
    else if (const auto* conv = std::get_if<ShortConvSpec>(&spec)) shortConvBlock(step, *conv, weights, layer, input, sink);
    else deltaBlock(step, std::get<DeltaSpec>(spec), weights, layer, input, sink);
}

} // namespace steelyard
