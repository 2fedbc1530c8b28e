// Fills the table of one instruction set. Included after a vector header, by the translation units of one instruction set
// each.
#pragma once

#include <cmath>

#include "engine/backend/cpu/row_kernels.h"

#include "engine/backend/cpu/product_kernel.h"

#include "engine/backend/cpu/attention_kernel.h"

namespace {

constexpr cpu::KernelTable tableNamed(const char* name) {
    cpu::KernelTable table{};
    table.name = name;
    table.lanes = Simd::kLanes;
    table.add = RowKernels::add;
    table.gatedActivation = RowKernels::gatedActivation;
    table.softCap = RowKernels::softCap;
    table.rmsNorm = RowKernels::rmsNorm;
    table.quantizeRows = RowKernels::quantizeRows;
    table.cacheWrite = RowKernels::cacheWrite;
    table.rotary = RowKernels::rotary;
    table.startsPerRow = Products::startsPerRow;
    table.starts = Products::starts;
    table.product = Products::run;
    table.attentionScratch = AttentionKernel::scratch;
    table.attention = AttentionKernel::run;
    table.attentionMerge = AttentionKernel::mergeAll;
    return table;
}

} // namespace
