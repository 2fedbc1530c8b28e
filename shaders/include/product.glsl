// The product of activation rows with a matrix, as mat_mul.comp and expert_mat_mul.comp share it; compiled once per format
// as "format.glsl".
//
// A thread computes OUTPUTS outputs, 32 apart, for ROWS activation rows; 32 neighbouring threads are 32 neighbouring
// outputs, so that layout 1 is read in runs. The depth is cut into SLICES slices of whole blocks, by depth and format
// alone: PARALLEL of them run side by side (the work group's second dimension) and are added up in order, so that the
// sum's order, and with it the result, does not depend on how many rows there are. An activation is the same for all
// threads of a slice: SHARING says whether each reads it (as vectors, or one by one where it is not aligned) or
// each reads another one and hands it round by subgroup shuffles of SUBGROUP lanes.
//
// The op's shader says before it the constant ROWS (constant 1 where it is the host's to choose), the push constants `op`
// with `outputs` and `depth`, and the three functions declared here; its main() calls multiply().
#ifndef STEELYARD_PRODUCT
#define STEELYARD_PRODUCT
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(constant_id = 0) const uint PARALLEL = 1;
layout(constant_id = 2) const uint OUTPUTS = 1;
layout(constant_id = 3) const uint SLICES = 1;
layout(constant_id = 4) const uint LAYOUT = 1;
layout(constant_id = 5) const uint SHARING = 0;
layout(constant_id = 6) const uint SUBGROUP = 8;
layout(local_size_x = 32, local_size_y_id = 0) in;
#define TILED (LAYOUT == 1u)
#include "format.glsl"

const uint SHARE_VECTORS = 0u, SHARE_SCALARS = 1u, SHARE_SHUFFLES = 2u;
const uint PARTS = VALUES / 32u;

uint64_t weightAddress();              // of the matrix
uint64_t activations(uint r);          // of the group's activation row r
void store(uint r, uint o, float sum); // of row r and the thread's output o

const uint SUMS = ROWS * OUTPUTS;
const uint LOADS = 16u / SUBGROUP; // of pairs of activations by a lane, for 32
shared float partials[PARALLEL > 1u ? SLICES * 32u * SUMS : 1u];

uint outputIndex(uint o) { return (gl_WorkGroupID.x * OUTPUTS + o) * 32u + gl_LocalInvocationID.x; }

// The 32 activations of a row from column `first` on.
void loadActivations(uint r, uint first, out vec4 x[8]) {
    const uint64_t row = activations(r) + uint64_t(first) * 4;
    vec2 mine[LOADS];
    if (SHARING == SHARE_SHUFFLES) {
        [[unroll]] for (uint i = 0u; i < LOADS; ++i)
            mine[i] = uintBitsToFloat(unpackUint2x32(ReadLongs(row).v[i * SUBGROUP + gl_SubgroupInvocationID]));
    }
    [[unroll]] for (uint q = 0u; q < 8u; ++q) {
        if (SHARING == SHARE_VECTORS) x[q] = ReadVectors(row).v[q];
        [[unroll]] for (uint j = 0u; j < 4u; ++j) {
            const uint pair = 2u * q + j / 2u;
            if (SHARING == SHARE_SHUFFLES) x[q][j] = subgroupShuffle(mine[pair / SUBGROUP][j % 2u], pair % SUBGROUP);
            if (SHARING == SHARE_SCALARS) x[q][j] = ReadFloats(row).v[4u * q + j];
        }
    }
}

float addProducts(vec4 v[8], vec4 x[8], float sum) {
    [[unroll]] for (uint q = 0u; q < 8u; ++q) {
        sum = fma(v[q].x, x[q].x, sum);
        sum = fma(v[q].y, x[q].y, sum);
        sum = fma(v[q].z, x[q].z, sum);
        sum = fma(v[q].w, x[q].w, sum);
    }
    return sum;
}

#ifdef FLOAT_FORMAT
// Adds the products of the last values of a row whose length is not a multiple of 32, from column `first` on.
void addRest(uint first, inout float sums[SUMS]) {
    for (uint o = 0u; o < OUTPUTS; ++o) {
        const uint row = min(outputIndex(o), op.outputs - 1u);
        const Block block = tileBlock(weightAddress(), (op.outputs + 31u) / 32u, (op.depth + 31u) / 32u, row, first / 32u);
        for (uint k = first; k < op.depth; ++k) {
            float w;
            if (!TILED) {
                w = loadValue(weightAddress() + uint64_t(row) * op.depth * VALUE_BYTES, k);
            } else {
                const uint byte = (k - first) * VALUE_BYTES;
                w = loadValue(block.pairs + uint64_t(byte / 8u) * 256 + (byte & 7u), 0u);
            }
            for (uint r = 0u; r < ROWS; ++r) {
                const float x = ReadFloats(activations(r)).v[k];
                sums[r * OUTPUTS + o] = fma(w, x, sums[r * OUTPUTS + o]);
            }
        }
    }
}
#endif

