#include "engine/backend/cpu/op_runner.h"

#include "engine/backend/cpu/panel_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace steelyard::cpu {

namespace {

bool overlap(uint64_t a, uint64_t aBytes, uint64_t b, uint64_t bBytes) { return a && b && a < b + bBytes && b < a + aBytes; }

uint64_t outputBytes(const ops::MatMul& op) { return uint64_t(op.rows) * op.outputs * sizeof(float); }

// True when `second` may run beside `first`: same activations, and neither writes what the other reads or writes.
bool independent(const ops::MatMul& first, const ops::MatMul& second) {
    const uint64_t xBytes = uint64_t(first.rows) * first.depth * (first.activation == ops::Activation::Float ? 4 : ops::planesOf(first.activation));
    return first.x == second.x && first.rows == second.rows && first.depth == second.depth &&
           first.activation == second.activation && !overlap(first.y, outputBytes(first), first.x, xBytes) &&
           !overlap(first.y, outputBytes(first), second.y, outputBytes(second)) &&
           !overlap(first.y, outputBytes(first), second.residual, outputBytes(second)) &&
           !overlap(second.y, outputBytes(second), first.residual, outputBytes(first));
}

// The ordinary case for vector code: integer formats with two planes of 8-bit activations, float formats with floats.
bool hasVectorCode(const ops::MatMul& op) {
    bool result = false;
    kernels::AllFormats::visit(op.type, [&]<class Format>() {
        const bool isFloat = Format::productClass == kernels::ProductClass::Float;
        result = op.activation == (isFloat ? ops::Activation::Float : ops::Activation::Int8Pair);
    });
    return result;
}

// Rows of 8-bit codes: one per row and plane.
uint64_t codeRows(const ops::MatMul& op) { return uint64_t(op.rows) * ops::planesOf(op.activation); }

} // namespace

OpRunner::OpRunner(uint32_t workers, const KernelTable* table) : m_table(table), m_workerScratch(workers), m_pool(workers) {}

template <class Op>
void OpRunner::define(const Op& op) {
    for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
}

template <class Op>
void OpRunner::execute(const Op& op) {
    const uint64_t count = items(op);
    share(count, 1024, [&](uint64_t first, uint64_t last, uint32_t) {
        for (uint64_t item = first; item < last; ++item) compute(op, static_cast<uint32_t>(item));
    });
}

void OpRunner::run(std::span<const Launch> launches) {
    constexpr uint32_t kMatMul = ops::opId<ops::MatMul>;
    for (size_t i = 0; i < launches.size(); ++i) {
        if (m_table && launches[i].op == kMatMul) {
            m_products.clear();
            for (; i < launches.size() && launches[i].op == kMatMul; ++i) {
                ops::MatMul op;
                std::memcpy(&op, launches[i].bytes, sizeof op);
                if (!std::all_of(m_products.begin(), m_products.end(), [&](const auto& other) { return independent(other, op); })) break;
                m_products.push_back(op);
            }
            --i;
            multiply(m_products);
            continue;
        }
        ops::AllOps::forEach([&]<class Op>() {
            if (ops::opId<Op> != launches[i].op) return;
            Op op;
            std::memcpy(&op, launches[i].bytes, sizeof op);
            if (m_table) execute(op);
            else define(op);
        });
    }
}

