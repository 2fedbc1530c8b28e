#include "engine/model/weight_slots.h"

namespace steelyard {

uint32_t WeightSlot::tensorRows() const {
    if (selection.period == 0) return rows * experts;
    return rows * experts / selection.count * selection.period;
}

void SlotList::matrix(const std::string& name, Matrix& matrix, uint32_t rows, uint32_t columns, RowSelection selection, uint32_t experts) {
    slots.push_back({prefix + name + ".weight", rows, columns, WeightUse::Matrix, &matrix, nullptr, selection, experts, 1, place});
}

void SlotList::vector(const std::string& name, Vector& vector, uint32_t length, RowSelection selection, uint32_t repeat) {
    slots.push_back({prefix + name, 1, length, WeightUse::Vector, nullptr, &vector, selection, 1, repeat, place});
}

void SlotList::table(const std::string& name, Matrix& matrix, uint32_t rows, uint32_t columns) {
    slots.push_back({name, rows, columns, WeightUse::Table, &matrix, nullptr, {}, 1, 1, place});
}

void SlotList::norm(const std::optional<NormSpec>& spec, NormWeights& weights, uint32_t length) {
    if (!spec || spec->weightless) return;
    vector(spec->tensor + (spec->bare ? "" : ".weight"), weights.weight, length);
    if (spec->bias) vector(spec->tensor + ".bias", weights.bias, length);
}

namespace {

// The gates of one part; the head only reads.
void hyperSlots(SlotList& list, const ModelSpec& spec, const std::string& name, HyperWeights& weights, bool head) {
    const uint32_t streams = spec.hyper->streams, gates = head ? streams : (2 + streams) * streams;
    list.matrix(name + "_fn", weights.mix, gates, streams * spec.embedding);
    list.vector(name + "_scale.weight", weights.scale, head ? 1 : 3);
    list.vector(name + "_base.weight", weights.base, gates);
}

void layerSlots(SlotList& list, const ModelSpec& spec, const LayerSpec& layer, LayerWeights& weights) {
    const uint32_t embedding = spec.embedding;
    list.place.part = WeightPlace::Part::Mixer;
    list.norm(layer.inputNorm, weights.inputNorm, embedding);
    list.norm(layer.mixerNorm, weights.mixerNorm, embedding);
    list.norm(layer.mixerPostNorm, weights.mixerPostNorm, embedding);
    if (layer.attention) attentionSlots(list, embedding, *layer.attention, weights.attention);
    if (layer.recurrent) recurrentSlots(list, embedding, *layer.recurrent, weights.recurrent);
    if (spec.hyper) hyperSlots(list, spec, "hc_attn", weights.hyperMixer, false);
    list.place.part = WeightPlace::Part::FeedForward;
    list.norm(layer.feedForwardNorm, weights.feedForwardNorm, embedding);
    list.norm(layer.feedForwardPostNorm, weights.feedForwardPostNorm, embedding);
    if (layer.feedForward) feedForwardSlots(list, embedding, *layer.feedForward, weights.feedForward);
    if (spec.hyper) hyperSlots(list, spec, "hc_ffn", weights.hyperFeedForward, false);
    if (layer.outputScale) list.vector("layer_output_scale.weight", weights.outputScale, 1);
    if (layer.perLayerInput == 0) return;
    list.matrix("inp_gate", weights.perLayerGate, layer.perLayerInput, embedding);
    list.matrix("proj", weights.perLayerProjection, embedding, layer.perLayerInput);
    list.norm(NormSpec{"post_norm"}, weights.perLayerNorm, embedding);
}

void ropeSlots(SlotList& list, const ModelSpec& spec, ModelWeights& weights) {
    for (const auto& layer : spec.layers) {
        if (!layer.attention || !layer.attention->rope) continue;
        const auto& rope = *layer.attention->rope;
        if (rope.factors == RopeFactors::None) continue;
        if (rope.factors == RopeFactors::Plain) {
            list.vector("rope_freqs.weight", weights.ropeFactors, rope.dimensions / 2);
        } else {
            list.vector("rope_factors_long.weight", weights.ropeLong, rope.dimensions / 2);
            list.vector("rope_factors_short.weight", weights.ropeShort, rope.dimensions / 2);
        }
        return;
    }
}

// The embeddings that each layer has of its own (Gemma 4).
void perLayerSlots(SlotList& list, const ModelSpec& spec, ModelWeights& weights) {
    const uint32_t width = spec.layers.empty() ? 0 : spec.layers[0].perLayerInput;
    if (width == 0) return;
    const uint32_t all = width * static_cast<uint32_t>(spec.layers.size());
    list.table("per_layer_token_embd.weight", weights.perLayerTable, spec.vocabulary, all);
    list.matrix("per_layer_model_proj", weights.perLayerProjection, all, spec.embedding);
    list.vector("per_layer_proj_norm.weight", weights.perLayerNorm, width);
}

} // namespace

std::vector<WeightSlot> weightSlots(const ModelSpec& spec, ModelWeights& weights) {
    SlotList list;
    weights.layers.resize(spec.layers.size());
    list.place.part = WeightPlace::Part::Input;
    list.table(spec.tableTensor + ".weight", weights.table, spec.vocabulary, spec.embedding);
    if (spec.positionTable) list.table("position_embd.weight", weights.positions, spec.trainedContext, spec.embedding);
    list.norm(spec.embeddingNorm, weights.embeddingNorm, spec.embedding);
    perLayerSlots(list, spec, weights);
    list.place.part = WeightPlace::Part::Output;
    list.matrix(spec.tiedOutput ? "token_embd" : spec.outputTensor, weights.output, spec.vocabulary, spec.embedding);
    if (spec.outputBias) list.vector("output.bias", weights.outputBias, spec.vocabulary);
    list.norm(spec.outputNorm, weights.outputNorm, spec.embedding);
    if (spec.hyper) hyperSlots(list, spec, "output_hc", weights.hyperHead, true);
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        list.prefix = "blk." + std::to_string(spec.firstBlock + index) + ".";
        list.place.layer = index;
        layerSlots(list, spec, spec.layers[index], weights.layers[index]);
        if (!spec.predicts) continue;
        list.place.part = WeightPlace::Part::Input;
        list.matrix("nextn.eh_proj", weights.predictorMix, spec.embedding, 2 * spec.embedding);
        list.vector("nextn.enorm.weight", weights.predictorTokenNorm, spec.embedding);
        list.vector("nextn.hnorm.weight", weights.predictorStateNorm, spec.embedding);
    }
    list.prefix.clear();
    list.place = {};
    ropeSlots(list, spec, weights);
    return std::move(list.slots);
}

} // namespace steelyard
