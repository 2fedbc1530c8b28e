// The rows of a step by sequence, for the ops that carry a state from row to row (causal_conv, ssm_scan, delta_rule).
//
// The rows of one sequence lie together and in order of position. `runs` is int32 [sequences, 4], one run each: first row,
// number of rows (0: none), number of the state in the arena of states, and 1 where the state holds what came before, 0
// where the sequence starts here (its state counts as zeros and is overwritten). States of one layer lie stateStride bytes
// apart in that arena.
#pragma once

#include "kernels/ops/op.h"

namespace steelyard::ops {

struct SequenceRun {
    int32_t firstRow;
    int32_t rows;
    int32_t state;
    int32_t continues;
};
static_assert(sizeof(SequenceRun) == 16);

} // namespace steelyard::ops