// Contiguous rows are one long row, which may be cut anywhere; others are cut between rows.
template <class Op, class Function>
void OpRunner::shareValues(Op op, bool contiguous, uint64_t cost, Function function) {
    if (contiguous && uint64_t(op.rows) * op.columns <= UINT32_MAX) {
        op.columns *= op.rows;
        share(op.columns, cost, [&](uint64_t first, uint64_t last, uint32_t) {
            function(op, 0, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
        });
        return;
    }
    share(op.rows, op.columns * cost, [&](uint64_t first, uint64_t last, uint32_t) {
        for (uint64_t row = first; row < last; ++row) function(op, static_cast<uint32_t>(row), 0, op.columns);
    });
}

void OpRunner::execute(const ops::Add& op) {
    const bool contiguous = op.aStride == op.columns && op.yStride == op.columns && (!op.b || op.bStride == op.columns);
    shareValues(op, contiguous, 8, m_table->add);
}

void OpRunner::execute(const ops::GatedActivation& op) {
    const bool contiguous = op.columns > 1 && op.gateColumns == op.columns && op.gateStride == op.columns && op.yStride == op.columns &&
                            op.upRepeat == 1 && (!op.up || op.upStride == op.columns);
    shareValues(op, contiguous, 16, m_table->gatedActivation);
}

void OpRunner::execute(const ops::SoftCap& op) {
    share(uint64_t(op.rows) * op.columns, 16, [&](uint64_t first, uint64_t last, uint32_t) { m_table->softCap(op, first, last); });
}

void OpRunner::execute(const ops::RmsNorm& op) {
    share(op.rows, uint64_t(op.columns) * 8, [&](uint64_t first, uint64_t last, uint32_t) {
        m_table->rmsNorm(op, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
    });
}

void OpRunner::execute(const ops::QuantizeRows& op) {
    share(op.rows, uint64_t(op.columns) * 8, [&](uint64_t first, uint64_t last, uint32_t) {
        m_table->quantizeRows(op, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
    });
}

void OpRunner::execute(const ops::CacheWrite& op) {
    const auto hasVectors = [](ops::CacheType type) { return type == ops::CacheType::F32 || type == ops::CacheType::F16; };
    if (!hasVectors(op.typeK) || !hasVectors(op.typeV)) {
        share(op.rows, uint64_t(op.kvHeads) * (op.headDimK + op.headDimV) * 64, [&](uint64_t first, uint64_t last, uint32_t) {
            for (uint64_t row = first; row < last; ++row) compute(op, static_cast<uint32_t>(row));
        });
        return;
    }
    share(op.rows, uint64_t(op.kvHeads) * (op.headDimK + op.headDimV) * 4, [&](uint64_t first, uint64_t last, uint32_t) {
        m_table->cacheWrite(op, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
    });
}

void OpRunner::execute(const ops::Rotary& op) {
    const float* turns = m_turns.of(op);
    share(op.rows, uint64_t(op.heads) * op.dimensions * 8, [&](uint64_t first, uint64_t last, uint32_t) {
        m_table->rotary(op, turns, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
    });
}

void OpRunner::execute(const ops::GetRows& op) {
    share(op.rows, uint64_t(op.columns) * 16, [&](uint64_t first, uint64_t last, uint32_t) {
        for (uint64_t row = first; row < last; ++row) {
            const int32_t id = ops::at<const int32_t>(op.ids)[row];
            if (op.layout != kPanelLayout || id < 0 || static_cast<uint32_t>(id) >= op.tableRows) {
                compute(op, static_cast<uint32_t>(row));
                continue;
            }
            float* y = ops::at<float>(op.y) + row * op.columns;
            decodePanelRow(op.type, ops::at<const uint8_t>(op.table), static_cast<uint32_t>(id), op.columns, y);
            for (uint32_t i = 0; i < op.columns; ++i) y[i] *= op.scale;
        }
    });
}

void OpRunner::execute(const ops::MatMul& op) { multiply({&op, 1}); }

void OpRunner::multiplyPanels(const ops::MatMul& op, const int32_t* starts, uint32_t first, uint32_t last, uint32_t worker) {
    const auto* weight = ops::at<const uint8_t>(op.weight);
    if (op.layout == kPanelLayout) {
        const uint64_t panelBytes = panelledBytes(op.type, kPanelOutputs, op.depth);
        m_table->product(op, weight + first * panelBytes, starts, first, last);
        return;
    }
    // The file's layout: one panel at a time is put into working memory, so both layouts give the same sums.
    const uint64_t rowBytes = kernels::rowBytes(op.type, op.depth);
    const uint64_t panelBytes = panelledBytes(op.type, kPanelOutputs, op.depth);
    uint8_t* panel = m_workerScratch[worker].need<uint8_t>(panelBytes);
    for (uint32_t index = first; index < last; ++index) {
        const uint32_t outputs = std::min(kPanelOutputs, op.outputs - index * kPanelOutputs);
        packPanels(op.type, {weight + uint64_t(index) * kPanelOutputs * rowBytes, outputs * rowBytes}, outputs, op.depth, {panel, panelBytes});
        m_table->product(op, panel, starts, index, index + 1);
    }
}

// Panels of all products are one row of units, so that small products share a job.
void OpRunner::multiply(std::span<const ops::MatMul> products) {
    if (products.empty()) return;
    for (const auto& op : products)
        if (!hasVectorCode(op)) {
            assert(op.layout == 0);
            share(op.outputs, uint64_t(op.depth) * op.rows * 8, [&](uint64_t first, uint64_t last, uint32_t) {
                for (uint64_t output = first; output < last; ++output) compute(op, static_cast<uint32_t>(output));
            });
        }
    uint64_t starts = 0, panels = 0;
    for (const auto& op : products) {
        starts += codeRows(op) * m_table->startsPerRow(op.type, op.depth);
        panels += hasVectorCode(op) ? panelCount(op.outputs) : 0;
    }
    int32_t* startsMemory = m_shared.need<int32_t>(starts);
    int32_t* next = startsMemory;
    for (const auto& op : products) {
        const uint32_t perRow = m_table->startsPerRow(op.type, op.depth);
        if (perRow > 0)
            share(codeRows(op), op.depth, [&](uint64_t first, uint64_t last, uint32_t) {
                m_table->starts(op, next, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
            });
        next += codeRows(op) * perRow;
    }
    const auto& front = products.front();
    const uint64_t cost = panelledBytes(front.type, kPanelOutputs, front.depth) * (1 + front.rows / 4);
    share(panels, cost, [&](uint64_t first, uint64_t last, uint32_t worker) {
        const int32_t* own = startsMemory;
        for (const auto& op : products) {
            const uint64_t count = hasVectorCode(op) ? panelCount(op.outputs) : 0;
            if (first < count)
                multiplyPanels(op, own, static_cast<uint32_t>(first), static_cast<uint32_t>(std::min(last, count)), worker);
            if (last <= count) return;
            first = first > count ? first - count : 0;
            last -= count;
            own += codeRows(op) * m_table->startsPerRow(op.type, op.depth);
        }
    });
}

} // namespace steelyard::cpu
