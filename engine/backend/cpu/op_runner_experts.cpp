// Products with experts: the rows of each expert are put together, and all experts' products run as one job.
#include "engine/backend/cpu/op_runner.h"

#include <algorithm>
#include <cstring>

namespace steelyard::cpu {

namespace {

// Where the rows of one expert lie in working memory, as the inputs and the output of one product.
struct Gathered {
    uint64_t x = 0, scales = 0, sums = 0, y = 0;
};

struct RowBytes {
    uint64_t x = 0, scales = 0, y = 0;
    explicit RowBytes(const ops::ExpertMatMul& op)
        : x(uint64_t(op.depth) * (op.activation == ops::Activation::Float ? sizeof(float) : ops::planesOf(op.activation))),
          scales(op.activation == ops::Activation::Float ? 0 : op.depth / 32 * sizeof(float)), y(uint64_t(op.outputs) * sizeof(float)) {}
};

void copy(uint64_t to, uint64_t from, uint64_t bytes) { std::memcpy(ops::at<void>(to), ops::at<const void>(from), bytes); }

} // namespace

// Items by expert: an expert of one item works where the item lies, others on gathered rows.
void OpRunner::execute(const ops::ExpertMatMul& op) {
    std::vector<std::vector<uint32_t>> itemsOf(op.experts);
    for (uint32_t item = 0; item < items(op); ++item) {
        const int32_t expert = ops::expertOf(op, item);
        if (expert >= 0) itemsOf[static_cast<size_t>(expert)].push_back(item);
        else std::fill_n(ops::at<float>(op.y) + uint64_t(item) * op.yStride, op.outputs, 0.0f);
    }
    const RowBytes bytes(op);
    uint64_t gatheredRows = 0;
    for (const auto& list : itemsOf) gatheredRows += list.size() > 1 ? list.size() : 0;
    const uint64_t start = reinterpret_cast<uint64_t>(m_gathered.need<uint8_t>(gatheredRows * (bytes.x + 2 * bytes.scales + bytes.y) + 4 * 64));
    const auto aligned = [](uint64_t address) { return (address + 63) / 64 * 64; };
    Gathered next;
    next.x = aligned(start);
    next.scales = aligned(next.x + gatheredRows * bytes.x);
    next.sums = next.scales + gatheredRows * bytes.scales;
    next.y = aligned(next.sums + gatheredRows * bytes.scales);

    std::vector<ops::MatMul> products;
    std::vector<std::pair<const std::vector<uint32_t>*, uint64_t>> scattered; // items, and where their rows of y are
    for (uint32_t expert = 0; expert < op.experts; ++expert) {
        const auto& list = itemsOf[expert];
        if (list.empty()) continue;
        ops::MatMul product = ops::productOf(op, list[0], expert);
        if (list.size() > 1) {
            const uint32_t count = static_cast<uint32_t>(list.size());
            for (uint32_t i = 0; i < count; ++i) {
                const ops::MatMul one = ops::productOf(op, list[i], expert);
                copy(next.x + i * bytes.x, one.x, bytes.x);
                if (bytes.scales == 0) continue;
                copy(next.scales + i * bytes.scales, one.xScales, bytes.scales);
                copy(next.sums + i * bytes.scales, one.xSums, bytes.scales);
            }
            product.x = next.x;
            product.xScales = bytes.scales ? next.scales : 0;
            product.xSums = bytes.scales ? next.sums : 0;
            product.y = next.y;
            product.rows = count;
            scattered.push_back({&list, next.y});
            next = {next.x + count * bytes.x, next.scales + count * bytes.scales, next.sums + count * bytes.scales, next.y + count * bytes.y};
        }
        products.push_back(product);
    }
    multiply(products);
    for (const auto& [list, y] : scattered)
        for (size_t i = 0; i < list->size(); ++i)
            copy(op.y + uint64_t((*list)[i]) * op.yStride * sizeof(float), y + i * bytes.y, bytes.y);
}

} // namespace steelyard::cpu
