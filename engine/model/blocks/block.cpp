#include "engine/model/blocks/block.h"

#include <algorithm>

namespace steelyard {

PreparedInput prepare(const StepContext& step, uint64_t x, uint32_t rows, std::initializer_list<const Matrix*> readers) {
    PreparedInput input;
    input.values = x;
    uint32_t planes = 0;
    for (const Matrix* matrix : readers) {
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

void linear(const StepContext& step, const PreparedInput& input, const Matrix& matrix, uint32_t rows, uint64_t y,
            LinearExtras extras) {
    ops::MatMul op{};
    op.weight = matrix.address;
    op.activation = step.device.activationFor(matrix.type);
    const bool quantized = ops::planesOf(op.activation) > 0;
    op.x = quantized ? input.codes : input.values;
    op.xScales = quantized ? input.scales : 0;
    op.xSums = quantized ? input.sums : 0;
    op.bias = extras.bias;
    op.residual = extras.residual;
    op.y = y;
    op.rows = rows;
    op.outputs = matrix.rows;
    op.depth = matrix.columns;
    op.type = static_cast<uint32_t>(matrix.type);
    op.layout = matrix.layout;
    step.device.run(op);
}

void norm(const StepContext& step, uint64_t x, const Vector& weight, uint32_t rows, uint32_t columns, uint64_t y) {
    step.device.run(ops::rmsNormOf(x, weight.address, y, rows, columns, step.spec.normEpsilon));
}

} // namespace steelyard
