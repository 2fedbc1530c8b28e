#include "engine/model/blocks/block.h"

#include <algorithm>

namespace steelyard {

PreparedInput prepare(const StepContext& step, uint64_t x, uint32_t rows, std::initializer_list<const Matrix*> readers) {
    PreparedInput input;
    input.values = x;
    uint32_t planes = 0;
    for (const Matrix* matrix : readers) {
        if (matrix->rows == 0) continue;
        input.columns = matrix->columns;
        planes = std::max(planes, ops::planesOf(step.device.activationFor(matrix->type)));
    }
    if (planes == 0) return input;
    input.codes = step.at.codes;
    input.scales = step.at.scales;
    input.sums = step.at.sums;
    step.device.run(ops::QuantizeRows{x, input.codes, input.scales, input.sums, rows, input.columns, planes, 0});
    return input;
}

namespace {

// A product with a matrix: what products of all kinds say of their weight and input.
template <class Op>
Op productOf(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint64_t y) {
    Op op{};
    op.weight = matrix.address;
    op.activation = step.device.activationFor(matrix.type);
    const bool quantized = ops::planesOf(op.activation) > 0;
    op.x = quantized ? input.codes : input.values;
    op.xScales = quantized ? input.scales : 0;
    op.xSums = quantized ? input.sums : 0;
    op.y = y;
    op.rows = rows;
    op.outputs = matrix.rows;
    op.depth = matrix.columns;
    op.type = static_cast<uint32_t>(matrix.type);
    op.layout = matrix.layout;
    return op;
}

} // namespace

void linear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint64_t y,
            LinearExtras extras) {
    auto op = productOf<ops::MatMul>(step, input, matrix, rows, y);
    op.bias = extras.bias;
    op.residual = extras.residual;
    step.device.run(op);
}

void expertLinear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint32_t slots, uint64_t y,
                  ExpertExtras extras) {
    auto op = productOf<ops::ExpertMatMul>(step, input, matrix, rows, y);
    op.ids = extras.ids;
    op.bias = extras.bias;
    op.expertStride = matrix.expertStride;
    op.slots = slots;
    op.inputSlots = extras.inputSlots;
    op.experts = matrix.experts;
    op.yStride = extras.yStride ? extras.yStride : matrix.rows;
    step.device.run(op);
}

void norm(const StepContext& step, const NormWeights& weights, uint64_t x, uint32_t rows, uint32_t columns, uint64_t y) {
    if (step.spec.normKind == NormKind::Rms) {
        rmsNorm(step, weights.weight, x, rows, columns, y);
        if (weights.bias.address == 0) return;
        step.device.run(ops::Add{y, weights.bias.address, y, rows, columns, columns, 0, columns, 1.0f, 1.0f, 0});
        return;
    }
    step.device.run(ops::LayerNorm{x, weights.weight.address, weights.bias.address, y, rows, columns, 1, step.spec.normEpsilon});
}

void rmsNorm(const StepContext& step, const Vector& weight, uint64_t x, uint32_t rows, uint32_t columns, uint64_t y) {
    step.device.run(ops::rmsNormOf(x, weight.address, y, rows, columns, step.spec.normEpsilon));
}

void activate(const StepContext& step, const ActivationSpec& spec, uint64_t gate, uint64_t up, uint64_t y, uint32_t rows, uint32_t columns) {
    auto op = ops::gatedActivationOf(gate, up, y, rows, columns, spec.function);
    op.slope = spec.slope;
    op.limit = spec.limit;
    op.upOffset = spec.upOffset;
    step.device.run(op);
}

void lookUp(const StepContext& step, const Matrix& table, uint64_t ids, uint32_t rows, uint32_t tableRows, float scale, uint64_t y) {
    ops::GetRows op{};
    op.table = table.address;
    op.ids = ids;
    op.y = y;
    op.rows = rows;
    op.columns = table.columns;
    op.tableRows = tableRows;
    op.type = static_cast<uint32_t>(table.type);
    op.scale = scale;
    op.layout = table.layout;
    step.device.run(op);
}

void rotate(const StepContext& step, const RopeSpec& rope, uint64_t x, uint32_t heads, uint32_t stride, RotateExtras extras) {
    ops::Rotary op = rotaryOf(rope);
    op.x = x;
    op.positions = step.data.positions;
    op.rows = step.rows;
    op.heads = heads;
    op.headDim = stride;
    op.direction = extras.back ? -1.0f : 1.0f;
    op.ratio = extras.ratio;
    if (rope.factors == RopeFactors::Plain) op.factors = step.weights.ropeFactors.address;
    if (rope.factors == RopeFactors::LongOrShort) op.factors = (step.longFactors ? step.weights.ropeLong : step.weights.ropeShort).address;
    step.device.run(op);
}

} // namespace steelyard
