// How the parts of a spec name their tensors: one function per part, each in a file beside its block.
//
// Used by weightSlots() (weights.h) only. No part reads the file: what a model has is in its spec.
#pragma once

#include "engine/model/weights.h"

#include <optional>
#include <string>
#include <vector>

namespace steelyard {

// Collects slots; names get `prefix` in front ("blk.3.").
struct SlotList {
    std::vector<WeightSlot> slots;
    std::string prefix;
    WeightPlace place; // of what is added next

    // The rows of a table, with the whole name given.
    void table(const std::string& name, Matrix& matrix, uint32_t rows, uint32_t columns);
    // The matrix (or matrices) "<name>.weight".
    void matrix(const std::string& name, Matrix& matrix, uint32_t rows, uint32_t columns, RowSelection selection = {}, uint32_t experts = 1);
    // The vector with the whole name given ("attn_q.bias").
    void vector(const std::string& name, Vector& vector, uint32_t length, RowSelection selection = {}, uint32_t repeat = 1);
    void norm(const std::optional<NormSpec>& spec, NormWeights& weights, uint32_t length);
};

void attentionSlots(SlotList& list, uint32_t embedding, const AttentionSpec& spec, AttentionWeights& weights);
void feedForwardSlots(SlotList& list, uint32_t embedding, const FeedForwardSpec& spec, FeedForwardWeights& weights);
void recurrentSlots(SlotList& list, uint32_t embedding, const RecurrentSpec& spec, RecurrentWeights& weights);

} // namespace steelyard
