// Runs any ModelSpec: a step of token rows, of any sequences at any positions, through all layers.
//
// All that changes from step to step lies in one small device buffer, never in launch arguments, so that steps of few rows
// are recorded once per shape and replayed. Rows are independent: what a row gives does not depend on the others. A step is a
// list of segments, each on one device, joined by copies of the residual stream; with one device it is one segment. Knows no
// architecture, no request, no sampling. Used by the engine thread.
#pragma once

#include "engine/model/blocks/block.h"

#include <functional>
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
    std::function<bool()> stops{};                  // asked between the layers of a long step, where given: whether nobody wants it any more
};

// A device and its share of a model's weights.
struct DeviceWeights {
    Device* device = nullptr;
    std::unique_ptr<ModelWeights> weights;
};

class Transformer {
public:
    static Result<std::unique_ptr<Transformer>> create(Device& device, ModelSpec spec, std::unique_ptr<ModelWeights> weights,
                                                       CacheLayout cacheLayout, StepShape shape);
    // On several devices, numbered as in the placement, by which the cache was laid out too.
    static Result<std::unique_ptr<Transformer>> create(std::vector<DeviceWeights> parts, const Placement& placement, ModelSpec spec,
                                                       CacheLayout cacheLayout, StepShape shape);

    // Runs all layers for the rows and the head for outputRows, or a part of the layers where the step stops. A step that stopped gives
    // nothing: what it wrote to the cache lies behind the sequences' ends, but states of recurrent layers are spoilt.
    Result<void> run(const Step& step);
    bool stopped() const { return m_stopped; } // whether the last step did
    // Runs the head for other rows of the last step (for scoring every position in pieces).
    Result<void> runHead(const std::vector<int32_t>& outputRows);
    // The last step's hidden states after the output's norm, [rows, embedding], for a predictor; before the next step.
    Result<std::vector<float>> hidden();
    // The logits of the last head, [outputs, vocabulary], copied from the device; valid until the next call.
    Result<std::span<const float>> logits();

    const ModelSpec& spec() const { return m_spec; }
    const StepShape& shape() const { return m_shape; }
    KvCache& cache() { return m_cache; }
    const KvCache& cache() const { return m_cache; }
    uint32_t devices() const { return static_cast<uint32_t>(m_parts.size()); }
    const ModelWeights& weights(uint32_t device = 0) const { return *m_parts[device].weights; }
    Device& device(uint32_t number) const { return *m_parts[number].device; }
    // The one that ends a step: when its work is done, so is that of the others.
    Device& device() { return *m_parts[m_placement.output].device; }
    uint64_t weightsBytes() const;
    // Bytes of activations and step data.
    uint64_t computeBytes() const;

private:
    // What lies on one device.
    struct Part {
        Device* device = nullptr;
        std::unique_ptr<ModelWeights> weights;
        ActivationLayout activations; // offsets
        Buffer arena, stepData;
    };
    // Halves of layers (2n the mixer of layer n, 2n + 1 its feed-forward) that one device runs without a copy between them.
    struct Segment {
        uint32_t device = 0, first = 0, end = 0; // halves [first, end)
        bool begins = false, ends = false;       // with the embedding; with the head
    };

    Transformer(std::vector<Part> parts, const Placement& placement, ModelSpec spec, KvCache cache, StepShape shape);
    void makeSegments();
    void uploadStep(const Step& step);
    void joinGiven(const StepContext& step);
    Result<void> runSegment(size_t index, uint32_t longest, const Step& step);
    Result<void> launchSegment(const Segment& segment, const StepContext& context, const std::function<bool()>& stops);
    Result<void> handOver(uint32_t from, uint32_t to);
    void launchInput(const StepContext& step);
    void launchHalf(const StepContext& step, uint32_t half);
    void launchHead(const StepContext& step, uint32_t outputs);
    StepContext context(uint32_t device, uint32_t longest, bool longFactors) const;

    using Shape = std::tuple<size_t, uint32_t, uint32_t, uint32_t, bool>; // segment, rows, outputs, longest bucket, long factors

    std::vector<Part> m_parts;
    Placement m_placement;
    ModelSpec m_spec;
    KvCache m_cache;
    StepShape m_shape;
    std::vector<uint64_t> m_stateOffsets; // of each layer on its device
    StepDataLayout m_dataLayout;          // offsets
    std::vector<Segment> m_segments;
    std::vector<int32_t> m_staging;
    std::vector<uint8_t> m_transfer;      // between two segments
    uint32_t m_rows = 0, m_outputs = 0;
    bool m_stopped = false;
    std::vector<float> m_logits;
    std::map<Shape, std::unique_ptr<Recording>> m_recordings;
};

} // namespace steelyard
