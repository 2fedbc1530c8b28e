// What a model's work would take if its devices did nothing but read its weights, or nothing but multiply: held against the times of a
// reply it gives the share of the memory's bandwidth that decode reaches, and of the arithmetic that prefill reaches.
//
// The memory-bound bound of decode is (bytes of the weights that a token reads + bytes of its cache) / bandwidth; the
// arithmetic-bound one of prefill (products of a token with all weights but the head's) / products per second. Work of
// attention is not counted, so that the second share is a little low at great lengths. 0 = not known.
#pragma once

#include "engine/event.h"

namespace steelyard {

struct IdealTimes {
    double stepMs = 0;        // to read the weights once
    double cachedTokenMs = 0; // to read a token's keys and values
    double promptTokenMs = 0; // to multiply a token of a prompt with the weights

    // Of a reply whose other figures are complete. Steps that it shared with others count as if they were its own.
    void tellShares(GenerationStatistics& statistics) const;
};

} // namespace steelyard
