// Where the intermediate values of a step lie: one arena per loaded model, laid out by the function that the memory plan
// uses too.
#pragma once

#include "engine/backend/backend.h"
#include "engine/model/placement.h"

#include <cstdint>

namespace steelyard {

// How much one step may hold.
struct StepShape {
    uint32_t maxRows = 256;     // token rows
    uint32_t maxOutputs = 1;    // rows that get logits at once
    uint32_t maxSequences = 1;
    uint32_t contextTokens = 0; // longest position + 1, for attention's splits
    uint32_t tableStride = 0;   // blocks of a sequence
    uint32_t groups = 1;        // of the cache
};

// Byte offsets into the arena; shapes with R = maxRows, O = maxOutputs, E = embedding, V = vocabulary.
struct ActivationLayout {
    uint64_t hidden = 0;      // float [R, E]: the residual stream
    uint64_t normed = 0;      // float [R, E]
    uint64_t branch = 0;      // float [R, E]: a part's output before its norm and sum
    uint64_t query = 0;       // float [R, heads * headDimK], largest layer
    uint64_t key = 0, value = 0;
    uint64_t attended = 0;    // float [R, heads * headDimV]
    uint64_t scratch[3] = {}; // float [R, widest of each part's own intermediate values]
    uint64_t gate = 0, up = 0; // float [R, feed-forward length, or experts used * their length]
    uint64_t routed = 0;      // float [R, experts]: the router's logits
    uint64_t expertIds = 0, expertWeights = 0; // int32, float [R, experts used]
    uint64_t expertOutputs = 0; // float [R, experts used, E]
    uint64_t streams = 0, streamsNormed = 0; // float [R, streams, E]: the residual streams of hyper-connections
    uint64_t mixes = 0, hyperGates = 0; // float [R, (2 + streams) * streams], [R, streams * (1 + streams)]
    uint64_t indexScores = 0, indexIds = 0; // float [R, compressed keys], int32 [R, chosen]
    uint64_t given = 0, joined = 0; // float [R, E], [R, 2 E]: a predictor's states, and both its inputs side by side
    uint64_t perLayer = 0;    // float [R, layers, width of a layer's own embedding]
    uint64_t codes = 0, scales = 0, sums = 0; // a quantized activation, largest rows * depth
    uint64_t partials = 0;    // attention's splits
    uint64_t outputHidden = 0; // float [O, E]
    uint64_t outputStreams = 0, outputMixes = 0; // float [O, 2, streams, E], [O, streams]
    uint64_t logits = 0;      // float [O, V]
    uint64_t bytes = 0;       // of the arena

    // All offsets moved by an address.
    ActivationLayout at(uint64_t address) const;
};

// Of all layers, or of those parts that a share has on its device.
ActivationLayout layOutActivations(const ModelSpec& spec, const StepShape& shape, const Device& device, const DeviceShare& share = {});

// The small integers of a step, one buffer: token ids, positions, sequences, rows with logits, block tables.
struct StepDataLayout {
    uint64_t ids = 0, positions = 0, sequences = 0; // int32 [R]
    uint64_t outputRows = 0;                        // int32 [O]
    uint64_t lastPositions = 0;                     // int32 [R]: the last position that a row sees
    uint64_t runs = 0;                              // SequenceRun [maxSequences]
    uint64_t tables = 0;                            // int32 [groups, maxSequences, tableStride]
    uint64_t bytes = 0;

    StepDataLayout at(uint64_t address) const;
};

StepDataLayout layOutStepData(const StepShape& shape);

} // namespace steelyard
