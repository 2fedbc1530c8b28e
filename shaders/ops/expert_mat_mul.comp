// Products of each row with the matrices of its experts (kernels/ops/expert_mat_mul.h). A work group computes a tile of
// outputs for up to ROWS items of one expert (include/product.glsl), with the sums in the order of mat_mul.comp; an item is a
// row and slot.
//
// There is a work group for every item. It looks which of the WINDOW items around it have the same expert, and does the work
// where its own is the first, or another ROWS-th, of them: so that an expert's weights are read once for ROWS items, and
// nobody need sort the items before.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/op.glsl"

layout(constant_id = 1) const uint ROWS = 1;
layout(constant_id = 7) const uint WINDOW = 32; // a multiple of 32
layout(push_constant, std430) uniform Op {
    uint64_t weight, x, xScales, xSums, ids, bias, y, expertStride;
    uint rows, slots, inputSlots, experts, outputs, depth, yStride, type, layout_, activation;
} op;

#include "include/product.glsl"

shared uint alike[WINDOW / 32u]; // a bit for each item of the window with the work group's expert
uint expert, items[ROWS], itemCount; // what this work group works on

// The expert of an item; -1 for none.
int expertOf(uint item) {
    const int id = op.ids == 0ul ? int(item % op.slots) : ReadInts(op.ids).v[item];
    return id >= 0 && uint(id) < op.experts ? id : -1;
}

uint64_t weightAddress() { return op.weight + uint64_t(expert) * op.expertStride; }

uint64_t activations(uint r) { return op.x + rowOffset(op.inputSlots == 1u ? items[r] / op.slots : items[r], op.depth); }

void store(uint r, uint o, float sum) {
    const uint index = outputIndex(o);
    if (r >= itemCount || index >= op.outputs) return;
    if (op.bias != 0ul) sum += ReadFloats(op.bias + rowOffset(expert, op.outputs)).v[index];
    Floats(op.y + rowOffset(items[r], op.yStride)).v[index] = sum;
}

void storeZeros(uint item) {
    if (gl_LocalInvocationID.y != 0u) return;
    for (uint o = 0u; o < OUTPUTS; ++o)
        if (outputIndex(o) < op.outputs) Floats(op.y + rowOffset(item, op.yStride)).v[outputIndex(o)] = 0.0;
}

// Finds the items that go with this one; false where another work group does its work.
bool findItems(uint item) {
    items[0] = item;
    itemCount = 1u;
    if (ROWS == 1u) return true;
    const uint thread = gl_LocalInvocationIndex, threads = 32u * gl_WorkGroupSize.y;
    const uint own = item % WINDOW, start = item - own, end = min(op.rows * op.slots - start, WINDOW);
    for (uint i = thread; i < WINDOW / 32u; i += threads) alike[i] = 0u;
    barrier();
    for (uint i = thread; i < end; i += threads)
        if (expertOf(start + i) == int(expert)) atomicOr(alike[i / 32u], 1u << (i % 32u));
    barrier();
    uint before = bitCount(alike[own / 32u] & ((1u << (own % 32u)) - 1u));
    for (uint i = 0u; i < own / 32u; ++i) before += uint(bitCount(alike[i]));
    if (before % ROWS != 0u) return false;
    uint word = own / 32u, bits = alike[word] & ~((2u << (own % 32u)) - 1u); // those after this one
    [[unroll]] for (uint r = 1u; r < ROWS; ++r) {
        while (bits == 0u && word + 1u < WINDOW / 32u) bits = alike[++word];
        items[r] = bits != 0u ? start + word * 32u + uint(findLSB(bits)) : item;
        itemCount += bits != 0u ? 1u : 0u;
        bits &= bits - 1u;
    }
    return true;
}

void main() {
    const int id = expertOf(gl_WorkGroupID.y);
    if (id < 0) {
        storeZeros(gl_WorkGroupID.y);
        return;
    }
    expert = uint(id);
    if (findItems(gl_WorkGroupID.y)) multiply();
}
