// The choice of experts for each row and their weights (kernels/ops/route.h). One work group per row.
//
// An expert's place is the number of experts before it: of larger score, or of equal score and lower number. So places need
// no sorting and no order among the threads. Scores are compared as integers of the same order, where a score that is no
// number, and that of an expert whose group is out, is the smallest: whatever the logits, the places are 0, 1, 2, ...
#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/functions.glsl"
#include "include/op.glsl"
#include "include/order.glsl"

layout(constant_id = 0) const uint THREADS = 64;
layout(constant_id = 1) const uint EXPERTS = 64;
layout(constant_id = 2) const uint GROUPS = 1;
layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Op {
    uint64_t logits, bias, expertScales, ids, weights;
    uint rows, experts, used, groups, groupsUsed, function, normalise;
    float scale;
} op;

#include "include/reduce.glsl"

const uint SOFTMAX = 0u, SIGMOID = 1u, SOFTMAX_OF_CHOSEN = 2u; // RouteFunction; SqrtSoftplus is what remains
const uint MOST_USED = 32u, GROUP_SIZE = EXPERTS / GROUPS;
const float NOTHING = -3.0e38, SMALLEST_SUM = 6.103515625e-5;
shared float values[EXPERTS];
shared uint order[EXPERTS];
shared float groupScores[GROUPS];
shared float chosen[MOST_USED];
shared uint chosenIds[MOST_USED];

float scoreOf(uint expert) { return values[expert] + (op.bias != 0ul ? ReadFloats(op.bias).v[expert] : 0.0); }

// Leaves each expert's value.
void computeValues(ReadFloats logits) {
    const uint thread = gl_LocalInvocationIndex;
    float largest = NOTHING, sum = 0.0;
    if (op.function == SOFTMAX) {
        for (uint e = thread; e < EXPERTS; e += THREADS) largest = max(largest, logits.v[e]);
        largest = groupMax(largest);
        for (uint e = thread; e < EXPERTS; e += THREADS) sum += exp(logits.v[e] - largest);
        sum = groupSum(sum);
    }
    for (uint e = thread; e < EXPERTS; e += THREADS) {
        const float logit = logits.v[e];
        values[e] = op.function == SOFTMAX             ? exp(logit - largest) / sum
                    : op.function == SIGMOID           ? sigmoid(logit)
                    : op.function == SOFTMAX_OF_CHOSEN ? logit
                                                       : sqrt(softplus(logit));
        order[e] = orderOf(scoreOf(e));
    }
    barrier();
}

// Takes the experts out whose groups are not among the best.
void chooseGroups() {
    for (uint g = gl_LocalInvocationIndex; g < GROUPS; g += THREADS) {
        float first = NOTHING, second = NOTHING;
        for (uint e = g * GROUP_SIZE; e < (g + 1u) * GROUP_SIZE; ++e) {
            const float score = scoreOf(e);
            second = max(second, min(first, score));
            first = max(first, score);
        }
        groupScores[g] = GROUP_SIZE > 1u ? first + second : first;
    }
    barrier();
    for (uint e = gl_LocalInvocationIndex; e < EXPERTS; e += THREADS) {
        const uint g = min(e / GROUP_SIZE, GROUPS - 1u), own = orderOf(groupScores[g]);
        uint better = 0u;
        for (uint other = 0u; other < GROUPS; ++other) {
            const uint theirs = orderOf(groupScores[other]);
            if (theirs > own || (theirs == own && other < g)) ++better;
        }
        if (better >= op.groupsUsed) order[e] = 0u;
    }
    barrier();
}

// How many experts come before this one.
uint placeOf(uint expert) {
    const uint own = order[expert];
    uint place = 0u;
    for (uint other = 0u; other < expert; ++other) place += order[other] >= own ? 1u : 0u;
    for (uint other = expert + 1u; other < EXPERTS; ++other) place += order[other] > own ? 1u : 0u;
    return place;
}

void main() {
    const uint row = workGroup(), thread = gl_LocalInvocationIndex;
    if (row >= op.rows) return;
    computeValues(ReadFloats(op.logits + rowOffset(row, EXPERTS)));
    if (GROUPS > 1u) chooseGroups();
    for (uint e = thread; e < EXPERTS; e += THREADS) {
        const uint place = placeOf(e);
        if (place >= op.used) continue;
        chosen[place] = values[e];
        chosenIds[place] = e;
    }
    barrier();
    float largest = NOTHING, total = 0.0;
    for (uint slot = 0u; slot < op.used; ++slot) largest = max(largest, chosen[slot]);
    const bool softmax = op.function == SOFTMAX_OF_CHOSEN;
    for (uint slot = 0u; slot < op.used; ++slot) total += softmax ? exp(chosen[slot] - largest) : chosen[slot];
    const float factor = op.scale / (softmax || op.normalise != 0u ? max(total, SMALLEST_SUM) : 1.0);
    for (uint slot = thread; slot < op.used; slot += THREADS) {
        const uint expert = chosenIds[slot];
        float weight = (softmax ? exp(chosen[slot] - largest) : chosen[slot]) * factor;
        if (op.expertScales != 0ul) weight *= ReadFloats(op.expertScales).v[expert];
        Words(op.ids + rowOffset(row, op.used)).v[slot] = expert;
        Floats(op.weights + rowOffset(row, op.used)).v[slot] = weight;
    }
}
