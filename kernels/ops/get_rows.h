// Looks up rows of a table and expands them to float32: token embedding, and the choice of the rows that get logits.
//
//   y[i, :] = scale * table[ids[i], :]
//   table  [tableRows, columns] of tensor type `type`; bytes as the device's table layout `layout` says (0 = as in the file)
//   ids    int32 [rows]; an id outside [0, tableRows) gives a row of zeros
//   y      float [rows, columns]
// Reads table (rows * columns values), ids; writes y. Bound by bandwidth.
#pragma once

#include "kernels/ops/op.h"
#include "kernels/quant/formats.h"

namespace steelyard::ops {

struct GetRows {
    static constexpr const char* name = "get_rows";
    uint64_t table;
    uint64_t ids;
    uint64_t y;
    uint32_t rows;
    uint32_t columns;
    uint32_t tableRows;
    uint32_t type;
    float scale;
    uint32_t layout;
};
static_assert(isOp<GetRows>);

inline uint32_t items(const GetRows& op) { return op.rows; }

// One row, layout 0.
inline void compute(const GetRows& op, uint32_t row) {
    const int32_t id = at<const int32_t>(op.ids)[row];
    float* y = at<float>(op.y) + uint64_t(row) * op.columns;
    if (id < 0 || static_cast<uint32_t>(id) >= op.tableRows) {
        for (uint32_t i = 0; i < op.columns; ++i) y[i] = 0.0f;
        return;
    }
    const uint8_t* source = at<const uint8_t>(op.table) + uint64_t(id) * kernels::rowBytes(op.type, op.columns);
    kernels::decodeRow(op.type, source, op.columns, y);
    for (uint32_t i = 0; i < op.columns; ++i) y[i] *= op.scale;
}

} // namespace steelyard::ops
