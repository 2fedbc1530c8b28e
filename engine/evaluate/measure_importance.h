// How much each column of a model's weights counts (engine/quant/importance.h), from a text that the model reads.
//
// The text is read in windows, by the rules of text_windows.h, on the processor; for every product with a weight the squares of
// what is multiplied are summed column by column, of experts for each. The head is left out, as the field does. Memory: the
// model, a cache of one window, and a number for each column of each matrix.
#pragma once

#include "engine/core/result.h"
#include "engine/evaluate/text_windows.h"
#include "engine/quant/importance.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace steelyard {

struct ImportanceRequest {
    std::filesystem::path model, output; // `output` may stand already, and is replaced; never the model itself
    std::string text, textName;          // the name goes into the file
    uint32_t context = 512;              // tokens of a window
    uint32_t threads = 0;                // 0 = as many as there are physical cores
};

struct ImportanceResult {
    size_t tensors = 0;
    uint64_t tokens = 0;
    std::vector<std::string> notices; // sentences that a person should read
};

// `progress` gets the windows read and all windows; `cancelled` ends the work within a step, and no file is made. The caller waits.
Result<ImportanceResult> measureImportance(const ImportanceRequest& request, const std::function<void(size_t, size_t)>& progress,
                                           const std::atomic<bool>& cancelled);

// The sums alone, by the tensors' names, over windows of a model's tokens.
using ColumnSums = std::map<std::string, ColumnSquares>;
Result<ColumnSums> sumColumns(const std::filesystem::path& model, const TextWindows& windows, uint32_t threads,
                              const std::function<void(size_t, size_t)>& progress, const std::atomic<bool>& cancelled);

} // namespace steelyard
