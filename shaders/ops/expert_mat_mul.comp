// Products of each row with the matrices of its experts (kernels/ops/expert_mat_mul.h). A work group computes a tile of
// outputs for one row and slot (include/product.glsl), with the sums in the order of mat_mul.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

const uint ROWS = 1u;
layout(push_constant, std430) uniform Op {
    uint64_t weight, x, xScales, xSums, ids, bias, y, expertStride;
    uint rows, slots, inputSlots, experts, outputs, depth, yStride, type, layout_, activation;
} op;

#include "include/product.glsl"

uint item() { return gl_WorkGroupID.y; } // row and slot

// The expert of the row and slot; -1 for none.
int expert() {
    const int id = op.ids == 0ul ? int(item() % op.slots) : ReadInts(op.ids).v[item()];
    return id >= 0 && uint(id) < op.experts ? id : -1;
}

uint64_t weightAddress() { return op.weight + uint64_t(uint(expert())) * op.expertStride; }

uint64_t activations(uint r) { return op.x + rowOffset(op.inputSlots == 1u ? item() / op.slots : item(), op.depth); }

void store(uint r, uint o, float sum) {
    const uint index = outputIndex(o);
    if (index >= op.outputs) return;
    const int id = expert();
    if (op.bias != 0ul && id >= 0) sum += ReadFloats(op.bias + rowOffset(uint(id), op.outputs)).v[index];
    Floats(op.y + rowOffset(item(), op.yStride)).v[index] = sum;
}

void main() {
    if (expert() < 0) {
        if (gl_LocalInvocationID.y == 0u)
            for (uint o = 0u; o < OUTPUTS; ++o) store(0u, o, 0.0);
        return;
    }
    multiply();
}
