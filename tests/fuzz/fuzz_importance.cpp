// A file of importance may be any bytes: the reader gives weights that lie inside it and are numbers, or a sentence.

#include "engine/quant/importance.h"

#include <cmath>
#include <cstdlib>

using namespace steelyard;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

// Whatever shape a model's tensor has: it fits, and each row has its columns, or it does not.
void checkRows(const Importance& importance, const GgufFile& model) {
    if (!importance.checkFits(model)) return;
    for (const GgufTensor& tensor : model.tensors())
        for (const uint64_t row : {uint64_t(0), tensor.rows() / 2, tensor.rows() - 1}) {
            const float* columns = importance.columnsOf(tensor, row);
            for (uint64_t i = 0; columns && i < tensor.columns(); ++i) require(columns[i] >= 0.0f && std::isfinite(columns[i]));
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const uint8_t> bytes(data, size);
    const auto importance = Importance::parse(bytes);
    if (!importance) {
        require(!importance.sentence().empty());
        return 0;
    }
    require(importance->tensors() > 0);
    // As if the file were its own model.
    if (const auto model = GgufFile::parse(bytes, size, false)) checkRows(*importance, *model);
    return 0;
}
