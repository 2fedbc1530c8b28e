// The vector code of one instruction set, as a table of functions: what the processor device calls.
//
// Each function does a part of an op (a range of rows, values or panels), so that the parts may run on several workers;
// parts write disjoint outputs. A row's result never depends on which rows share a part. Knows nothing of threads.
#pragma once

#include "kernels/ops/ops.h"

#include <cstdint>

namespace steelyard::cpu {

// Rows of one sequence and one cache head, a run of segments, and where their results go.
struct AttentionPart {
    const ops::Attention* op;
    uint32_t kvHead;
    uint32_t firstRow, lastRow;         // [first, last)
    uint32_t firstSegment, lastSegment; // [first, last)
    float* scratch;                     // attentionScratch() floats of this worker
    float* partials;                    // null: merge and finish here; else [segment][query][attentionStateWidth] of this run
};

// Floats that a query's maximum, sum and values take; sizes are whole vectors.
inline uint32_t attentionStateWidth(uint32_t lanes, uint32_t headDimV) { return (headDimV + lanes - 1) / lanes * lanes + lanes; }

struct KernelTable {
    const char* name;
    uint32_t lanes; // values of a vector

    void (*add)(const ops::Add&, uint32_t row, uint32_t first, uint32_t last);                         // values of a row
    void (*gatedActivation)(const ops::GatedActivation&, uint32_t row, uint32_t first, uint32_t last); // values of a row
    void (*softCap)(const ops::SoftCap&, uint64_t first, uint64_t last);                 // values
    void (*rmsNorm)(const ops::RmsNorm&, uint32_t first, uint32_t last);                 // rows
    void (*quantizeRows)(const ops::QuantizeRows&, uint32_t first, uint32_t last);       // rows
    void (*cacheWrite)(const ops::CacheWrite&, uint32_t first, uint32_t last);           // rows
    // `turns`: per row [dimensions / 2] cosines, then as many sines
    void (*rotary)(const ops::Rotary&, const float* turns, uint32_t first, uint32_t last); // rows

    // Integer products start from minus offset times the sum of the row's codes: int32 [rows, planes, startsPerRow].
    uint32_t (*startsPerRow)(uint32_t typeId, uint32_t depth); // 0: the format needs none
    void (*starts)(const ops::MatMul&, int32_t* starts, uint32_t first, uint32_t last); // rows
    // Panels [first, last) of a weight in the panel layout, for all rows; `panels` is the address of panel `first`.
    void (*product)(const ops::MatMul&, const uint8_t* panels, const int32_t* starts, uint32_t first, uint32_t last);

    uint64_t (*attentionScratch)(const ops::Attention&, uint32_t rows); // floats for a part of so many rows
    void (*attention)(const AttentionPart&);
    // Merges the partials of all segments of rows [first, last) of one head, in order, and finishes.
    void (*attentionMerge)(const AttentionPart&, const float* partials, uint32_t segments);
};

} // namespace steelyard::cpu
