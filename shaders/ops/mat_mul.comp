// Product of activation rows with a weight matrix (kernels/ops/mat_mul.h). A work group computes a tile of outputs for ROWS
// rows (include/product.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 1) const uint ROWS = 1;
layout(push_constant, std430) uniform Op {
    uint64_t weight, x, xScales, xSums, bias, residual, y;
    uint rows, outputs, depth, type, layout_, activation;
} op;

#include "include/product.glsl"

uint64_t weightAddress() { return op.weight; }

uint64_t activations(uint r) { return op.x + rowOffset(min(gl_WorkGroupID.y * ROWS + r, op.rows - 1u), op.depth); }

void store(uint r, uint o, float sum) {
    const uint row = gl_WorkGroupID.y * ROWS + r, index = outputIndex(o);
    if (row >= op.rows || index >= op.outputs) return;
    const uint64_t place = rowOffset(row, op.outputs) + uint64_t(index) * 4;
    if (op.bias != 0ul) sum += ReadFloats(op.bias).v[index];
    if (op.residual != 0ul) sum += ReadFloats(op.residual + place).v[0];
    Floats(op.y + place).v[0] = sum;
}

void main() { multiply(); }