// The blocks with which a slice begins.
void findBlocks(uint index, uint blocks, out Block block[OUTPUTS]) {
    [[unroll]] for (uint o = 0u; o < OUTPUTS; ++o) {
        const uint row = min(outputIndex(o), op.outputs - 1u);
#ifdef FLOAT_FORMAT
        const uint64_t rowBytes = uint64_t(op.depth) * VALUE_BYTES;
#else
        const uint64_t rowBytes = uint64_t(blocks) * BLOCK_BYTES;
#endif
        if (TILED) block[o] = tileBlock(weightAddress(), (op.outputs + 31u) / 32u, blocks, row, index);
        else block[o] = fileBlock(weightAddress() + row * rowBytes, index);
    }
}

void addBlock(uint index, Block block[OUTPUTS], inout float sums[SUMS]) {
#ifdef FLOAT_FORMAT
    if (index * 32u + 32u > op.depth) {
        addRest(index * 32u, sums);
        return;
    }
#endif
    Cache cache[OUTPUTS];
    for (uint part = 0u; part < PARTS; ++part) {
        const uint first = index * VALUES + part * 32u;
        if (ROWS == 1u) { // the activations are kept while the outputs' weights pass by
            vec4 x[8], v[8];
            loadActivations(0u, first, x);
            [[unroll]] for (uint o = 0u; o < OUTPUTS; ++o) {
                loadPart(cache[o], block[o], part, false);
                unpack32(cache[o], block[o], part, v);
                sums[o] = addProducts(v, x, sums[o]);
            }
        } else { // the weights are kept while the rows' activations pass by
            vec4 x[8], v[OUTPUTS][8];
            [[unroll]] for (uint o = 0u; o < OUTPUTS; ++o) {
                loadPart(cache[o], block[o], part, false);
                unpack32(cache[o], block[o], part, v[o]);
            }
            [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
                loadActivations(r, first, x);
                [[unroll]] for (uint o = 0u; o < OUTPUTS; ++o)
                    sums[r * OUTPUTS + o] = addProducts(v[o], x, sums[r * OUTPUTS + o]);
            }
        }
    }
}

void multiply() {
    const uint blocks = (op.depth + VALUES - 1u) / VALUES;
    const uint sliceBlocks = (blocks + SLICES - 1u) / SLICES;
    float totals[SUMS];
    for (uint slice = gl_LocalInvocationID.y; slice < SLICES; slice += PARALLEL) {
        float sums[SUMS];
        [[unroll]] for (uint i = 0u; i < SUMS; ++i) sums[i] = 0.0;
        const uint end = min((slice + 1u) * sliceBlocks, blocks);
        Block block[OUTPUTS];
        findBlocks(slice * sliceBlocks, blocks, block);
        for (uint index = slice * sliceBlocks; index < end; ++index) {
            addBlock(index, block, sums);
            [[unroll]] for (uint o = 0u; o < OUTPUTS; ++o) advance(block[o]);
        }
        [[unroll]] for (uint i = 0u; i < SUMS; ++i) {
            if (PARALLEL > 1u) partials[(slice * SUMS + i) * 32u + gl_LocalInvocationID.x] = sums[i];
            else totals[i] = slice == 0u ? sums[i] : totals[i] + sums[i];
        }
    }
    if (PARALLEL == 1u) {
        [[unroll]] for (uint i = 0u; i < SUMS; ++i) store(i / OUTPUTS, i % OUTPUTS, totals[i]);
        return;
    }
    barrier();
    for (uint i = gl_LocalInvocationID.y; i < SUMS; i += PARALLEL) {
        float sum = partials[i * 32u + gl_LocalInvocationID.x];
        for (uint slice = 1u; slice < SLICES; ++slice) sum += partials[(slice * SUMS + i) * 32u + gl_LocalInvocationID.x];
        store(i / OUTPUTS, i % OUTPUTS, sum);
    }
}

#endif
