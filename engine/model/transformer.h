// Runs any ModelSpec: a step of token rows, of any sequences at any positions, through all layers.
//
// All that changes from step to step lies in one small device buffer, never in launch arguments, so that steps of few rows
// are recorded once per shape and replayed. Rows are independent: what a row gives does not depend on the others. Knows
// no architecture, no request, no sampling. Used by the engine thread.
#pragma once

#include "engine/model/blocks/block.h"

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace steelyard {

// One step: parallel arrays of rows. Each row's sequence must have room at its position (KvCache::extend). The rows of one
// sequence lie together, in order of position, and go on where the sequence's state stands.
struct Step {
    std::vector<int32_t> ids, positions, sequences; // [rows]; a sequence is an index into `tables`
    std::vector<const CachedSequence*> tables;      // at most StepShape::maxSequences
    std::vector<int32_t> outputRows;                // rows that get logits, at most StepShape::maxOutputs
    bool longFactors = false;                       // ModelSpec::takesLongFactors, the same for all of a sequence
    std::span<const float> given{};                 // of a predictor (ModelSpec::predicts): [rows, embedding], the state before each row's token
};

class Transformer {
public:
    static Result<std::unique_ptr<Transformer>> create(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights,
                                                       CacheLayout cacheLayout, StepShape shape);

    // Runs all layers for the rows and the head for outputRows.
    Result<void> run(const Step& step);
    // Runs the head for other rows of the last step (for scoring every position in pieces).
    Result<void> runHead(const std::vector<int32_t>& outputRows);
    // The last step's hidden states after the output's norm, [rows, embedding], for a predictor; before the next step.
    Result<std::vector<float>> hidden();
    // The logits of the last head, [outputs, vocabulary], copied from the device; valid until the next call.
    Result<std::span<const float>> logits();

    const ModelSpec& spec() const { return m_spec; }
    const StepShape& shape() const { return m_shape; }
    const ModelWeights& weights() const { return *m_weights; }
    KvCache& cache() { return m_cache; }
    const KvCache& cache() const { return m_cache; }
    Device& device() { return m_device; }
    // Bytes of activations and step data.
    uint64_t computeBytes() const { return m_arena.bytes() + m_stepData.bytes(); }

private:
    Transformer(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights, KvCache cache, StepShape shape);
    void uploadStep(const Step& step);
    void launchLayers(const StepContext& step);
    void joinGiven(const StepContext& step);
    void launchHead(const StepContext& step, uint32_t outputs);
    StepContext context(uint32_t rows, uint32_t longest, bool longFactors) const;

    using Shape = std::tuple<uint32_t, uint32_t, uint32_t, bool>; // rows, outputs, longest bucket, long factors

    Device& m_device;
    ModelSpec m_spec;
    std::unique_ptr<ModelWeights> m_weights;
    KvCache m_cache;
    StepShape m_shape;
    std::vector<uint64_t> m_stateOffsets; // of each layer
    ActivationLayout m_activations; // offsets
    StepDataLayout m_dataLayout;    // offsets
    Buffer m_arena, m_stepData;
    std::vector<int32_t> m_staging;
    uint32_t m_rows = 0, m_outputs = 0;
    std::vector<float> m_logits;
    std::map<Shape, std::unique_ptr<Recording>> m_recordings;
};

} // namespace steelyard
