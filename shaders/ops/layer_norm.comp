// Layer normalisation (kernels/ops/layer_norm.h). One work group per row.
//
// What the sum over a long row lost is small beside the mean but not beside the differences from it: a second sum, of the
// differences, gives it back. The variance is summed with it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t x, weight, bias, y;
    uint rows, columns, weightRows;
    float epsilon;
} op;

#include "include/reduce.glsl"

void main() {
    const uint row = workGroup();
    if (row >= op.rows) return;
    ReadFloats x = ReadFloats(op.x + rowOffset(row, op.columns));
    float sum = 0.0, rest = 0.0, squares = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) sum += x.v[i];
    const float mean = groupSum(sum) / float(op.columns);
    for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) {
        const float difference = x.v[i] - mean;
        rest += difference;
        squares = fma(difference, difference, squares);
    }
    rest = groupSum(rest) / float(op.columns);
    const float variance = max(groupSum(squares) / float(op.columns) - rest * rest, 0.0);
    const float scale = 1.0 / sqrt(variance + op.epsilon);
    ReadFloats weight = ReadFloats(op.weight + rowOffset(row % op.weightRows, op.columns));
    ReadFloats bias = ReadFloats(op.bias);
    Floats y = Floats(op.y + rowOffset(row, op.columns));
    for (uint i = gl_LocalInvocationIndex; i < op.columns; i += THREADS) {
        float value = (x.v[i] - mean - rest) * scale;
        if (op.weight != 0ul) value *= weight.v[i];
        if (op.bias != 0ul) value += bias.v[i];
        y.v[i] = value;
    }
}
